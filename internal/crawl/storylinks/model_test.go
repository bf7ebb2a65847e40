package storylinks

import (
	"errors"
	"testing"
)

func TestModelFile(t *testing.T) {
	for _, n := range []int{0, 5, len(ModelMagic), len(ModelMagic) + 9, 1000, len(modelFile) / 2, len(modelFile) - 1} {
		if err := new(Model).UnmarshalBinary(modelFile[:n]); !errors.Is(err, errModel) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
