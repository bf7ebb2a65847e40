package trees

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// ErrModel means that bytes hold no model that can be used.
var ErrModel = errors.New("not a model of trees")

// A file is the magic word, the version, what put writes, and a CRC-32 of all before.
const (
	fileMagic   = "ledetree"
	fileVersion = 1
	fileFrame   = len(fileMagic) + 1 + 4
)

// MarshalBinary writes all that is needed to use the model, to the last bit.
func (m *Model) MarshalBinary() ([]byte, error) {
	w := append([]byte(fileMagic), fileVersion)
	w = m.put(w)
	return binary.LittleEndian.AppendUint32(w, crc32.ChecksumIEEE(w)), nil
}

func (m *Model) put(w []byte) []byte {
	w = append(w, uint8(one(m.symmetric)))
	w = binary.AppendUvarint(w, uint64(len(m.features)))
	for _, name := range m.features {
		w = binary.AppendUvarint(w, uint64(len(name)))
		w = append(w, name...)
	}
	w = append(w, uint8(len(m.bias)))
	for _, b := range append([]float64{m.unit}, m.bias...) {
		w = binary.LittleEndian.AppendUint64(w, math.Float64bits(b))
	}
	w = binary.AppendUvarint(w, uint64(m.stop.after))
	w = binary.AppendVarint(w, int64(m.stop.low))
	w = binary.AppendVarint(w, int64(m.stop.high))
	w = binary.AppendUvarint(w, uint64(len(m.columns)))
	for _, c := range m.columns {
		w = binary.AppendUvarint(w, uint64(c.feature))
		w = append(w, uint8(len(c.cuts)))
		for _, v := range append([]float32{c.gain}, c.cuts...) {
			w = binary.LittleEndian.AppendUint32(w, math.Float32bits(v))
		}
	}
	w = binary.AppendUvarint(w, uint64(len(m.trees)))
	for _, t := range m.trees {
		w = m.putTree(w, t)
	}
	return w
}

// putTree writes two covers a byte.
func (m *Model) putTree(w []byte, t span) []byte {
	w = append(w, t.depth)
	for _, s := range m.splits[t.split : int(t.split)+m.nodes(t.depth)] {
		w = binary.AppendUvarint(w, uint64(s.column))
		w = append(w, s.above)
	}
	for _, v := range m.leaves[t.leaf:t.leavesOf(len(m.bias))] {
		w = binary.LittleEndian.AppendUint16(w, uint16(v))
	}
	covers := m.covers[t.cover : int(t.cover)+1<<t.depth]
	for i := 0; i < len(covers); i += 2 {
		w = append(w, covers[i]|covers[min(i+1, len(covers)-1)]<<4)
	}
	return w
}

// nodes is how many splits a tree has.
func (m *Model) nodes(depth uint8) int { return nodeAt(m.symmetric, int(depth), 0) }

// UnmarshalBinary reads what MarshalBinary writes. Its errors are [ErrModel], and
// leave the model as it was.
func (m *Model) UnmarshalBinary(data []byte) error {
	if len(data) < fileFrame || string(data[:len(fileMagic)]) != fileMagic {
		return fmt.Errorf("%w: it does not start with %q", ErrModel, fileMagic)
	}
	if v := data[len(fileMagic)]; v != fileVersion {
		return fmt.Errorf("%w: version %d, where %d is known: train it again or use the release that wrote it", ErrModel, v, fileVersion)
	}
	end := len(data) - 4
	if crc32.ChecksumIEEE(data[:end]) != binary.LittleEndian.Uint32(data[end:]) {
		return fmt.Errorf("%w: it was damaged or cut short: fetch it again", ErrModel)
	}
	r := reader{left: data[len(fileMagic)+1 : end]}
	read := r.model()
	if r.err == nil && len(r.left) > 0 {
		r.fail("%d bytes are left over", len(r.left))
	}
	if r.err != nil {
		return fmt.Errorf("%w: %w", ErrModel, r.err)
	}
	*m = read
	return nil
}
