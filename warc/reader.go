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
)

// Reader goes through an archive. It is for one goroutine at a time.
type Reader struct {
	opts  Options
	in    *input
	u     unpacker
	stats Stats
	cur   *body // of the record handed out last
	err   error // why there is nothing more
	lost  lost
	stray bool         // a fault was counted, and no record found since
	trial *gzip.Reader // looks into what may be a gzip member
}

// lost says how the next record is to be found.
type lost int

const (
	onTrack  lost = iota // the next record begins where we stand
	inPiece              // look for it in the unpacked bytes
	betweens             // look for it in the input itself
)

// NewReader reads an archive from where r stands. If r can seek, offsets count
// from its beginning, otherwise from the first byte that is read.
func NewReader(r io.Reader, opts Options) *Reader {
	in := newInput(r)
	return &Reader{opts: opts.withDefaults(), in: in, u: unpacker{in: in}, trial: new(gzip.Reader)}
}

// Stats tells what was seen so far.
func (r *Reader) Stats() Stats {
	s := r.stats
	s.Bytes = r.in.high - r.in.start
	return s
}

// Next returns the next record; what was left unread of the last one is
// discarded. It returns io.EOF at the end. Any other error is about the input as
// a whole and stays: ErrInput when it cannot be read on, ErrNotWARC when it
// ended without a single record.
func (r *Reader) Next() (*Record, error) {
	if r.cur != nil {
		r.cur.leave()
		r.cur = nil
	}
	for r.err == nil {
		rec, err := r.next()
		switch {
		case err == nil && rec != nil:
			r.stats.Records++
			r.stray = false
			return rec, nil
		case r.in.err != nil:
			r.err = r.inputError()
		case err == io.EOF:
			r.err = io.EOF
			if r.stats.Records == 0 && r.Stats().Bytes > 0 {
				r.err = &Error{Offset: -1, Kind: ErrNotWARC,
					Reason: fmt.Sprintf("no record in %d bytes; is this a WARC file?", r.Stats().Bytes)}
			}
		case err != nil:
			r.in.err = err // such as a reader that never gives a byte
			r.err = r.inputError()
		}
	}
	return nil, r.err
}

func (r *Reader) inputError() error {
	return &Error{Offset: r.in.end, Kind: ErrInput, Err: r.in.err,
		Reason: "the input cannot be read on; try again from the last good record"}
}

// next makes one step: to a record, or to a better place to look for one. The
// error is io.EOF where the input ends; other faults are noted and passed over.
func (r *Reader) next() (*Record, error) {
	state := r.lost
	r.lost = onTrack
	if state == inPiece && r.u.packed() {
		if err := findRecord(r.u.plain); err != nil {
			return nil, r.pieceEnd(err)
		}
	} else if state != onTrack {
		r.u.close()
		if err := r.findPiece(); err != nil {
			return nil, err
		}
	}
	// A plain file is looked at anew before each record: others may be packed.
	if !r.u.packed() {
		if err := r.u.open(); err != nil {
			return nil, r.openFault(err)
		}
	}
	if err := skipBlank(r.u.plain); err != nil {
		return nil, r.pieceEnd(err)
	}
	offset := r.offset()
	rec, err := r.header()
	if err != nil {
		return nil, r.headerFault(offset, err)
	}
	rec.Offset, rec.reader = offset, r
	r.cur = newBody(r, rec)
	rec.Body = r.cur
	return rec, nil
}

// offset is where the record that begins now can be pointed to, or -1.
func (r *Reader) offset() int64 {
	if !r.u.packed() {
		return r.in.pos()
	}
	if r.u.fresh {
		return r.u.begin
	}
	return -1
}

var (
	errNoVersion = errors.New("it does not begin with WARC/ and a version")
	errTwice     = errors.New("two headers run into one")
	errNoType    = errors.New("it has no WARC-Type")
	errNoLength  = errors.New("it has no usable Content-Length")
)

// header reads the header of a record.
func (r *Reader) header() (*Record, error) {
	l := &lines{r: r.u.plain}
	first, err := l.next()
	if err != nil {
		return nil, err
	}
	version, ok := bytes.CutPrefix(first, []byte("WARC/"))
	if !ok || len(version) == 0 || len(version) > 8 || version[0] < '0' || version[0] > '9' {
		return nil, errNoVersion
	}
	r.u.fresh = false
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
		return nil, errTwice // one was cut off, and the other is whole
	}
	// ParseUint refuses signs, so what fits is a length.
	n, err := strconv.ParseUint(h.Get("Content-Length"), 10, 63)
	if err != nil {
		return nil, errNoLength
	}
	rec.Length = int64(n)
	return rec, nil
}

