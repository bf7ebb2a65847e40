package trees

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// smallModels returns models of all kinds: symmetric and not, with two and
// three classes, with an early exit.
func smallModels(t testing.TB) map[string]*Model {
	moons, _ := sets[0].data(t)
	rings, _ := sets[2].data(t)
	gaps, _ := sets[3].data(t)
	return map[string]*Model{
		"symmetric":  mustTrain(t, moons, Options{Trees: 4, Depth: 3, Symmetric: true}),
		"ordinary":   mustTrain(t, gaps, Options{Trees: 3, Depth: 4}),
		"three":      mustTrain(t, rings, Options{Trees: 3, Depth: 2, Symmetric: true}),
		"early exit": mustTrain(t, moons, Options{Trees: 6, Depth: 2, Symmetric: true, EarlyExit: EarlyExit{After: 2, MaxChanged: 0.01}}),
		"no split":   mustTrain(t, moons, Options{MinWeight: 1e6}),
	}
}

func mustMarshal(t testing.TB, m *Model) []byte {
	t.Helper()
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFile(t *testing.T) {
	for name, m := range smallModels(t) {
		data := mustMarshal(t, m)
		var read Model
		if err := read.UnmarshalBinary(data); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		again := mustMarshal(t, &read)
		if !bytes.Equal(data, again) {
			t.Errorf("%s is encoded differently after decoding", name)
		}
		cuts, readCuts := m.searches.cuts, read.searches.cuts
		for i := range cuts { // NaN differs from itself
			if cuts[i] != cuts[i] && readCuts[i] != readCuts[i] {
				cuts[i], readCuts[i] = 0, 0
			}
		}
		if !reflect.DeepEqual(*m, read) {
			t.Errorf("%s: %+v was decoded as %+v", name, *m, read)
		}
	}
}

// TestFileSize has 300 symmetric trees of depth 6 on 180 features.
func TestFileSize(t *testing.T) {
	if n := len(mustMarshal(t, randomModel(true, 180, 300))); n > 64_000 {
		t.Errorf("%d bytes", n)
	}
}

func TestFileErrors(t *testing.T) {
	good := mustMarshal(t, smallModels(t)["symmetric"])
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
		{"version", "version 2", change(len(fileMagic), 2)},
		{"damaged", "checksum", change(len(good)/2, good[len(good)/2]+1)},
		{"cut short", "checksum", good[:len(good)-1]},
		{"left over", "left over", seal(append(body(good), 0))},
		{"short", "truncated", seal(body(good)[:len(body(good))-1])},
		{"names", "features", seal([]byte{1, 200, 200, 3})},
		{"name", "length of a name", seal([]byte{1, 1, 9, 'a'})},
		{"outputs", "2 outputs", seal([]byte{1, 1, 1, 'a', 2})},
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
	return slices.Clone(file[len(fileMagic)+1 : len(file)-4])
}

func seal(body []byte) []byte {
	w := append(append([]byte(fileMagic), fileVersion), body...)
	return binary.LittleEndian.AppendUint32(w, crc32.ChecksumIEEE(w))
}

// FuzzUnmarshal checks that every model that can be decoded has finite scores,
// explains them, and is encoded without loss.
func FuzzUnmarshal(f *testing.F) {
	for _, m := range smallModels(f) {
		f.Add(body(mustMarshal(f, m)))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var m, again Model
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
		base, reasons := m.Reasons(rows[:len(m.features)], 0)
		for _, r := range reasons {
			base += r.Effect
		}
		if !(math.Abs(base-float64(out[0])) <= 1e-4*(1+math.Abs(base))) {
			t.Errorf("the reasons sum to %g, the score is %g", base, out[0])
		}
		m.Importance()
		data := mustMarshal(t, &m)
		if err := again.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(mustMarshal(t, &again), data) {
			t.Error("the model is encoded differently after decoding")
		}
	})
}
