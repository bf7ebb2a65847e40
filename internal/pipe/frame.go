// Package pipe is lede as a process for programs in other languages: it reads requests
// from one pipe and writes answers to another. docs/pipe.md describes the protocol.
package pipe

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// maxHead is the largest head of a frame, in bytes.
const maxHead = 1 << 20

// errFrame is the error of bytes that are no frame. What follows them cannot be read.
var errFrame = errors.New("this is no frame")

// frame is a message: a head in JSON, and a body of any bytes.
type frame struct {
	head, body []byte
	skipped    int64 // size of a body that was too large, and is not there
}

// readFrame reads a frame. At the end it returns io.EOF, and in the middle of a frame
// io.ErrUnexpectedEOF.
func readFrame(r io.Reader, maxBody int64) (f frame, err error) {
	var sizes [8]byte
	if _, err := io.ReadFull(r, sizes[:]); err != nil {
		return f, err
	}
	head, body := binary.BigEndian.Uint32(sizes[:]), int64(binary.BigEndian.Uint32(sizes[4:]))
	if head > maxHead {
		return f, fmt.Errorf("%w: its head would have %d bytes, and %d are allowed", errFrame, head, maxHead)
	}
	f.head = make([]byte, head)
	if err := readFull(r, f.head); err != nil {
		return f, err
	}
	if body > maxBody {
		f.skipped = body
		_, err = io.CopyN(io.Discard, r, body)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return f, err
	}
	f.body = make([]byte, body)
	return f, readFull(r, f.body)
}

// readFull fills b, which must be there.
func readFull(r io.Reader, b []byte) error {
	_, err := io.ReadFull(r, b)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// appendSizes appends the first bytes of a frame.
func appendSizes(b []byte, head, body int) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(head))
	return binary.BigEndian.AppendUint32(b, uint32(body))
}
