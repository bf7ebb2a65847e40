package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/klauspost/compress/gzip"
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
	in := newInput(r)
	return &Reader{opts: opts.withDefaults(), in: in, dec: decompressor{in: in}}
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
		if err := r.dec.open(); err != nil {
			return nil, r.openError(err)
		}
	}
	if err := skipBlank(r.dec.plain); err != nil {
		return nil, r.endMember(err)
	}
	offset := r.offset()
	rec, err := r.readHeader()
	if err != nil {
		return nil, r.headerError(offset, err)
	}
	r.packed = r.packed || r.dec.compressed()
	rec.Offset, rec.reader = offset, r
	r.block = &blockReader{r: r, rec: rec, begin: r.in.pos(), left: rec.ContentLength}
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

var (
	errNoVersion  = errors.New("it does not begin with WARC/ and a version")
	errTwoHeaders = errors.New("it contains the header of another record")
	errNoType     = errors.New("it has no WARC-Type")
	errNoLength   = errors.New("it has no valid Content-Length")
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
func (r *Reader) endMember(err error) error {
	if err != io.EOF {
		r.corrupt(err)
	}
	r.dec.close()
	return nil
}

// openError handles an error of opening a member.
func (r *Reader) openError(err error) error {
	switch {
	case err == io.EOF:
		return io.EOF
	case errors.Is(err, errUnknownFormat):
		r.skip(&Error{Offset: r.in.pos(), Kind: ErrMalformed, Err: err,
			Reason: "no record begins here; searching for the next one"})
	default:
		r.corrupt(err)
	}
	return nil
}

// headerError handles an unusable header.
func (r *Reader) headerError(offset int64, err error) error {
	e := &Error{Offset: offset, Kind: ErrMalformed, Err: err,
		Reason: "the record has an unusable header; searching for the next record"}
	switch err {
	case errNoVersion, errTwoHeaders, errNoType, errNoLength, errLongHeader, errShortHeader:
		if !r.dec.compressed() {
			r.in.rewind(offset + 1)
			if err == errShortHeader {
				e.Kind, e.Reason = ErrTruncated, "the input is cut off; fetch the file again"
			}
		}
		r.skip(e)
	default:
		r.corrupt(err)
	}
	return nil
}

// corrupt reports compressed data that cannot be read further. The decompressor
// may have read past the beginning of the next member, so the search begins
// inside the damaged one, if the input can seek.
func (r *Reader) corrupt(err error) *Error {
	e := &Error{Offset: r.dec.begin, Kind: ErrMalformed, Err: err,
		Reason: "the compressed data is corrupt; searching for the next record"}
	if r.block != nil {
		e.ID = r.block.rec.ID
	}
	switch {
	case r.in.err != nil:
		e.Kind, e.Err, e.Reason = ErrTruncated, errors.Join(ErrInput, r.in.err), "the input cannot be read further"
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Kind, e.Reason = ErrTruncated, "the compressed data is cut off; fetch the file again"
	}
	r.dec.close()
	if r.in.rewind(r.dec.begin + 1); r.in.pos() == r.dec.begin {
		r.in.Discard(1) // so that the search moves forward
	}
	return r.skip(e)
}

// skip counts and reports damage. Further errors before the next good record
// belong to the same damage and are not counted.
func (r *Reader) skip(e *Error) *Error {
	if !r.damaged {
		r.stats.Damaged++
	}
	r.damaged, r.searching = true, true
	r.opts.OnError(e)
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
		return r.endMember(err)
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
