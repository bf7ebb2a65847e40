package warc

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

var errNoPacking = errors.New("neither a WARC record nor gzip nor zstd data")

// unpacker turns the input into plain bytes, one piece after the other: a gzip
// member, a zstd frame, or the rest of a plain file. The end of a piece reads as
// io.EOF, since it says where a record must end, whatever its length says.
type unpacker struct {
	in    *input
	plain *bufio.Reader // the piece at hand; nil between two
	begin int64         // where it begins in the input
	fresh bool          // no record has begun in it yet

	buf  *bufio.Reader // unpacked bytes
	gzip *gzip.Reader
	zstd *zstd.Decoder
	dict []byte // of a zstd archive that has one
}

// packed says whether the piece at hand is compressed.
func (u *unpacker) packed() bool { return u.plain != nil && u.plain != u.in.Reader }

// close leaves the piece at hand.
func (u *unpacker) close() { u.plain = nil }

// open starts the next piece. The error is io.EOF where the input ends.
func (u *unpacker) open() error {
	u.close()
	for {
		magic, err := u.in.Peek(5)
		if len(magic) == 0 {
			return err
		}
		u.begin, u.fresh = u.in.pos(), true
		switch {
		case isGzip(magic):
			return u.openGzip()
		case isZstd(magic):
			return u.openZstd()
		case isSkippable(magic):
			if err := u.skipFrame(); err != nil {
				return err
			}
		case magic[0] == '\r' || magic[0] == '\n':
			u.in.Discard(1)
		case string(magic) == "WARC/":
			u.plain = u.in.Reader
			return nil
		default:
			return errNoPacking
		}
	}
}

func isGzip(b []byte) bool { return len(b) >= 3 && string(b[:3]) == "\x1f\x8b\x08" }

func (u *unpacker) openGzip() (err error) {
	if u.gzip == nil {
		u.gzip, err = gzip.NewReader(u.in.Reader)
	} else {
		err = u.gzip.Reset(u.in.Reader)
	}
	if err != nil {
		return noEOF(err)
	}
	u.gzip.Multistream(false)
	u.show(u.gzip)
	return nil
}

// show makes the unpacked bytes of r the piece at hand.
func (u *unpacker) show(r io.Reader) {
	if u.buf == nil {
		u.buf = bufio.NewReaderSize(r, bufferSize)
	} else {
		u.buf.Reset(r)
	}
	u.plain = u.buf
}

// noEOF is for places where more should have come.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
