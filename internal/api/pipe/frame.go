// Package pipe is lede as a process for programs in other languages: it reads requests
// from one pipe and writes answers to another. docs/pipe.md describes the protocol.
package pipe

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

const (
	// maxHead is the largest head of a frame, in bytes.
	maxHead = 1 << 20
	// step is the memory that a frame gets before any of its bytes have arrived. It is
	// doubled as they do, so that a size alone takes no memory.
	step = 1 << 20
	// bufferSize is that of the buffers of the pipes.
	bufferSize = 256 << 10
)

// errFrame is the error of bytes that are no frame. What follows them cannot be read.
var errFrame = errors.New("the input is not a sequence of frames")

// readSizes reads the first bytes of a frame: the sizes of its head and its body. At the
// end of the input it returns io.EOF.
func readSizes(r io.Reader) (head, body int64, err error) {
	var sizes [8]byte
	if _, err := io.ReadFull(r, sizes[:]); err != nil {
		return 0, 0, cutOff(err, false)
	}
	head, body = int64(binary.BigEndian.Uint32(sizes[:])), int64(binary.BigEndian.Uint32(sizes[4:]))
	if head > maxHead {
		return 0, 0, fmt.Errorf("%w: a head of %d bytes is announced, and at most %d are allowed; see docs/pipe.md", errFrame, head, maxHead)
	}
	return head, body, nil
}

// readFull reads bytes that must be there. It uses the memory of b.
func readFull(r io.Reader, b []byte, size int64) ([]byte, error) {
	b = b[:0]
	for int64(len(b)) < size {
		if len(b) == cap(b) {
			b = slices.Grow(b, int(min(size-int64(len(b)), int64(max(step, len(b))))))
		}
		n, err := io.ReadFull(r, b[len(b):min(int64(cap(b)), size)])
		if b = b[:len(b)+n]; err != nil {
			return nil, cutOff(err, true)
		}
	}
	return b, nil
}

// skip skips bytes that must be there.
func skip(r *bufio.Reader, size int64) error {
	for size > 0 {
		n, err := r.Discard(int(min(size, 1<<30)))
		if size -= int64(n); err != nil {
			return cutOff(err, true)
		}
	}
	return nil
}

// cutOff describes an error of the input. Its end is an error only inside a frame.
func cutOff(err error, inside bool) error {
	if err == io.EOF && !inside {
		return err
	}
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
