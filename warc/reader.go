package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
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
