package warc

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/klauspost/compress/gzip"

	"github.com/lede-news/lede/internal/page/limits"
)

// Reader reads the records of an archive. It is not safe for concurrent use.
type Reader struct {
	opts      Options
	in        *input
	dec       decompressor
	stats     Stats
	block     *blockReader // of the record returned last
	err       error        // returned by every further call of Next
	searching bool         // the next record must be searched for
	damaged   bool         // damage was counted and no record found since
	packed    bool         // a compressed record was read
	probe     gzip.Reader  // tests whether bytes are a gzip member
}

// NewReader returns a Reader that reads from r. Offsets count from the first byte that is
// read.
func NewReader(r io.Reader, opts Options) *Reader {
	opts.MaxPage = cmp.Or(opts.MaxPage, limits.PageBytes)
	in := newInput(r)
	return &Reader{opts: opts, in: in, dec: decompressor{in: in}}
}

// Stats returns the counts so far.
func (r *Reader) Stats() Stats {
	r.stats.Bytes = r.in.high
	return r.stats
}

// Next returns the next record and discards what is unread of the previous one.
// At the end it returns io.EOF. Any other error concerns the input as a whole and
// is returned by all further calls: ErrInput if it cannot be read, ErrNotWARC if
// it holds no record at all.
func (r *Reader) Next() (*Record, error) {
	if r.block != nil {
		r.block.close()
		r.block = nil
	}
	for r.err == nil {
		rec, err := r.next()
		if rec != nil {
			r.stats.Records++
			r.damaged = false
			return rec, nil
		}
		if r.in.err != nil {
			err = r.in.err
		}
		switch n := r.Stats().Bytes; {
		case err == io.EOF && r.stats.Records == 0 && n > 0:
			r.err = &Error{Offset: -1, Kind: ErrNotWARC, Reason: fmt.Sprintf("no record in %d bytes; is this a WARC file?", n)}
		case err == io.EOF:
			r.err = io.EOF
		case err != nil:
			r.err = &Error{Offset: r.in.end, Kind: ErrInput, Err: err,
				Reason: "the input cannot be read further; try again from the last good record"}
		}
	}
	return nil, r.err
}

// next makes one step: it returns a record, or nil after damage that was reported
// and after which the next call continues. It returns io.EOF at the end of the input.
func (r *Reader) next() (*Record, error) {
	if r.searching {
		r.searching = false
		if err := r.search(); err != nil || r.searching {
			return nil, err
		}
	}
	// In an uncompressed file, any of the following records may be compressed.
	if !r.dec.compressed() {
		switch err := r.dec.open(); {
		case err == io.EOF:
			return nil, err
		case err != nil:
			r.damage(r.dec.begin, "", err)
			return nil, nil
		}
	}
	if err := skipBlank(r.dec.plain); err != nil {
		r.endMember(err)
		return nil, nil
	}
	offset := r.offset()
	rec, err := r.readHeader()
	if err != nil {
		r.damage(offset, "", err)
		return nil, nil
	}
	r.packed = r.packed || r.dec.compressed()
	rec.Offset, rec.reader = offset, r
	r.block = &blockReader{r: r, rec: rec, left: rec.ContentLength}
	rec.Block = r.block
	return rec, nil
}

// offset returns the offset of the record that begins at the current position,
// or -1 if it has none.
func (r *Reader) offset() int64 {
	if !r.dec.compressed() {
		return r.in.pos()
	}
	if r.dec.fresh {
		return r.dec.begin
	}
	return -1
}

// malformed is an error of a record in data that can be read further.
type malformed string

func (m malformed) Error() string { return string(m) }

const (
	errUnknownFormat = malformed("neither a WARC record nor gzip nor zstd data")
	errNoVersion     = malformed("it does not begin with WARC/ and a version")
	errTwoHeaders    = malformed("it contains the header of another record")
	errNoType        = malformed("it has no WARC-Type")
	errNoLength      = malformed("it has no valid Content-Length")
	errLongHeader    = malformed("its header has more than 1 MiB or 2000 fields")
	errShortHeader   = malformed("it ends inside its header")
	errLongBlock     = malformed("it is longer than its Content-Length")
	errShortBlock    = malformed("it is shorter than its Content-Length")
)