// At opens the record at an offset that an index gives. Its body can be read
// for as long as r can.
func At(r io.ReaderAt, offset int64, opts Options) (*Record, error) {
	nothing := &Error{Offset: offset, Kind: ErrMalformed,
		Reason: "no record begins here; does the index belong to this file?"}
	section := io.NewSectionReader(r, 0, math.MaxInt64)
	if _, err := section.Seek(offset, io.SeekStart); err != nil {
		nothing.Err = err
		return nil, nothing
	}
	opts = opts.withDefaults()
	told := opts.OnFault
	opts.OnFault = func(e *Error) {
		nothing.Err = e
		told(e)
	}
	reader := NewReader(section, opts)
	rec, err := reader.next()
	switch {
	case reader.in.err != nil:
		return nil, reader.inputError()
	case rec == nil:
		if nothing.Err == nil {
			nothing.Err = err
		}
		return nil, nothing
	}
	return rec, nil
}

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

// pieceEnd goes on to the next piece where one has ended, well or badly.
func (r *Reader) pieceEnd(err error) error {
	begin := r.u.begin
	r.u.close()
	if err == io.EOF {
		return nil
	}
	r.packingFault(begin, err)
	return nil
}

func (r *Reader) openFault(err error) error {
	switch {
	case err == io.EOF:
		return io.EOF
	case errors.Is(err, errNoPacking):
		at := r.in.pos()
		r.lost = betweens
		r.skip(&r.stats.Skipped.Header, &Error{Offset: at, Kind: ErrMalformed, Err: err,
			Reason: "no record begins here; looking for the next"})
		return nil
	}
	r.packingFault(r.u.begin, err)
	return nil
}

// packingFault notes compressed data that cannot be read on. Its bytes may have
// hidden the beginning of the next piece, so the search goes back.
func (r *Reader) packingFault(begin int64, err error) *Error {
	e := &Error{Offset: begin, Kind: ErrMalformed, Err: err,
		Reason: "the compressed data is broken; looking for the next record"}
	count := &r.stats.Skipped.Packing
	if r.cur != nil {
		e.ID = r.cur.rec.ID
	}
	switch {
	case r.in.err != nil:
		e.Kind, e.Err, e.Reason = ErrTruncated, errors.Join(ErrInput, r.in.err), "the input cannot be read on"
		count = &r.stats.Skipped.Truncated
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Kind, e.Reason = ErrTruncated, "the compressed data breaks off; fetch the file again"
		count = &r.stats.Skipped.Truncated
	}
	r.skip(count, e)
	r.u.close()
	r.lost = betweens
	if !r.in.rewind(begin+1) && r.in.pos() == begin {
		r.in.Discard(1) // or the search would end where it began
	}
	return e
}

// skip counts a fault and tells of it. Further faults on the way to the next
// record are the same loss.
func (r *Reader) skip(count *int64, e *Error) {
	if !r.stray {
		*count++
	}
	r.stray = true
	r.opts.OnFault(e)
}

// headerFault notes a header that is none and decides where to look on.
func (r *Reader) headerFault(offset int64, err error) error {
	unusable := &Error{Offset: offset, Kind: ErrMalformed, Err: err,
		Reason: "the record's header cannot be used; looking for the next record"}
	switch err {
	case errNoVersion, errTwice, errNoType, errNoLength, errLongHeader:
		if r.lost = inPiece; !r.u.packed() {
			r.lost = betweens
			r.in.rewind(offset + 1)
		}
		r.skip(&r.stats.Skipped.Header, unusable)
		return nil
	case errShortHeader:
		if r.u.packed() {
			r.skip(&r.stats.Skipped.Header, unusable)
			return nil
		}
		r.skip(&r.stats.Skipped.Truncated, &Error{Offset: offset, Kind: ErrTruncated, Err: err,
			Reason: "the input breaks off; fetch the file again"})
		return io.EOF
	}
	r.packingFault(r.u.begin, err)
	return nil
}
