package warc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lede-news/lede/internal/inflate"
)

// Reader reads the records of an archive. It is not safe for concurrent use.
type Reader struct {
	opts     Options
	in       *input
	dec      decompressor
	stats    Stats
	block    *blockReader // of the record returned last
	err      error        // returned by every further call of Next
	search   search
	skipping bool         // an error was counted and no record found since
	probe    *gzip.Reader // tests whether bytes are a gzip member
	plain    int64        // offset from which the search accepts uncompressed records
}

// search is how the next record is found.
type search int

const (
	noSearch     search = iota // the next record begins at the current position
	searchMember               // search the decompressed bytes of the current member
	searchInput                // search the input
)

// NewReader returns a Reader that reads from r. If r is an io.Seeker, offsets
// count from its beginning, otherwise from the first byte that is read.
func NewReader(r io.Reader, opts Options) *Reader {
	in := newInput(r)
	return &Reader{opts: opts.withDefaults(), in: in, dec: decompressor{in: in}, probe: new(gzip.Reader)}
}

// RecordAt returns the record at an offset, as found in an index. Its block may
// be read for as long as r is open.
func RecordAt(r io.ReaderAt, offset int64, opts Options) (*Record, error) {
	missing := &Error{Offset: offset, Kind: ErrMalformed,
		Reason: "no record begins here; does the index belong to this file?"}
	section := io.NewSectionReader(r, 0, math.MaxInt64)
	if _, err := section.Seek(offset, io.SeekStart); err != nil {
		missing.Err = err
		return nil, missing
	}
	opts = opts.withDefaults()
	onError := opts.OnError
	opts.OnError = func(e *Error) {
		missing.Err = e
		onError(e)
	}
	reader := NewReader(section, opts)
	rec, err := reader.next()
	switch {
	case reader.in.err != nil:
		return nil, reader.inputError()
	case rec == nil:
		if missing.Err == nil {
			missing.Err = err
		}
		return nil, missing
	}
	return rec, nil
}

// Stats returns the counts so far.
func (r *Reader) Stats() Stats {
	s := r.stats
	s.Bytes = r.in.high - r.in.start
	return s
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
		switch {
		case err == nil && rec != nil:
			r.stats.Records++
			r.skipping = false
			return rec, nil
		case r.in.err != nil:
			r.err = r.inputError()
		case err == io.EOF:
			r.err = io.EOF
			if n := r.Stats().Bytes; r.stats.Records == 0 && n > 0 {
				r.err = &Error{Offset: -1, Kind: ErrNotWARC, Reason: fmt.Sprintf("no record in %d bytes; is this a WARC file?", n)}
			}
		case err != nil:
			r.in.err = err // such as io.ErrNoProgress
			r.err = r.inputError()
		}
	}
	return nil, r.err
}

func (r *Reader) inputError() error {
	return &Error{Offset: r.in.end, Kind: ErrInput, Err: r.in.err,
		Reason: "the input cannot be read further; try again from the last good record"}
}

