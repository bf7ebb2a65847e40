package warc

import (
	"bufio"
	"io"
)

// bufferSize is what is read at once, and how far ahead the search for the next
// record looks.
const bufferSize = 64 << 10

// input is the archive's bytes with their positions.
type input struct {
	*bufio.Reader
	r      io.Reader
	seeker io.Seeker // nil if the input cannot go back
	start  int64     // where reading began
	end    int64     // position behind the last byte that was read
	high   int64     // the highest end there was
	back   int64     // how many bytes were gone back over, all together
	err    error     // why reading failed, if it did not just end
}

func newInput(r io.Reader) *input {
	in := &input{r: r}
	if s, ok := r.(io.Seeker); ok {
		// A pipe may have the method and yet not the ability.
		if at, err := s.Seek(0, io.SeekCurrent); err == nil && at >= 0 {
			in.seeker, in.start, in.end, in.high = s, at, at, at
		}
	}
	in.Reader = bufio.NewReaderSize(counted{in}, bufferSize)
	return in
}

// pos is the position of the next byte.
func (in *input) pos() int64 { return in.end - int64(in.Buffered()) }

// rewind goes back to a position and says whether it could. What is read again
// is bounded by what there is, so that a file made of false lengths costs a few
// readings and not one for each of its bytes.
func (in *input) rewind(to int64) bool {
	again := in.end - to
	if in.seeker == nil || in.err != nil || in.back+again > 4*(in.high-in.start)+bufferSize {
		return false
	}
	if !in.seek(to) {
		return false
	}
	in.back += again
	return true
}

func (in *input) seek(to int64) bool {
	if _, err := in.seeker.Seek(to, io.SeekStart); err != nil {
		in.err = err
		return false
	}
	in.Reset(counted{in})
	in.end = to
	return true
}

// counted feeds the buffer and keeps count.
type counted struct{ in *input }

func (c counted) Read(p []byte) (int, error) {
	if c.in.err != nil {
		return 0, c.in.err
	}
	n, err := c.in.r.Read(p)
	c.in.end += int64(n)
	c.in.high = max(c.in.high, c.in.end)
	if err != nil && err != io.EOF {
		c.in.err = err
	}
	return n, err
}
