package warc

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/lede-news/lede/internal/crawl/coding"
)

// Record is a WARC record.
type Record struct {
	Type          string // in lower case: "response", "resource", "request" …
	ID            string // without angle brackets; "" if missing
	TargetURI     string
	Date          time.Time // zero if missing or invalid
	ContentType   string    // of the block, as written
	ContentLength int64     // of the block, as written
	Header        Header

	// Offset is where the record begins in the input, as an index has it. It is
	// -1 for a record that is not the first in its gzip member or zstd frame.
	Offset int64

	// Truncated is the crawler's reason for storing only a part of the block:
	// "length", "time", "disconnect" … It is "" for a complete block.
	Truncated string

	// Block reads the content block. It is valid until the next call of Next.
	Block io.Reader

	reader *Reader
}

// newRecord returns a record with the fields that all types of records have.
func newRecord(h Header) *Record {
	return &Record{
		Header:      h,
		Type:        strings.ToLower(h.Get("WARC-Type")),
		ID:          trimBrackets(h.Get("WARC-Record-ID")),
		TargetURI:   trimBrackets(h.Get("WARC-Target-URI")), // has them in the grammar of 1.0, and from Wget
		Date:        parseDate(h.Get("WARC-Date")),
		ContentType: h.Get("Content-Type"),
		Truncated:   strings.ToLower(h.Get("WARC-Truncated")),
	}
}

func trimBrackets(uri string) string {
	return strings.TrimSuffix(strings.TrimPrefix(uri, "<"), ">")
}

// parseDate accepts every precision that WARC 1.1 allows, from the year to
// fractions of a second.
func parseDate(s string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// Field is a named field of a header.
type Field struct{ Name, Value string }

// Header is the named fields of a record, in order.
type Header []Field

// Get returns the first value of the named field, or "". Names are
// case-insensitive.
func (h Header) Get(name string) string {
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Values returns all values of the named field. Names are case-insensitive.
func (h Header) Values(name string) []string {
	var values []string
	for _, f := range h {
		if strings.EqualFold(f.Name, name) {
			values = append(values, f.Value)
		}
	}
	return values
}

// Limits of a header, of a record or of an HTTP response: enough for long data
// URLs and cookies, and small enough for a binary file without line breaks.
const (
	maxHeader = 1 << 20
	maxFields = 2000
)

// headerReader reads the lines of a header, up to maxHeader bytes.
type headerReader struct {
	r    *bufio.Reader
	size int
	long []byte // a line that is longer than the buffer of r
}

// next returns a line without its end. It is valid until the next call.
func (l *headerReader) next() ([]byte, error) {
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

// readFields reads named fields up to an empty line. It ignores malformed lines,
// which servers and crawlers do write.
func readFields(l *headerReader) (Header, error) {
	var h Header
	for {
		line, err := l.next()
		if err != nil || len(line) == 0 {
			return h, err
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

// Fields returns the named fields that the block of a warcinfo or metadata record
// consists of (application/warc-fields). It reads the block, so it can be called once.
// The error is ErrMalformed if the block is something else.
func (rec *Record) Fields() (Header, error) {
	if media, _ := coding.ContentType(rec.ContentType); media != warcFields {
		return nil, fmt.Errorf("%w: a block of type %.100q has no named fields", ErrMalformed, rec.ContentType)
	}
	lines := io.MultiReader(rec.Block, strings.NewReader("\n\n"))
	return readFields(&headerReader{r: bufio.NewReader(lines)})
}

// blockReader reads the block of a record. At its end it checks that the record
// ends there too, so that a wrong Content-Length is an error of Read.
type blockReader struct {
	r    *Reader
	rec  *Record
	left int64
	err  error // returned by every further Read
}

func (b *blockReader) Read(p []byte) (int, error) {
	if b.err != nil || len(p) == 0 {
		return 0, b.err
	}
	n, err := 0, error(nil)
	if b.left > 0 {
		n, err = b.r.dec.plain.Read(p[:min(int64(len(p)), b.left)])
		b.left -= int64(n)
		switch {
		case err == io.EOF && b.r.dec.compressed():
			err = errShortBlock
		case err == io.EOF:
			err = io.ErrUnexpectedEOF
		}
	} else {
		err = b.finish()
	}
	if b.err = err; err != nil && err != io.EOF {
		b.err = b.r.damage(b.rec.Offset, b.rec.ID, err)
	}
	return n, b.err
}

// finish is called at the end of the block. The record must end there too: at
// the end of its member or before another record. Two line breaks end an
// uncompressed record whatever follows, which may be garbage.
func (b *blockReader) finish() error {
	dec := &b.r.dec
	end, _ := dec.plain.Peek(4)
	ended := string(end) == "\r\n\r\n" && !dec.compressed()
	err := skipBlank(dec.plain)
	next, _ := dec.plain.Peek(5)
	switch {
	case err == io.EOF && dec.compressed():
		dec.close()
	case err == nil && string(next) != "WARC/" && !ended:
		return errLongBlock
	case err == nil:
		return io.EOF
	}
	return err
}

// close discards the rest of the block. Further reads fail.
func (b *blockReader) close() {
	_, _ = io.Copy(io.Discard, b) // Options.OnError has the error
	b.err = os.ErrClosed
}
