package sink

import (
	"bytes"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// packing packs lines into bytes that may be put one after the other and
// unpacked as one: members of gzip, frames of zstd.
type packing func() (func(lines []byte) ([]byte, error), error)

func noPacking() (func([]byte) ([]byte, error), error) {
	return func(lines []byte) ([]byte, error) { return lines, nil }, nil
}

func gzipPacking() (func([]byte) ([]byte, error), error) {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	return func(lines []byte) ([]byte, error) {
		out.Reset()
		w.Reset(&out)
		if _, err := w.Write(lines); err != nil {
			return nil, err
		}
		err := w.Close()
		return out.Bytes(), err
	}, nil
}

func zstdPacking() (func([]byte) ([]byte, error), error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, err
	}
	var out []byte
	return func(lines []byte) ([]byte, error) {
		out = w.EncodeAll(lines, out[:0])
		return out, nil
	}, nil
}
