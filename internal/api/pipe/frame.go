// Package pipe is lede as a process for programs in other languages: it reads requests
// from one pipe and writes answers to another. docs/pipe.md describes the protocol.
package pipe

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/lede-news/lede/internal/version"
)

const (
	// Protocol is the version of the protocol.
	Protocol = 1
	// maxHead is the largest head of a frame, in bytes.
	maxHead = 1 << 20
	// maxBody is the largest body of a frame, whose size is written in 32 bits.
	maxBody = 1<<32 - 1
	// bufferSize is that of the buffers of the pipes.
	bufferSize = 256 << 10
)

// errFrame is the error of bytes that are not a frame. What follows them cannot be read.
var errFrame = errors.New("the input is not a sequence of frames")

// readSizes reads the first bytes of a frame: the sizes of its head and its body. At the
// end of the input it returns io.EOF.
func readSizes(r io.Reader) (head, body int64, err error) {
	var sizes [8]byte
	if n, err := io.ReadFull(r, sizes[:]); err != nil {
		if n == 0 && err == io.EOF {
			return 0, 0, err
		}
		return 0, 0, truncated(err)
	}
	head, body = int64(binary.BigEndian.Uint32(sizes[:])), int64(binary.BigEndian.Uint32(sizes[4:]))
	if head > maxHead {
		return 0, 0, fmt.Errorf("%w: a head of %d bytes is announced, and at most %d are allowed; see docs/pipe.md", errFrame, head, maxHead)
	}
	return head, body, nil
}

// readFull reads bytes that must be there. Memory grows as they arrive, so that a size
// alone takes none.
func readFull(r io.Reader, size int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(size, 1<<20)) + bytes.MinRead)
	if _, err := io.CopyN(&b, r, size); err != nil {
		return nil, truncated(err)
	}
	return b.Bytes(), nil
}

// truncated describes an error of the input inside a frame.
func truncated(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%w: it ends inside a frame", errFrame)
	}
	return fmt.Errorf("reading requests: %w", err)
}

// writeFrame writes a frame.
func writeFrame(w *bufio.Writer, head any, body []byte) error {
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	sizes := binary.BigEndian.AppendUint32(w.AvailableBuffer(), uint32(len(text)))
	_, _ = w.Write(binary.BigEndian.AppendUint32(sizes, uint32(len(body))))
	_, _ = w.Write(text)
	_, err = w.Write(body) // which fails if one before it has
	return err
}

// writeHello writes the first frame.
func writeHello(w *bufio.Writer, window int) error {
	err := writeFrame(w, struct {
		Hello    string `json:"hello"`
		Protocol int    `json:"protocol"`
		Version  string `json:"version"`
		Window   int    `json:"window"` // requests that are read without an answer being taken
	}{"lede pipe", Protocol, version.Get(), window}, nil)
	if err == nil {
		err = w.Flush()
	}
	return err
}