// readHeader reads the header of a record.
func (r *Reader) readHeader() (*Record, error) {
	l := &headerReader{r: r.dec.plain}
	first, err := l.next()
	if err != nil {
		return nil, err
	}
	version, ok := bytes.CutPrefix(first, []byte("WARC/"))
	if !ok || len(version) == 0 || len(version) > 8 || !isDigit(version[0]) {
		return nil, errNoVersion
	}
	r.dec.fresh = false
	h, err := readFields(l)
	if err != nil {
		return nil, err
	}
	rec := newRecord(h)
	switch {
	case rec.Type == "":
		return nil, errNoType
	case len(h.Values("WARC-Type")) > 1 || len(h.Values("WARC-Record-ID")) > 1:
		return nil, errTwoHeaders // the first was truncated
	}
	n, err := strconv.ParseUint(h.Get("Content-Length"), 10, 63) // which rejects signs
	if err != nil {
		return nil, errNoLength
	}
	rec.ContentLength = int64(n)
	return rec, nil
}

// endMember continues with the next member after err ended the current one.
func (r *Reader) endMember(err error) {
	if err != io.EOF {
		r.damage(r.dec.begin, "", err)
	}
	r.dec.close()
}

// damage counts and reports damage of the record at an offset, and begins to search for
// the next record. Further errors before the next good record belong to the same damage and
// are not counted.
func (r *Reader) damage(offset int64, id string, err error) *Error {
	e := &Error{Offset: offset, ID: id, Kind: ErrMalformed, Err: err, Reason: "the record is damaged; searching for the next one"}
	switch {
	case r.in.err != nil:
		e.Kind, e.Err, e.Reason = ErrTruncated, errors.Join(ErrInput, r.in.err), "the input cannot be read further"
	case errors.Is(err, io.ErrUnexpectedEOF), err == errShortHeader && !r.dec.compressed():
		e.Kind, e.Reason = ErrTruncated, "the data is cut off; fetch the file again"
	}
	switch {
	case !r.dec.compressed(): // a wrong length may have covered other records
		r.in.rewind(offset + 1)
	case !errors.As(err, new(malformed)): // the decompressor may have read past the beginning of the next member
		e.Offset = r.dec.begin
		r.dec.close()
		r.in.rewind(r.dec.begin + 1)
	}
	if !r.damaged {
		r.stats.Damaged++
	}
	r.damaged, r.searching = true, true
	if r.opts.OnError != nil {
		r.opts.OnError(e)
	}
	return e
}

// skipBlank skips empty lines between records.
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

// search advances to the next record of the current member, if it is compressed,
// or to the next member of the input.
func (r *Reader) search() error {
	if !r.dec.compressed() {
		return find(r.in.Reader, r.isMember)
	}
	if err := find(r.dec.plain, isRecord); err != nil {
		r.endMember(err)
	}
	return nil
}

// lookahead is how many bytes find passes to begins, unless the input ends.
const lookahead = 4 << 10

// find advances r to the first position where begins holds, in one pass.
func find(r *bufio.Reader, begins func([]byte) bool) error {
	for {
		window, err := r.Peek(bufferSize)
		if len(window) == 0 {
			return err
		}
		n := len(window)
		if err == nil {
			n -= lookahead
		}
		for at := range n {
			if begins(window[at:]) {
				r.Discard(at)
				return nil
			}
		}
		r.Discard(n)
	}
}

// isRecord reports whether b begins with the first line of a record. It need not
// be at the beginning of a line, since the previous record may be truncated.
func isRecord(b []byte) bool {
	const size = len("WARC/1.0\r\n") + 1
	if b[0] != 'W' || len(b) < size || string(b[:5]) != "WARC/" || !isDigit(b[5]) || b[6] != '.' || !isDigit(b[7]) {
		return false
	}
	rest := bytes.TrimLeft(b[8:size], "0123456789")
	return len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r')
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isMember reports whether b begins with a gzip member, a zstd frame or an
// uncompressed record. A member may hold its records as they are (gzip level 0), and
// those must not be found again: once a compressed record was read, uncompressed
// ones do not count. A zstd frame is recognized by its magic number alone, since
// testing it would require decompressing a whole block.
func (r *Reader) isMember(b []byte) bool {
	switch b[0] {
	case 'W':
		return !r.packed && isRecord(b)
	case zstdMagic[0]:
		return isZstd(b)
	case 0x1f:
		// The flags and levels that encoders write: cheaper to test than to decompress.
		if !isGzip(b) || len(b) < 18 || b[3]&0xe0 != 0 || b[8]&^6 != 0 {
			return false
		}
		var first [5]byte
		err := r.probe.Reset(bytes.NewReader(b))
		if err == nil {
			_, err = io.ReadFull(&r.probe, first[:])
		}
		return err == nil && string(first[:]) == "WARC/"
	}
	return false
}
