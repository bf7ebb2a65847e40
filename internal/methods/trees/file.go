package trees

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"sync"
)

// ErrModel means that bytes are not a valid model.
var ErrModel = errors.New("not a tree model")

// A file is FileMagic, FileVersion, the model and a CRC-32 of all of that.
const (
	FileMagic   = "ledetree"
	FileVersion = 2
	fileFrame   = len(FileMagic) + 1 + 4
)

// MarshalBinary returns the file of the model.
func (m *Model) MarshalBinary() ([]byte, error) { return m.file, nil }

// UnmarshalBinary decodes a model. Its errors wrap [ErrModel] and leave m
// unchanged.
func (m *Model) UnmarshalBinary(data []byte) error {
	if len(data) < fileFrame || string(data[:len(FileMagic)]) != FileMagic {
		return fmt.Errorf("%w: it does not start with %q", ErrModel, FileMagic)
	}
	if v := data[len(FileMagic)]; v != FileVersion {
		return fmt.Errorf("%w: unsupported version %d (this release reads %d): train the model again", ErrModel, v, FileVersion)
	}
	end := len(data) - 4
	if crc32.ChecksumIEEE(data[:end]) != binary.LittleEndian.Uint32(data[end:]) {
		return fmt.Errorf("%w: the checksum does not match: get the file again", ErrModel)
	}
	r := reader{data[len(FileMagic)+1 : end]}
	read, ok := r.read()
	if !ok {
		return fmt.Errorf("%w: its parts do not fit together", ErrModel)
	}
	read.file = bytes.Clone(data)
	*m = *read
	return nil
}

// reader decodes a model from untrusted bytes, and panics with errDamaged. The memory it
// allocates is bounded by the limits of a model.
type reader struct{ left []byte }

var errDamaged = errors.New("damaged")

func (r *reader) check(ok bool) {
	if !ok {
		panic(errDamaged)
	}
}

func (r *reader) take(n int) (taken []byte) {
	r.check(n <= len(r.left))
	taken, r.left = r.left[:n], r.left[n:]
	return taken
}

func (r *reader) byte() uint8 { return r.take(1)[0] }
func (r *reader) float32() float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(r.take(4)))
}
func (r *reader) float64() float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(r.take(8)))
}

// number returns a number of at most most.
func (r *reader) number(most int) int {
	v, n := binary.Uvarint(r.left)
	r.check(n > 0 && most >= 0 && v <= uint64(most))
	r.left = r.left[n:]
	return int(v)
}

// read reads the whole model, and reports whether its parts fit together.
func (r *reader) read() (m *Model, ok bool) {
	defer func() {
		if p := recover(); p != nil && p != errDamaged {
			panic(p)
		}
	}()
	m = new(Model)
	r.check(r.byte() == 1) // symmetric trees
	for range r.number(math.MaxUint16) {
		m.features = append(m.features, string(r.take(r.number(len(r.left)))))
	}
	outputs := int(r.byte())
	r.check(outputs == 1 || outputs > 2 && outputs <= MaxClasses)
	m.unit = r.float64()
	r.check(m.unit > 0 && m.unit <= 1)
	for range outputs {
		bias := r.float64()
		r.check(math.Abs(bias) < 1e6)
		m.bias = append(m.bias, bias)
	}
	for range r.number(math.MaxUint16) {
		r.column(m)
	}
	m.cuts = append(m.cuts, make([]float32, ColumnCuts+1)...)
	for range r.number(MaxTrees) {
		r.tree(m)
	}
	m.leaves = append(m.leaves, make([]int16, maxLeaves)...)
	m.values = sync.OnceValue(m.nodeValues)
	r.check(len(r.left) == 0)
	return m, true
}

func (r *reader) column(m *Model) {
	c := column{feature: r.number(len(m.features) - 1), first: len(m.cuts)}
	cuts := int(r.byte())
	r.float32() // the gain in training
	r.check(cuts >= 1 && cuts <= ColumnCuts)
	last := float32(math.NaN())
	for range cuts {
		cut := r.float32()
		r.check(cut == cut && !(cut <= last))
		m.cuts, last = append(m.cuts, cut), cut
	}
	c.half = uint8(1 << bits.Len(uint(cuts)) >> 1)
	for range 2*int(c.half) - 1 - cuts {
		m.cuts = append(m.cuts, float32(math.NaN()))
	}
	m.columns = append(m.columns, c)
}

func (r *reader) tree(m *Model) {
	t := tree{uint32(len(m.splits)), uint32(len(m.leaves)), r.byte()}
	r.check(t.depth <= MaxDepth)
	for range t.depth {
		s := split{uint16(r.number(len(m.columns) - 1)), r.byte()}
		r.check(s.above < 2*m.columns[s.column].half-1)
		m.splits = append(m.splits, s)
	}
	for range len(m.bias) << t.depth {
		m.leaves = append(m.leaves, int16(binary.LittleEndian.Uint16(r.take(2))))
	}
	before := len(m.covers)
	for range (1<<t.depth + 1) / 2 {
		pair := r.byte()
		m.covers = append(m.covers, pair&15, pair>>4)
	}
	m.covers = m.covers[:before+1<<t.depth]
	m.trees = append(m.trees, t)
}
