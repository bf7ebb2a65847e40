package blend

import (
	"bytes"
	_ "embed" // the model
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/internal/methods/trees"
)

// Model is a trained model. MODEL.md describes the embedded one, and package
// internal/lab/train/story trains it.
type Model struct {
	// Source is a hash of what the model was trained on: the features and labels of all
	// blocks. It changes with the pages and with the code of the features.
	Source [32]byte
	Tables *blocks.Tables
	// Page judges from the page as a whole what it is, Story whether a block belongs to
	// the article, Kind what the page is once the article is known, and Trust how good the
	// choice is. The classes of Page and Kind are PageTypes, those of Trust are TrustClasses.
	Page, Story, Kind, Trust *trees.Model
	// Site judges blocks again by what is known about the site. If it is nil,
	// selections are corrected afterwards, as those of other methods.
	Site *SiteWeights
}

//go:embed model.bin
var modelFile []byte

// embeddedModel decodes the embedded model on the first call.
var embeddedModel = sync.OnceValue(func() *Model {
	m := new(Model)
	if err := m.UnmarshalBinary(modelFile); err != nil {
		panic("blend: cannot decode the embedded model: " + err.Error())
	}
	return m
})

// Embedded returns the model that comes with lede. It must not be changed.
func Embedded() *Model { return embeddedModel() }

// ErrModel means that data is not a model of this version of blend.
var ErrModel = errors.New("not a model of blend")

const magic = "lede blend 3\n"

// IsModel reports whether data begins as a model of blend does, of any version.
func IsModel(data []byte) bool { return bytes.HasPrefix(data, []byte("lede blend ")) }

// MarshalBinary encodes the model.
func (m *Model) MarshalBinary() ([]byte, error) {
	out := append([]byte(magic), m.Source[:]...)
	for _, table := range m.tables() {
		out = appendTable(out, table)
	}
	for _, t := range []*trees.Model{m.Page, m.Story, m.Kind, m.Trust} {
		b, err := t.MarshalBinary()
		if err != nil {
			return nil, err
		}
		out = binary.AppendUvarint(out, uint64(len(b)))
		out = append(out, b...)
	}
	if m.Site != nil {
		out = m.Site.append(out)
	}
	return out, nil
}

// UnmarshalBinary decodes a model. It returns ErrModel if the data is damaged
// or the model was trained with other features.
func (m *Model) UnmarshalBinary(data []byte) error {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	switch {
	case !ok && IsModel(data):
		return fmt.Errorf("%w: it was made by another version of lede; train it again", ErrModel)
	case !ok:
		return fmt.Errorf("%w: wrong header", ErrModel)
	}
	got := Model{Tables: new(blocks.Tables), Page: new(trees.Model), Story: new(trees.Model), Kind: new(trees.Model), Trust: new(trees.Model)}
	if len(rest) < len(got.Source) {
		return fmt.Errorf("%w: truncated", ErrModel)
	}
	rest = rest[copy(got.Source[:], rest):]
	for _, table := range got.tables() {
		if rest, ok = readTable(rest, table); !ok {
			return fmt.Errorf("%w: damaged word table", ErrModel)
		}
	}
	for _, t := range []struct {
		*trees.Model
		features []string
	}{{got.Page, blocks.PageFeatures}, {got.Story, blocks.Features}, {got.Kind, blocks.KindFeatures}, {got.Trust, blocks.ChoiceFeatures}} {
		n, size := binary.Uvarint(rest)
		if size <= 0 || n > uint64(len(rest)-size) {
			return fmt.Errorf("%w: truncated", ErrModel)
		}
		rest = rest[size:]
		if err := t.UnmarshalBinary(rest[:n]); err != nil {
			return fmt.Errorf("%w: %w", ErrModel, err)
		}
		rest = rest[n:]
		if !slices.Equal(t.Features(), t.features) {
			return fmt.Errorf("%w: trained with other features; train it again", ErrModel)
		}
	}
	if len(rest) > 0 {
		if got.Site, ok = readSiteWeights(rest); !ok {
			return fmt.Errorf("%w: wrong data after the trees", ErrModel)
		}
	}
	*m = got
	return nil
}

func (m *Model) tables() []*blocks.Table {
	return []*blocks.Table{&m.Tables.Names, &m.Tables.Openings, &m.Tables.Kinds}
}

// appendTable encodes the entries of a table that are not 0: their number and,
// for each, the distance from the one before, the score and the check value.
func appendTable(out []byte, t *blocks.Table) []byte {
	var entries []byte
	n, last := 0, 0
	for i, e := range t.Entries {
		if e.Score != 0 {
			entries = append(binary.AppendUvarint(entries, uint64(i-last)), byte(e.Score), e.Check)
			n, last = n+1, i
		}
	}
	return append(binary.AppendUvarint(out, uint64(n)), entries...)
}

func readTable(b []byte, t *blocks.Table) (rest []byte, ok bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > blocks.TableSize {
		return nil, false
	}
	b = b[size:]
	at := uint64(0)
	for range n {
		step, size := binary.Uvarint(b)
		if size <= 0 || step >= blocks.TableSize || len(b) < size+2 || at+step >= blocks.TableSize {
			return nil, false
		}
		at += step
		t.Entries[at] = blocks.Entry{Score: int8(b[size]), Check: b[size+1]}
		b = b[size+2:]
	}
	return b, true
}
