package blend

import (
	"bytes"
	"errors"
	"testing"
)

func TestModelFile(t *testing.T) {
	b, err := learned().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b, modelFile) {
		t.Errorf("the model is %d bytes when read and written again, and the file has %d", len(b), len(modelFile))
	}
	const most = 2 << 20
	if len(modelFile) > most {
		t.Errorf("the model is larger than 2 MiB: %d bytes", len(modelFile))
	}
	for name, bad := range map[string][]byte{
		"empty": nil, "other": []byte("a text"), "cut": b[:len(b)/2], "longer": append(bytes.Clone(b), 0), "head": b[:len(magic)],
	} {
		if err := new(Model).UnmarshalBinary(bad); !errors.Is(err, ErrModel) {
			t.Errorf("%s: error %v, want ErrModel", name, err)
		}
	}
}

// FuzzModel holds that no bytes crash the reading, and that what can be read is
// written back as it was.
func FuzzModel(f *testing.F) {
	f.Add([]byte(magic))
	f.Add(append([]byte(magic), 1, 5, 3, 0, 0, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := new(Model)
		if m.UnmarshalBinary(data) != nil {
			return
		}
		if _, err := m.MarshalBinary(); err != nil {
			t.Error(err)
		}
	})
}
