package trees

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestFileErrors(t *testing.T) {
	good := readModels(t)[0].file
	change := func(at int, to byte) []byte {
		data := slices.Clone(good)
		data[at] = to
		return data
	}
	for _, c := range []struct {
		name, want string
		data       []byte
	}{
		{"empty", "does not start", nil},
		{"magic", "does not start", change(0, 'x')},
		{"version", "version 3", change(len(FileMagic), 3)},
		{"damaged", "checksum", change(len(good)/2, good[len(good)/2]+1)},
		{"cut short", "checksum", good[:len(good)-1]},
		{"left over", "parts", seal(append(body(good), 0))},
		{"short", "parts", seal(body(good)[:len(body(good))-1])},
		{"ordinary trees", "parts", seal([]byte{0})},
		{"names", "parts", seal([]byte{1, 200, 200, 3})},
		{"name", "parts", seal([]byte{1, 1, 9, 'a'})},
		{"outputs", "parts", seal([]byte{1, 1, 1, 'a', 2})},
	} {
		m := Model{unit: 7}
		err := m.UnmarshalBinary(c.data)
		if !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if m.unit != 7 || m.features != nil {
			t.Errorf("%s: the model was changed", c.name)
		}
	}
}

// body returns a file without its frame; seal adds it.
func body(file []byte) []byte {
	return slices.Clone(file[len(FileMagic)+1 : len(file)-4])
}

func seal(body []byte) []byte {
	w := append(append([]byte(FileMagic), FileVersion), body...)
	return binary.LittleEndian.AppendUint32(w, crc32.ChecksumIEEE(w))
}

// FuzzUnmarshal checks that every model that can be decoded has finite scores.
func FuzzUnmarshal(f *testing.F) {
	for _, m := range readModels(f) {
		f.Add(body(m.file))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var m Model
		if err := m.UnmarshalBinary(seal(body)); err != nil {
			if !errors.Is(err, ErrModel) {
				t.Fatalf("error %v", err)
			}
			return
		}
		var rows []float32
		for _, v := range []float32{0, -1.5, float32(math.NaN())} {
			rows = append(rows, slices.Repeat([]float32{v}, len(m.features))...)
		}
		out := make([]float32, 3*m.Outputs())
		m.Scores(rows, 3, out)
		for _, v := range out {
			if v != v || math.IsInf(float64(v), 0) {
				t.Errorf("score %g", v)
			}
		}
		m.Effects(rows[:len(m.features)], make([]uint16, len(m.features)), make([]float64, 1))
	})
}
