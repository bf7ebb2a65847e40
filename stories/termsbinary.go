package stories

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The form of terms in bytes: the version, the language, the day, and each term with its
// count and text, in order of hash.
const termsVersion = 1

// MarshalBinary implements encoding.BinaryMarshaler. The form is for programs of the same
// version.
func (t *Terms) MarshalBinary() ([]byte, error) {
	b := make([]byte, 0, 16+20*len(t.terms))
	b = append(b, termsVersion, byte(len(t.lang)))
	b = append(b, t.lang...)
	b = binary.LittleEndian.AppendUint32(b, uint32(t.day))
	b = binary.AppendUvarint(b, uint64(len(t.terms)))
	for i := range t.terms {
		x := &t.terms[i]
		b = binary.LittleEndian.AppendUint32(b, x.hash)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x.count))
		b = binary.AppendUvarint(b, uint64(len(x.text)))
		b = append(b, x.text...)
	}
	return b, nil
}

var errTerms = errors.New("the terms are damaged")

// UnmarshalBinary implements encoding.BinaryUnmarshaler.
func (t *Terms) UnmarshalBinary(data []byte) error {
	r := reader{b: data}
	if v := r.byte(); v != termsVersion && r.ok() {
		return fmt.Errorf("the terms have version %d and not %d: use one version of lede", v, termsVersion)
	}
	var u Terms
	u.lang = string(r.bytes(int(r.byte())))
	if day := r.bytes(4); day != nil {
		u.day = int32(binary.LittleEndian.Uint32(day))
	}
	n := r.uvarint()
	const least = 4 + 4 + 1 // bytes of a term
	if !r.ok() || n > uint64(len(r.b)/least) {
		return errTerms
	}
	text := string(r.b) // the texts are parts of one
	size := len(r.b)
	u.terms = make([]term, n)
	for i := range u.terms {
		head := r.bytes(8)
		length := r.uvarint()
		at := size - len(r.b)
		if r.bytes(int(min(length, math.MaxInt32))); !r.ok() {
			return errTerms
		}
		x := &u.terms[i]
		*x = term{hash: binary.LittleEndian.Uint32(head), count: math.Float32frombits(binary.LittleEndian.Uint32(head[4:])), text: text[at : at+int(length)]}
		if i > 0 && x.hash <= u.terms[i-1].hash || !(x.count > 0 && x.count < math.MaxFloat32) {
			return errTerms
		}
	}
	if len(r.b) > 0 {
		return errTerms
	}
	*t = u
	return nil
}
