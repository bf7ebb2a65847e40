package coding

import (
	"bufio"
	"io"

	"github.com/klauspost/compress/gzip"
)

const gzipMagic = "\x1f\x8b"

// members reads gzip members one after the other and stops at what is none:
// servers pad a body with zeros or newlines, and browsers look away.
type members struct {
	in *bufio.Reader
	gz *gzip.Reader
}

func openGzip(in *bufio.Reader) (io.Reader, error) {
	gz, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	gz.Multistream(false)
	return &members{in, gz}, nil
}

// Read goes on to the next member by itself: who reads gives up on a reader that
// again and again has nothing, as empty members would.
func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.gz.Read(p)
		switch {
		case err == nil || err != io.EOF:
			return n, err
		case n > 0:
			return n, nil
		}
		if magic, _ := m.in.Peek(len(gzipMagic)); string(magic) != gzipMagic {
			return 0, io.EOF
		}
		if err := m.gz.Reset(m.in); err != nil {
			return 0, err
		}
		m.gz.Multistream(false)
	}
}
