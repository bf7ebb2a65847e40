package warc

import (
	"bytes"
	"fmt"
	"io"
)

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