// next makes one step: it returns a record, or nil after an error that was
// reported and after which the next call continues. It returns io.EOF at the end
// of the input.
func (r *Reader) next() (*Record, error) {
	search := r.search
	r.search = noSearch
	if search == searchMember && r.dec.compressed() {
		if err := findRecord(r.dec.plain); err != nil {
			return nil, r.endMember(err)
		}
	} else if search != noSearch {
		r.dec.close()
		if err := r.findMember(); err != nil {
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
	rec.Offset, rec.reader = offset, r
	r.block = newBlockReader(r, rec)
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
	v := strings.TrimSpace(string(version))
	h, err := readFields(l)
	if err != nil {
		return nil, err
	}
	rec := newRecord(v, h)
	switch {
	case rec.Type == "":
		return nil, errNoType
	case len(h.Values("WARC-Type")) > 1 || len(h.Values("WARC-Record-ID")) > 1:
		return nil, errTwoHeaders // the first was cut off
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
	begin := r.dec.begin
	r.dec.close()
	if err != io.EOF {
		r.decompressError(begin, err)
	}
	return nil
}

// openError handles an error of opening a member.
func (r *Reader) openError(err error) error {
	switch {
	case err == io.EOF:
		return io.EOF
	case errors.Is(err, errUnknownFormat):
		r.search = searchInput
		r.skip(&r.stats.BadHeaders, &Error{Offset: r.in.pos(), Kind: ErrMalformed, Err: err,
			Reason: "no record begins here; searching for the next one"})
		return nil
	}
	r.decompressError(r.dec.begin, err)
	return nil
}

// decompressError reports compressed data that cannot be read further. The
// decompressor may have read past the beginning of the next member, so the
// search goes back, unless the member was read to its end and another follows.
//
// A member may hold its records as they are (gzip level 0, raw blocks of zstd).
// Those that were returned must not be found again.
func (r *Reader) decompressError(begin int64, err error) *Error {
	e := &Error{Offset: begin, Kind: ErrMalformed, Err: err,
		Reason: "the compressed data is corrupt; searching for the next record"}
	count := &r.stats.Corrupt
	checksum := errors.Is(err, inflate.ErrChecksum) || errors.Is(err, zstd.ErrCRCMismatch)
	if r.block != nil {
		e.ID = r.block.rec.ID
		if checksum && r.block.rec.Offset < 0 {
			e.Offset = r.in.pos()
			e.Reason = "the checksum of the compressed data is wrong: this record or one before it is damaged"
		}
	}
	switch {
	case r.in.err != nil:
		e.Kind, e.Err, e.Reason = ErrTruncated, errors.Join(ErrInput, r.in.err), "the input cannot be read further"
		count = &r.stats.Truncated
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Kind, e.Reason = ErrTruncated, "the compressed data is cut off; fetch the file again"
		count = &r.stats.Truncated
	}
	r.skip(count, e)
	r.dec.close()
	r.search = searchInput
	if !r.dec.fresh {
		r.plain = r.in.pos()
	}
	switch {
	case checksum && !r.dec.fresh && r.atMember():
	case !r.in.rewind(begin+1) && r.in.pos() == begin:
		r.in.Discard(1) // so that the search moves forward
	}
	return e
}

// atMember reports whether a member begins at the current position, or the input
// ends there.
func (r *Reader) atMember() bool {
	next, _ := r.in.Peek(lookahead)
	return len(next) == 0 || memberCandidate(next) == 0 && r.isMember(next)
}

// headerError handles an unusable header and decides where to search.
func (r *Reader) headerError(offset int64, err error) error {
	unusable := &Error{Offset: offset, Kind: ErrMalformed, Err: err,
		Reason: "the record has an unusable header; searching for the next record"}
	switch err {
	case errNoVersion, errTwoHeaders, errNoType, errNoLength, errLongHeader:
		if r.search = searchMember; !r.dec.compressed() {
			r.search = searchInput
			r.in.rewind(offset + 1)
		}
		r.skip(&r.stats.BadHeaders, unusable)
		return nil
	case errShortHeader:
		if r.dec.compressed() {
			r.skip(&r.stats.BadHeaders, unusable)
			return nil
		}
		r.skip(&r.stats.Truncated, &Error{Offset: offset, Kind: ErrTruncated, Err: err,
			Reason: "the input is cut off; fetch the file again"})
		return io.EOF
	}
	r.decompressError(r.dec.begin, err)
	return nil
}

// digestError reports bytes that do not match their digest.
func (r *Reader) digestError(rec *Record, what string) error {
	e := &Error{Offset: rec.Offset, ID: rec.ID, Kind: ErrDigest,
		Reason: "the " + what + " does not match its digest; the file was changed or damaged"}
	r.stats.BadDigests++
	r.opts.OnError(e)
	return e
}

// skip counts and reports a skipped record. Further errors before the next good
// record belong to the same damage and are not counted.
func (r *Reader) skip(count *int64, e *Error) {
	if !r.skipping {
		*count++
	}
	r.skipping = true
	r.opts.OnError(e)
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

// versionSize is how many bytes isRecord needs: "WARC/1.0", a line break of two
// bytes, and one more.
const versionSize = 11

// isRecord reports whether b begins with the first line of a record. It need not
// be at the beginning of a line, since the previous record may be cut off.
func isRecord(b []byte) bool {
	if len(b) < versionSize || string(b[:5]) != "WARC/" || !isDigit(b[5]) || b[6] != '.' || !isDigit(b[7]) {
		return false
	}
	rest := bytes.TrimLeft(b[8:versionSize], "0123456789")
	return len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r')
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// lookahead is how many bytes find passes to matches, at least, if there are so
// many.
const lookahead = 4 << 10

// find advances r to the first position where matches holds, in one pass.
// candidate returns the index of a likely position, or -1.
func find(r *bufio.Reader, candidate func([]byte) int, matches func([]byte) bool) error {
	for {
		window, err := r.Peek(bufferSize)
		if len(window) == 0 {
			return err
		}
		at := 0
		for {
			i := candidate(window[at:])
			if i < 0 {
				at = max(at, len(window)-versionSize+1) // the rest is too short to tell
				if err != nil {
					at = len(window)
				}
				break
			}
			if at += i; err == nil && at > len(window)-lookahead {
				break // read more first
			}
			if matches(window[at:]) {
				r.Discard(at)
				return nil
			}
			at++
		}
		r.Discard(at)
	}
}

// findRecord advances r, which reads decompressed bytes, to the next record.
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
	return find(r, candidate, isRecord)
}

// findMember advances the input to the next gzip member, zstd frame or
// uncompressed record.
func (r *Reader) findMember() error { return find(r.in.Reader, memberCandidate, r.isMember) }

func memberCandidate(b []byte) int {
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

// isMember distinguishes gzip members from bytes that happen to look like one, and
// uncompressed records from those that were in a compressed member. window is what
// is buffered of the input, from some position on.
// A zstd frame is taken for one by its magic number, since testing it would
// require decompressing a whole block.
func (r *Reader) isMember(window []byte) bool {
	if !isGzip(window) {
		return isZstd(window) || r.in.end-int64(len(window)) >= r.plain
	}
	// The flags and levels that encoders write: cheaper to test than to decompress.
	if len(window) < 18 || window[3]&0xe0 != 0 || window[8]&^6 != 0 {
		return false
	}
	err := r.probe.Reset(bytes.NewReader(window))
	var first [5]byte
	if err == nil {
		_, err = io.ReadFull(r.probe, first[:])
	}
	return err == nil && string(first[:]) == "WARC/"
}
