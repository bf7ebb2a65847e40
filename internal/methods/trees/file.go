package trees

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
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
	r := reader{left: data[len(FileMagic)+1 : end]}
	read := r.model()
	if r.err == nil && len(r.left) > 0 {
		r.fail("%d bytes are left over", len(r.left))
	}
	if r.err != nil {
		return fmt.Errorf("%w: %w", ErrModel, r.err)
	}
	read.file = bytes.Clone(data)
	*m = read
	return nil
}

// reader decodes a model from untrusted bytes. After an error it returns zeros.
// It allocates no more memory than a small multiple of the bytes.
type reader struct {
	left []byte
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
	r.left = nil
}

func (r *reader) take(n int) []byte {
	if n > len(r.left) {
		r.fail("it is truncated")
		return make([]byte, min(n, 8))
	}
	taken := r.left[:n]
	r.left = r.left[n:]
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
func (r *reader) number(most int, what string) int {
	v, n := binary.Uvarint(r.left)
	if n <= 0 || most < 0 || v > uint64(most) {
		r.fail("%s: %d is more than %d", what, v, most)
		return 0
	}
	r.left = r.left[n:]
	return int(v)
}

func (r *reader) model() Model {
	var m Model
	if r.byte() != 1 {
		r.fail("its trees are not symmetric")
	}
	for range r.number(min(len(r.left), math.MaxUint16), "features") {
		m.features = append(m.features, string(r.take(r.number(len(r.left), "length of a name"))))
	}
	outputs := int(r.byte())
	if outputs < 1 || outputs > MaxClasses || outputs == 2 {
		r.fail("%d outputs", outputs)
		return m
	}
	m.unit = r.float64()
	if !(m.unit > 0 && m.unit <= 1) {
		r.fail("leaf unit %g", m.unit)
	}
	for range outputs {
		m.bias = append(m.bias, r.float64())
		if !(math.Abs(m.bias[len(m.bias)-1]) < 1e6) {
			r.fail("bias %g", m.bias[len(m.bias)-1])
		}
	}
	r.columns(&m)
	r.trees(&m)
	m.leaves = append(m.leaves, make([]int16, maxLeaves)...)
	m.searches, m.values = newSearches(m.columns), new(nodeValues)
	return m
}

func (r *reader) columns(m *Model) {
	for range r.number(min(len(r.left), math.MaxUint16), "columns") {
		c := column{feature: r.number(len(m.features)-1, "number of a feature")}
		cuts := int(r.byte())
		r.float32() // the gain in training
		if cuts < 1 || cuts > ColumnCuts {
			r.fail("%d cuts", cuts)
		}
		for range cuts {
			c.cuts = append(c.cuts, r.float32())
			if i := len(c.cuts) - 1; c.cuts[i] != c.cuts[i] || i > 0 && c.cuts[i] <= c.cuts[i-1] {
				r.fail("cuts are not sorted")
			}
		}
		if r.err != nil {
			return
		}
		m.columns = append(m.columns, c)
	}
}

func (r *reader) trees(m *Model) {
	for range r.number(min(len(r.left), MaxTrees), "trees") {
		t := span{uint32(len(m.splits)), uint32(len(m.leaves)), uint32(len(m.covers)), r.byte()}
		if t.depth > MaxDepth {
			r.fail("tree of depth %d", t.depth)
		}
		if r.err != nil {
			return
		}
		for range t.depth {
			m.splits = append(m.splits, r.split(m))
		}
		for range len(m.bias) << t.depth {
			m.leaves = append(m.leaves, int16(binary.LittleEndian.Uint16(r.take(2))))
		}
		for range (1<<t.depth + 1) / 2 {
			pair := r.byte()
			m.covers = append(m.covers, pair&15, pair>>4)
		}
		m.covers = m.covers[:int(t.cover)+1<<t.depth]
		m.trees = append(m.trees, t)
	}
}

func (r *reader) split(m *Model) split {
	s := split{uint16(r.number(len(m.columns)-1, "number of a column")), r.byte()}
	if r.err == nil && int(s.above) >= len(m.columns[s.column].cuts) {
		r.err = errors.New("a split at a cut that does not exist")
	}
	return s
}
