package warc

import (
	"errors"
	"io"
)

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
