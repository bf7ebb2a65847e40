package warc

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// vanishing fails after n bytes.
type vanishing struct {
	r io.Reader
	n int
}

var errGone = errors.New("the disk is gone")

func (v *vanishing) Read(p []byte) (int, error) {
	if v.n == 0 {
		return 0, errGone
	}
	n, err := v.r.Read(p[:min(len(p), v.n)])
	v.n -= n
	return n, err
}

func TestInputVanishes(t *testing.T) {
	for _, packing := range []Packing{Gzip, Zstd, Plain} {
		b, entries := archive(t, packing, 4, 3000)
		for cut := int(entries[2].Offset) - 3; cut < int(entries[2].Offset)+200; cut += 7 {
			o := run(&vanishing{bytes.NewReader(b), cut}, Options{})
			if !errors.Is(o.end, ErrInput) || !errors.Is(o.end, errGone) || len(o.whole) < 1 || len(o.whole) > 2 {
				t.Fatalf("packing %d, gone after %d: %v", packing, cut, o)
			}
		}
	}
	// A reader that never gives anything is one that cannot be read.
	if o := run(silent{}, Options{}); !errors.Is(o.end, io.ErrNoProgress) {
		t.Errorf("a silent input: %v", o)
	}
}

type silent struct{}

func (silent) Read([]byte) (int, error) { return 0, nil }
