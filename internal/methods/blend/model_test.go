package blend

import (
	"bytes"
	"errors"
	"testing"
)

func TestModelFile(t *testing.T) {
	b, err := embeddedModel().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b, modelFile) {
		t.Errorf("the model has %d bytes when decoded and encoded again, the file has %d", len(b), len(modelFile))
	}
	const maxSize = 2 << 20
	if len(modelFile) > maxSize {
		t.Errorf("the model is larger than 2 MiB: %d bytes", len(modelFile))
	}
	for name, bad := range map[string][]byte{
		"empty": nil, "text": []byte("a text"), "truncated": b[:len(b)/2], "longer": append(bytes.Clone(b), 0), "header": b[:len(magic)],
	} {
		if err := new(Model).UnmarshalBinary(bad); !errors.Is(err, ErrModel) {
			t.Errorf("%s: error %v, want ErrModel", name, err)
		}
	}
}

// FuzzModel decodes arbitrary bytes, and encodes what can be decoded.
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
