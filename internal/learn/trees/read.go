package trees

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// reader takes a model from bytes that anybody may have written. After an error it
// gives zeros. It asks for no more memory than a small multiple of the bytes.
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
		r.fail("it is cut short")
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

// number is at most most.
func (r *reader) number(most int, what string) int {
	v, n := binary.Uvarint(r.left)
	if n <= 0 || most < 0 || v > uint64(most) {
		r.fail("%s: %d, where %d is the most", what, v, most)
		return 0
	}
	r.left = r.left[n:]
	return int(v)
}

func (r *reader) int32() int32 {
	v, n := binary.Varint(r.left)
	if n <= 0 || v != int64(int32(v)) {
		r.fail("not a sum of leaves")
		return 0
	}
	r.left = r.left[n:]
	return int32(v)
}

func (r *reader) model() Model {
	m := Model{symmetric: r.byte() == 1}
	for range r.number(min(len(r.left), math.MaxUint16), "features") {
		m.features = append(m.features, string(r.take(r.number(len(r.left), "length of a name"))))
	}
	outputs := int(r.byte())
	if outputs < 1 || outputs > MostClasses || outputs == 2 {
		r.fail("%d outputs", outputs)
		return m
	}
	m.unit = r.float64()
	if !(m.unit > 0 && m.unit <= 1) {
		r.fail("leaves in units of %g", m.unit)
	}
	for range outputs {
		m.bias = append(m.bias, r.float64())
		if !(math.Abs(m.bias[len(m.bias)-1]) < 1e6) {
			r.fail("a bias of %g", m.bias[len(m.bias)-1])
		}
	}
	m.stop = stop{r.number(mostTrees, "trees before the stop"), r.int32(), r.int32()}
	r.columns(&m)
	r.trees(&m)
	if m.stop.after > 0 && (outputs > 1 || m.stop.after >= len(m.trees)) {
		r.fail("a stop after %d of %d trees, for %d outputs", m.stop.after, len(m.trees), outputs)
	}
	m.leaves = append(m.leaves, make([]int16, leafRoom)...)
	m.addProbes()
	return m
}

func (r *reader) columns(m *Model) {
	for range r.number(min(len(r.left), math.MaxUint16), "columns") {
		c := column{feature: r.number(len(m.features)-1, "number of a feature")}
		cuts := int(r.byte())
		if c.gain = r.float32(); !(c.gain >= 0 && c.gain <= math.MaxFloat32) {
			r.fail("a gain of %g", c.gain)
		}
		if cuts < 1 || cuts > columnCuts {
			r.fail("%d cuts", cuts)
		}
		for range cuts {
			c.cuts = append(c.cuts, r.float32())
			if i := len(c.cuts) - 1; c.cuts[i] != c.cuts[i] || i > 0 && c.cuts[i] <= c.cuts[i-1] {
				r.fail("cuts are not in order")
			}
		}
		if r.err != nil {
			return
		}
		m.columns = append(m.columns, c)
	}
}

func (r *reader) trees(m *Model) {
	for range r.number(min(len(r.left), mostTrees), "trees") {
		t := span{uint32(len(m.splits)), uint32(len(m.leaves)), uint32(len(m.covers)), r.byte()}
		if t.depth > MostDepth {
			r.fail("a tree of depth %d", t.depth)
		}
		if r.err != nil {
			return
		}
		for range m.nodes(t.depth) {
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
	asksNothing := !m.symmetric && s.above == columnCuts
	if r.err == nil && !asksNothing && int(s.above) >= len(m.columns[s.column].cuts) {
		r.err = errors.New("a split by a cut that is not there")
	}
	return s
}
