package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Record is one record of an archive.
type Record struct {
	Version     string // such as "1.0"
	Type        string // in lower case: "response", "resource", "request" …
	ID          string // without angle brackets; "" if the record has none
	TargetURI   string
	Date        time.Time // zero if the record has none that can be read
	ContentType string    // of the block, as written
	Length      int64     // of the block, as the header says
	Header      Header

	// Offset is where the record begins in the input, as an index has it. It is
	// -1 for a record within a gzip member or a zstd frame that another record
	// began: nothing can point there.
	Offset int64

	// Size is the number of bytes that the record takes in the input, packed as
	// it is. It is 0 until Body was read to its end, and when Offset is -1.
	Size int64

	// Truncated is the reason that the crawler gave for storing only a part:
	// "length", "time", "disconnect" … It is "" for a whole block.
	Truncated string

	// Body is the block. It is good until the next call of Next.
	Body io.Reader

	reader *Reader
}

// newRecord reads the fields that all records share.
func newRecord(version string, h Header) *Record {
	return &Record{
		Version:     version,
		Header:      h,
		Type:        strings.ToLower(h.Get("WARC-Type")),
		ID:          bare(h.Get("WARC-Record-ID")),
		TargetURI:   bare(h.Get("WARC-Target-URI")), // in brackets in the grammar of 1.0, and from Wget
		Date:        parseDate(h.Get("WARC-Date")),
		ContentType: h.Get("Content-Type"),
		Truncated:   strings.ToLower(h.Get("WARC-Truncated")),
	}
}

func bare(uri string) string {
	return strings.TrimSuffix(strings.TrimPrefix(uri, "<"), ">")
}

// parseDate takes every precision that WARC 1.1 allows, from the year to
// fractions of a second.
func parseDate(s string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

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

// body is the block of a record. At its end it looks whether the record ends
// there too, so that a wrong length is noticed by whoever reads it.
type body struct {
	r     *Reader
	rec   *Record
	begin int64 // of the block in the input, for a plain record
	left  int64
	check *check // of the block's digest; nil if there is none to check
	err   error  // what every further Read returns
}

func newBody(r *Reader, rec *Record) *body {
	b := &body{r: r, rec: rec, begin: r.in.pos(), left: rec.Length}
	if r.opts.CheckDigests {
		b.check = newCheck(rec.Header.Get("WARC-Block-Digest"))
	}
	return b
}

func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	if b.left == 0 {
		b.err = b.finish()
		return 0, b.err
	}
	if len(p) == 0 {
		return 0, nil
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.r.u.plain.Read(p)
	b.left -= int64(n)
	if b.check != nil {
		b.check.Write(p[:n])
	}
	if err != nil {
		b.err = b.broken(err)
	}
	return n, b.err
}

// leave reads what is left and makes the body useless.
func (b *body) leave() {
	if b.err == nil && b.check == nil {
		if err := b.discard(); err != nil {
			b.err = b.broken(err)
		}
	}
	if b.err == nil {
		io.Copy(io.Discard, struct{ io.Reader }{b})
	}
	b.err = &Error{Offset: b.rec.Offset, ID: b.rec.ID, Kind: ErrLeft,
		Reason: "its body is gone; read it before the next record"}
}

func (b *body) discard() error {
	for b.left > 0 {
		n, err := b.r.u.plain.Discard(int(min(b.left, 1<<30)))
		b.left -= int64(n)
		if err != nil {
			return err
		}
	}
	return nil
}

// finish is called at the end of the block. The record must end here too: with
// its piece or before another record. In a plain file garbage may follow.
func (b *body) finish() error {
	u := &b.r.u
	end, _ := u.plain.Peek(4)
	ended := string(end) == "\r\n\r\n"
	u.plain.Discard(len(end) - len(bytes.TrimLeft(end, "\r\n")))
	if !u.packed() {
		b.rec.Size = b.r.in.pos() - b.rec.Offset
	}
	err := skipBlank(u.plain)
	next, _ := u.plain.Peek(5)
	switch {
	case err == io.EOF && u.packed():
		if b.rec.Offset >= 0 {
			b.rec.Size = b.r.in.pos() - b.rec.Offset
		}
		u.close()
	case err == io.EOF:
	case err != nil:
		return b.broken(err)
	case string(next) != "WARC/" && (!ended || u.packed() || b.swallowed()):
		b.rec.Size = 0
		return b.wrongLength("goes on behind")
	}
	if b.check != nil && !b.check.matches() {
		return b.r.digestFault(b.rec, "block")
	}
	return io.EOF
}

// swallowed looks whether a plain block holds the beginning of another record:
// a length may be wrong and yet end at two newlines by chance.
func (b *body) swallowed() bool {
	in := b.r.in
	here := in.pos()
	if !in.rewind(b.begin) {
		return false
	}
	if err := b.r.findPiece(); err == nil && in.pos() < b.begin+b.rec.Length {
		return true
	}
	in.seek(here)
	return false
}

// broken tells why the block ended before its length.
func (b *body) broken(err error) error {
	r := b.r
	switch {
	case err == io.EOF && r.u.packed():
		return b.wrongLength("ends before")
	case err == io.EOF:
		r.lost = betweens
		r.in.rewind(b.begin)
		e := &Error{Offset: b.rec.Offset, ID: b.rec.ID, Kind: ErrTruncated, Err: io.ErrUnexpectedEOF,
			Reason: fmt.Sprintf("the input ends %d bytes before the record does; fetch the file again", b.left)}
		r.skip(&r.stats.Skipped.Truncated, e)
		return e
	}
	begin := b.rec.Offset
	if r.u.packed() {
		begin = r.u.begin
	}
	return r.packingFault(begin, err)
}

// wrongLength notes a record that is not as long as it says. In a plain file
// the length may have swallowed other records; a packed one ends with its piece.
func (b *body) wrongLength(how string) error {
	r := b.r
	e := &Error{Offset: b.rec.Offset, ID: b.rec.ID, Kind: ErrMalformed,
		Reason: fmt.Sprintf("the record %s the %d bytes that it says; looking for the next record", how, b.rec.Length)}
	r.skip(&r.stats.Skipped.Length, e)
	if r.lost = inPiece; !r.u.packed() {
		r.lost = betweens
		r.in.rewind(b.begin)
	}
	return e
}
