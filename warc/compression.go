package warc

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// bufferSize is what is read at once, and how far ahead the search for the next
// record looks.
const bufferSize = 64 << 10

// input is the archive's bytes with their positions.
type input struct {
	*bufio.Reader
	r      io.Reader
	seeker io.Seeker // nil if the input cannot go back
	start  int64     // where reading began
	end    int64     // position behind the last byte that was read
	high   int64     // the highest end there was
	back   int64     // how many bytes were gone back over, all together
	err    error     // why reading failed, if it did not just end
}

func newInput(r io.Reader) *input {
	in := &input{r: r}
	if s, ok := r.(io.Seeker); ok {
		// A pipe may have the method and yet not the ability.
		if at, err := s.Seek(0, io.SeekCurrent); err == nil && at >= 0 {
			in.seeker, in.start, in.end, in.high = s, at, at, at
		}
	}
	in.Reader = bufio.NewReaderSize(counted{in}, bufferSize)
	return in
}

// pos is the position of the next byte.
func (in *input) pos() int64 { return in.end - int64(in.Buffered()) }

// rewind goes back to a position and says whether it could. What is read again
// is bounded by what there is, so that a file made of false lengths costs a few
// readings and not one for each of its bytes.
func (in *input) rewind(to int64) bool {
	again := in.end - to
	if in.seeker == nil || in.err != nil || in.back+again > 4*(in.high-in.start)+bufferSize {
		return false
	}
	if !in.seek(to) {
		return false
	}
	in.back += again
	return true
}

func (in *input) seek(to int64) bool {
	if _, err := in.seeker.Seek(to, io.SeekStart); err != nil {
		in.err = err
		return false
	}
	in.Reset(counted{in})
	in.end = to
	return true
}

// counted feeds the buffer and keeps count.
type counted struct{ in *input }

func (c counted) Read(p []byte) (int, error) {
	if c.in.err != nil {
		return 0, c.in.err
	}
	n, err := c.in.r.Read(p)
	c.in.end += int64(n)
	c.in.high = max(c.in.high, c.in.end)
	if err != nil && err != io.EOF {
		c.in.err = err
	}
	return n, err
}

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

const (
	zstdMagic       = "\x28\xb5\x2f\xfd"
	zstdDictMagic   = "\x37\xa4\x30\xec"
	dictFrame       = 0xd      // the number of the skippable frame that holds the dictionary
	maxDict         = 16 << 20 // far more than training gives
	maxZstdWindow   = 128 << 20
	zstdBlockHeader = 3
)

var errDict = errors.New("the dictionary at the beginning of the archive cannot be read")

func isZstd(b []byte) bool { return len(b) >= 4 && string(b[:4]) == zstdMagic }

func isSkippable(b []byte) bool {
	return len(b) >= 4 && b[0]&0xf0 == 0x50 && string(b[1:4]) == "\x2a\x4d\x18"
}

// openZstd starts a frame.
func (u *unpacker) openZstd() error {
	head, err := u.in.Peek(zstd.HeaderMaxSize)
	if len(head) == 0 {
		return noEOF(err)
	}
	var h zstd.Header
	if err := h.Decode(head); err != nil {
		return err
	}
	if h.DictionaryID != 0 && u.dict == nil {
		if err := u.fetchDict(); err != nil {
			return err
		}
	}
	if u.zstd == nil {
		opts := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow)}
		if u.dict != nil {
			opts = append(opts, zstd.WithDecoderDicts(u.dict))
		}
		if u.zstd, err = zstd.NewReader(nil, opts...); err != nil {
			return err
		}
	}
	f := &frame{in: u.in, part: h.HeaderSize, checksum: h.HasCheckSum}
	if err := u.zstd.Reset(f); err != nil {
		return err
	}
	u.show(f.around(u.zstd))
	return nil
}

// skipFrame passes over a skippable frame. At the beginning of an archive it
// may hold the dictionary of all the others (IIPC, "WARC with Zstandard").
func (u *unpacker) skipFrame() error {
	head, err := u.in.Peek(8)
	if err != nil {
		return noEOF(err)
	}
	size := int64(binary.LittleEndian.Uint32(head[4:]))
	isDict := head[0]&0x0f == dictFrame && u.dict == nil && size <= maxDict
	u.in.Discard(8)
	if !isDict {
		_, err := io.CopyN(io.Discard, u.in, size)
		return noEOF(err)
	}
	raw := make([]byte, size)
	if _, err := io.ReadFull(u.in, raw); err != nil {
		return noEOF(err)
	}
	u.dict, err = unpackDict(raw)
	u.zstd = nil // it did not know the dictionary
	return err
}

// unpackDict undoes the compression that a dictionary itself may have.
func unpackDict(raw []byte) ([]byte, error) {
	if isZstd(raw) {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDict))
		if err != nil {
			return nil, err
		}
		defer d.Close()
		if raw, err = d.DecodeAll(raw, nil); err != nil {
			return nil, fmt.Errorf("%w: %w", errDict, err)
		}
	}
	if len(raw) < 8 || string(raw[:4]) != zstdDictMagic {
		return nil, errDict
	}
	return raw, nil
}

// fetchDict gets the dictionary when reading began further on.
func (u *unpacker) fetchDict() error {
	at := u.in.pos()
	if u.in.start == 0 || u.in.seeker == nil {
		return errors.New("the archive's dictionary is missing; read it from its beginning")
	}
	if !u.in.seek(0) {
		return u.in.err
	}
	err := errDict
	if magic, _ := u.in.Peek(4); isSkippable(magic) {
		err = u.skipFrame()
	}
	if !u.in.seek(at) {
		return u.in.err
	}
	return err
}

// frame hands the bytes of one zstd frame to the decoder and ends with it, by
// walking from block to block: decoders read on into the next frame, and where a
// record ends would be lost.
type frame struct {
	in       *input
	part     int // what is left of the header, block or checksum at hand
	last     bool
	checksum bool
	done     bool
}

func (f *frame) Read(p []byte) (int, error) {
	for f.part == 0 {
		if f.done {
			return 0, io.EOF
		}
		if f.last {
			f.done = true
			if f.checksum {
				f.part = 4
			}
			continue
		}
		b, err := f.in.Peek(zstdBlockHeader)
		if err != nil {
			return 0, noEOF(err)
		}
		v := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
		f.last, f.part = v&1 != 0, v>>3
		if v>>1&3 == 1 {
			f.part = 1 // one byte, to be repeated
		}
		f.part += zstdBlockHeader
	}
	n, err := f.in.Read(p[:min(len(p), f.part)])
	f.part -= n
	return n, noEOF(err)
}

// around notices a decoder that takes a frame broken off for a whole one.
func (f *frame) around(r io.Reader) io.Reader { return &unframed{r, f} }

type unframed struct {
	r io.Reader
	f *frame
}

func (u *unframed) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if err == io.EOF && (!u.f.done || u.f.part > 0) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
