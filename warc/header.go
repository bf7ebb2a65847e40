package warc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// Field is one line of a record's header.
type Field struct{ Name, Value string }

// Header holds the named fields of a record in their order.
type Header []Field

// Get returns the first value of a field; case does not matter.
func (h Header) Get(name string) string {
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Values returns all values of a field; case does not matter.
func (h Header) Values(name string) []string {
	var values []string
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			values = append(values, f.Value)
		}
	}
	return values
}

// maxHeader bounds a header, of a record or of an HTTP answer. Long data URLs
// and cookies fit; a binary file without a newline does not fill the memory.
const (
	maxHeader = 1 << 20
	maxFields = 2000
)

var (
	errLongHeader  = errors.New("its header has more than 1 MiB or 2000 fields")
	errShortHeader = errors.New("it ends within its header")
)

// lines reads the lines of a header up to the empty one, within maxHeader.
type lines struct {
	r    *bufio.Reader
	size int
	long []byte // a line that was longer than the reader's buffer
}

// next returns a line without its end, valid until the next call.
func (l *lines) next() ([]byte, error) {
	l.long = l.long[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		if l.size += len(part); l.size > maxHeader {
			return nil, errLongHeader
		}
		if err == bufio.ErrBufferFull || len(l.long) > 0 {
			l.long = append(l.long, part...)
			part = l.long
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF:
			return nil, errShortHeader
		case err != nil:
			return nil, err
		}
		return bytes.TrimRight(part, "\r\n"), nil
	}
}

// readFields reads named fields up to the empty line. Lines that are none are
// left out: archives hold what servers and crawlers wrote.
func readFields(l *lines) (Header, error) {
	var h Header
	for {
		line, err := l.next()
		if err != nil {
			return h, err
		}
		if len(line) == 0 {
			return h, nil
		}
		if line[0] == ' ' || line[0] == '\t' {
			if len(h) > 0 {
				last := &h[len(h)-1]
				last.Value = strings.TrimSpace(last.Value + " " + string(bytes.TrimSpace(line)))
			}
			continue
		}
		name, value, ok := strings.Cut(string(line), ":")
		if name = strings.TrimSpace(name); !ok || name == "" {
			continue
		}
		if len(h) == maxFields {
			return h, errLongHeader
		}
		h = append(h, Field{name, strings.TrimSpace(value)})
	}
}
