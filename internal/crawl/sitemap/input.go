package sitemap

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"unicode/utf8"
)

// decompress returns the decompressed bytes of a sitemap, which may be compressed
// twice: as a file, and once more by a server that does not say so. What is
// read and what is returned is bounded.
func decompress(r io.Reader, limit int64) (io.Reader, error) {
	for range 2 {
		in := bufio.NewReader(&limited{r: r, left: limit})
		magic, err := in.Peek(2)
		if err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
			return in, nil
		}
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("%w: it begins as gzip: %w", ErrDamaged, err)
		}
		r = z
	}
	return &limited{r: r, left: limit}, nil
}

// limited reads up to a number of bytes and then fails.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		var one [1]byte
		if n, err := l.r.Read(one[:]); n == 0 {
			return 0, err
		}
		return 0, ErrTooLarge
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

// source gives the decoder of XML its bytes one by one. It drops control characters,
// which XML does not allow, and bounds the size of a token.
type source struct {
	r      *bufio.Reader
	token  int64 // bytes since the last token
	last   byte
	unread bool
}

// maxToken bounds the size of one tag, text or comment.
const maxToken = 256 << 10

func (s *source) ReadByte() (byte, error) {
	if s.unread {
		s.unread = false
		return s.last, nil
	}
	for {
		c, err := s.r.ReadByte()
		if err != nil {
			return 0, err
		}
		if s.token++; s.token > maxToken {
			return 0, fmt.Errorf("%w: a tag, text or comment is longer than %d KB", ErrDamaged, maxToken>>10)
		}
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			continue
		}
		s.last = c
		return c, nil
	}
}

// Read makes the source an io.Reader, as the decoder requires.
func (s *source) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	c, err := s.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = c
	return 1, nil
}

// resume prepares the source for another decoder after a syntax error. What the last
// one stumbled over may begin a tag, or is text.
func (s *source) resume() {
	s.unread = s.last < utf8.RuneSelf
}
