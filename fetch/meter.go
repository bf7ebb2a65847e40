package fetch

import (
	"errors"
	"io"
)

var errOverLimit = errors.New("over the limit")

// meter fails once more than left bytes have come through. io.LimitReader would
// end there instead, and half a page would pass for a whole one.
//
// One meter is on the wire and one behind each decoder, all with the same
// fault, so that the error that came first is known however decoders wrap it.
type meter struct {
	r     io.Reader
	left  int64
	wire  bool
	fault *fault
}

// fault is the first thing that went wrong.
type fault struct {
	err  error
	wire bool // it came from the connection, not from a decoder
}

func (f *fault) note(err error, wire bool) {
	if f.err == nil && err != io.EOF {
		f.err, f.wire = err, wire
	}
}

func (m *meter) Read(p []byte) (int, error) {
	if m.left < 0 {
		return 0, errOverLimit
	}
	// One byte past the limit tells a body that ends there from one that goes on.
	if int64(len(p))-1 > m.left {
		p = p[:m.left+1]
	}
	n, err := m.r.Read(p)
	m.left -= int64(n)
	if m.left < 0 {
		n, err = n-1, errOverLimit
	}
	if err != nil {
		m.fault.note(err, m.wire)
	}
	return n, err
}
