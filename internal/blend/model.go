package blend

import (
	"bytes"
	_ "embed" // the model
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/internal/learn/trees"
)

// Model is what was learned: see MODEL.md for what from, and learn/story for
// how.
type Model struct {
	Tables *blocks.Tables
	// Story tells the blocks of a story from all others, and Kind an article
	// from an index and from any other page.
	Story, Kind *trees.Model
}

//go:embed model.bin
var modelFile []byte

// learned reads the model that lede comes with, when it is first needed.
var learned = sync.OnceValue(func() *Model {
	m := new(Model)
	if err := m.UnmarshalBinary(modelFile); err != nil {
		panic("blend: the model that lede comes with cannot be read: " + err.Error())
	}
	return m
})

// ErrModel means that bytes hold no model that can be used.
var ErrModel = errors.New("not a model of blend")

const magic = "lede blend 1\n"

var _ encoding.BinaryMarshaler = (*Model)(nil)

// MarshalBinary writes the model.
func (m *Model) MarshalBinary() ([]byte, error) {
	out := []byte(magic)
	for _, table := range m.tables() {
		out = appendTable(out, table)
	}
	for _, t := range []*trees.Model{m.Story, m.Kind} {
		b, err := t.MarshalBinary()
		if err != nil {
			return nil, err
		}
		out = binary.AppendUvarint(out, uint64(len(b)))
		out = append(out, b...)
	}
	return out, nil
}

// UnmarshalBinary reads what MarshalBinary wrote. A model that was made for
// other features is refused.
func (m *Model) UnmarshalBinary(data []byte) error {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return fmt.Errorf("%w: it does not begin like one", ErrModel)
	}
	got := Model{Tables: new(blocks.Tables), Story: new(trees.Model), Kind: new(trees.Model)}
	for _, table := range got.tables() {
		if rest, ok = readTable(rest, table); !ok {
			return fmt.Errorf("%w: a table of words is broken", ErrModel)
		}
	}
	for _, t := range []struct {
		*trees.Model
		features []string
	}{{got.Story, blocks.Features}, {got.Kind, blocks.PageFeatures}} {
		n, size := binary.Uvarint(rest)
		if size <= 0 || n > uint64(len(rest)-size) {
			return fmt.Errorf("%w: it breaks off", ErrModel)
		}
		rest = rest[size:]
		if err := t.UnmarshalBinary(rest[:n]); err != nil {
			return fmt.Errorf("%w: %w", ErrModel, err)
		}
		rest = rest[n:]
		if !equal(t.Features(), t.features) {
			return fmt.Errorf("%w: it was made for other features; train it again", ErrModel)
		}
	}
	if len(rest) > 0 {
		return fmt.Errorf("%w: something follows it", ErrModel)
	}
	*m = got
	return nil
}

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (m *Model) tables() []*[blocks.TableSize]int8 {
	return []*[blocks.TableSize]int8{&m.Tables.Names, &m.Tables.Openings, &m.Tables.Kinds}
}

// appendTable writes the places of a table that hold something: how many, and
// for each the way from the one before and its value.
func appendTable(out []byte, table *[blocks.TableSize]int8) []byte {
	n := 0
	for _, x := range table {
		if x != 0 {
			n++
		}
	}
	out = binary.AppendUvarint(out, uint64(n))
	last := 0
	for i, x := range table {
		if x != 0 {
			out = binary.AppendUvarint(out, uint64(i-last))
			out = append(out, byte(x))
			last = i
		}
	}
	return out
}

func readTable(b []byte, table *[blocks.TableSize]int8) (rest []byte, ok bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > blocks.TableSize {
		return nil, false
	}
	b = b[size:]
	at := uint64(0)
	for range n {
		step, size := binary.Uvarint(b)
		if size <= 0 || step >= blocks.TableSize || len(b) <= size || at+step >= blocks.TableSize {
			return nil, false
		}
		at += step
		table[at] = int8(b[size])
		b = b[size+1:]
	}
	return b, true
}
