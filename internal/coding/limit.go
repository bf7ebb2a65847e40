package coding

import (
	"errors"
	"io"
)

// ErrTooLarge is said of a body that is over its limit, as sent or decoded.
var ErrTooLarge = errors.New("over the limit")

// Limit bounds the bytes of one body at each place where it is set on a reader.
// It knows the error that came first, however decoders wrap it or hide it.
type Limit struct {
	bytes int64
	fault error
}

// NewLimit allows so many bytes.
func NewLimit(bytes int64) *Limit { return &Limit{bytes: bytes} }

// Fault is the first error that came through any of the readers.
func (l *Limit) Fault() error { return l.fault }

// On returns a reader that fails once more has come from r than is allowed.
// io.LimitReader would end there instead, and half a page would pass for a whole
// one.
func (l *Limit) On(r io.Reader) io.Reader { return &meter{r, l.bytes, l} }

type meter struct {
	r     io.Reader
	left  int64
	limit *Limit
}

func (m *meter) Read(p []byte) (int, error) {
	if m.left < 0 {
		return 0, ErrTooLarge
	}
	// One byte past the limit tells a body that ends there from one that goes on.
	if int64(len(p))-1 > m.left {
		p = p[:m.left+1]
	}
	n, err := m.r.Read(p)
	if m.left -= int64(n); m.left < 0 {
		n, err = n-1, ErrTooLarge
	}
	if err != nil && err != io.EOF && m.limit.fault == nil {
		m.limit.fault = err
	}
	return n, err
}
