package warc

import (
	"bufio"
	"bytes"
	"io"
)

// skipBlank passes over empty lines between records.
func skipBlank(r *bufio.Reader) error {
	for {
		b, err := r.Peek(1)
		if len(b) == 0 {
			return err
		}
		if b[0] != '\r' && b[0] != '\n' {
			return nil
		}
		r.Discard(1)
	}
}

// enough is how many bytes tell whether something begins: "WARC/1.0", a newline
// of two bytes, a letter.
const enough = 11

// isRecord holds for the first line of a record and the beginning of a field. It
// need not stand at the beginning of a line: what came before may be cut off.
func isRecord(b []byte) bool {
	if len(b) < enough || string(b[:5]) != "WARC/" || !isDigit(b[5]) || b[6] != '.' || !isDigit(b[7]) {
		return false
	}
	rest := bytes.TrimLeft(b[8:enough], "0123456789")
	return len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r')
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// look is how many bytes begins may want to see.
const look = 4 << 10

// search goes forward to the first place where something begins, in one pass
// whatever the bytes are. candidate gives the index of a likely place, or -1;
// begins looks closer.
func search(r *bufio.Reader, candidate func([]byte) int, begins func([]byte) bool) error {
	for {
		window, err := r.Peek(bufferSize)
		if len(window) == 0 {
			return err
		}
		at := 0
		for {
			i := candidate(window[at:])
			if i < 0 {
				at = max(at, len(window)-enough+1) // what is left is too short to be known
				if err != nil {
					at = len(window)
				}
				break
			}
			if at += i; err == nil && at > len(window)-look {
				break // see more of it
			}
			if begins(window[at:]) {
				r.Discard(at)
				return nil
			}
			at++
		}
		r.Discard(at)
	}
}

// findRecord goes forward in unpacked bytes to the next record.
func findRecord(r *bufio.Reader) error {
	candidate := func(b []byte) int {
		for at := 0; ; at++ {
			i := bytes.Index(b[at:], []byte("WARC/"))
			if i < 0 {
				return -1
			}
			if at += i; isRecord(b[at:]) {
				return at
			}
		}
	}
	return search(r, candidate, isRecord)
}

// findPiece goes forward in the input to where a gzip member, a zstd frame or a
// plain record begins.
func (r *Reader) findPiece() error { return search(r.in.Reader, candidatePiece, r.begins) }

func candidatePiece(b []byte) int {
	for i, c := range b {
		switch c {
		case 0x1f:
			if isGzip(b[i:]) {
				return i
			}
		case 0x28:
			if isZstd(b[i:]) {
				return i
			}
		case 'W':
			if isRecord(b[i:]) {
				return i
			}
		}
	}
	return -1
}

// begins tells a piece from bytes that happen to look like one. Of zstd a whole
// block would have to be unpacked to know, so its name is believed.
func (r *Reader) begins(window []byte) bool {
	if !isGzip(window) {
		return true
	}
	// The flags and the level that encoders write; trying costs far more.
	if len(window) < 18 || window[3]&0xe0 != 0 || window[8]&^6 != 0 {
		return false
	}
	err := r.trial.Reset(bytes.NewReader(window))
	var first [5]byte
	if err == nil {
		_, err = io.ReadFull(r.trial, first[:])
	}
	return err == nil && string(first[:]) == "WARC/"
}
