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

// bufferSize is the size of read buffers.
const bufferSize = 64 << 10

// input reads the bytes of an archive and keeps track of the position.
type input struct {
	*bufio.Reader
	r       io.ReadSeeker
	end     int64 // position after the last byte that was read
	high    int64 // the highest value of end
	rewound int64 // sum of the distances of all calls of rewind
	err     error // the error of reading, if not io.EOF
}

func newInput(r io.Reader) *input {
	in := new(input)
	s, ok := r.(io.ReadSeeker)
	if ok {
		// An *os.File may be a pipe, which has the method but cannot seek.
		_, err := s.Seek(0, io.SeekCurrent)
		ok = err == nil
	}
	if !ok {
		s = &pipeInput{r: r}
	}
	in.r = s
	in.Reader = bufio.NewReaderSize(countingReader{in}, bufferSize)
	return in
}

// pos returns the position of the next byte.
func (in *input) pos() int64 { return in.end - int64(in.Buffered()) }

// rewind goes to a position, back only if the input can. The sum of all distances
// is bounded, so that a file full of wrong lengths is read a few times and not
// once per record.
func (in *input) rewind(to int64) {
	if ahead := to - in.pos(); ahead >= 0 {
		in.Discard(int(ahead))
		return
	}
	distance := in.end - to
	if in.err != nil || in.rewound+distance > 4*in.high+bufferSize {
		return
	}
	if _, err := in.r.Seek(-distance, io.SeekCurrent); err != nil {
		return
	}
	in.rewound += distance
	in.Reset(countingReader{in})
	in.end = to
}

// countingReader fills the buffer of an input.
type countingReader struct{ in *input }

func (c countingReader) Read(p []byte) (int, error) {
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

// pipeInput is an input that can only seek back by a few records.
type pipeInput struct {
	r      io.Reader
	recent []byte // what was read last
	again  int    // how much of it is read again
}

const maxRecent = 256 << 10

func (p *pipeInput) Read(b []byte) (int, error) {
	if p.again > 0 {
		n := copy(b, p.recent[len(p.recent)-p.again:])
		p.again -= n
		return n, nil
	}
	n, err := p.r.Read(b)
	if p.recent = append(p.recent, b[:n]...); len(p.recent) > 2*maxRecent {
		p.recent = append(p.recent[:0], p.recent[len(p.recent)-maxRecent:]...)
	}
	return n, err
}

// Seek implements io.Seeker for distances from the current position.
func (p *pipeInput) Seek(distance int64, _ int) (int64, error) {
	again := int64(p.again) - distance
	if again > int64(len(p.recent)) {
		return 0, errors.ErrUnsupported
	}
	p.again = int(again)
	return 0, nil
}

// decompressor decompresses the input member by member. A member is a gzip
// member, a zstd frame, or an uncompressed record. The end of a compressed member
// reads as io.EOF, since a record must end there, whatever its Content-Length.
type decompressor struct {
	in    *input
	plain *bufio.Reader // reads the current member; nil between members
	begin int64         // position of the current member in the input
	fresh bool          // no record of the current member was read yet

	buf  *bufio.Reader
	gzip gzip.Reader
	zstd *zstd.Decoder
	dict []byte // of a zstd archive that has one
}

// compressed reports whether the current member is compressed.
func (d *decompressor) compressed() bool { return d.plain != nil && d.plain != d.in.Reader }

// close leaves the current member.
func (d *decompressor) close() { d.plain = nil }

// open starts the next member. It returns io.EOF at the end of the input.
func (d *decompressor) open() error {
	d.close()
	for {
		magic, err := d.in.Peek(5)
		if len(magic) == 0 {
			return err
		}
		d.begin, d.fresh = d.in.pos(), true
		switch {
		case isGzip(magic):
			if err := d.gzip.Reset(d.in.Reader); err != nil {
				return noEOF(err)
			}
			d.gzip.Multistream(false)
			d.setMember(&d.gzip)
			return nil
		case isZstd(magic):
			return d.openZstd()
		case isSkippable(magic):
			if err := d.skipFrame(); err != nil {
				return err
			}
		case magic[0] == '\r' || magic[0] == '\n':
			d.in.Discard(1)
		case string(magic) == "WARC/":
			d.plain = d.in.Reader
			return nil
		default:
			return errUnknownFormat
		}
	}
}

// setMember makes r, which decompresses, the current member.
func (d *decompressor) setMember(r io.Reader) {
	if d.buf == nil {
		d.buf = bufio.NewReaderSize(r, bufferSize)
	} else {
		d.buf.Reset(r)
	}
	d.plain = d.buf
}

// noEOF replaces io.EOF where more bytes are required.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

const (
	zstdMagic       = "\x28\xb5\x2f\xfd"
	zstdBlockHeader = 3
	dictFrame       = 0x5d     // first byte of the skippable frame that holds a dictionary
	maxDict         = 16 << 20 // trained dictionaries are far smaller
	maxZstdWindow   = 128 << 20
)

var errDict = errors.New("the dictionary at the beginning of the archive cannot be read")

func isGzip(b []byte) bool { return len(b) >= 3 && string(b[:3]) == "\x1f\x8b\x08" }

func isZstd(b []byte) bool { return len(b) >= 4 && string(b[:4]) == zstdMagic }

func isSkippable(b []byte) bool {
	return len(b) >= 4 && b[0]&0xf0 == 0x50 && string(b[1:4]) == "\x2a\x4d\x18"
}

func (d *decompressor) openZstd() (err error) {
	head, _ := d.in.Peek(zstd.HeaderMaxSize)
	var h zstd.Header
	if err := h.Decode(head); err != nil {
		return noEOF(err)
	}
	if h.DictionaryID != 0 && d.dict == nil {
		return errDict
	}
	if d.zstd == nil {
		opts := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow)}
		if d.dict != nil {
			opts = append(opts, zstd.WithDecoderDicts(d.dict))
		}
		if d.zstd, err = zstd.NewReader(nil, opts...); err != nil {
			return fmt.Errorf("%w: %w", errDict, err)
		}
	}
	f := &frame{in: d.in, left: h.HeaderSize, checksum: h.HasCheckSum}
	if err := d.zstd.Reset(f); err != nil {
		return err
	}
	d.setMember(&frameReader{d.zstd, f})
	return nil
}

// skipFrame skips a skippable frame. At the beginning of an archive it may hold
// the dictionary of all other frames (IIPC, "Use of Zstandard in WARC files"), which may
// be compressed itself.
func (d *decompressor) skipFrame() error {
	head, err := d.in.Peek(8)
	if err != nil {
		return noEOF(err)
	}
	size := int64(binary.LittleEndian.Uint32(head[4:]))
	isDict := d.in.pos() == 0 && head[0] == dictFrame && size <= maxDict
	d.in.Discard(8)
	if !isDict {
		_, err := io.CopyN(io.Discard, d.in, size)
		return noEOF(err)
	}
	d.dict = make([]byte, size)
	if _, err := io.ReadFull(d.in, d.dict); err != nil || !isZstd(d.dict) {
		return noEOF(err)
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDict))
	if err != nil {
		return err
	}
	defer z.Close()
	if d.dict, err = z.DecodeAll(d.dict, nil); err != nil {
		d.dict = nil
		return fmt.Errorf("%w: %w", errDict, err)
	}
	return nil
}

// frame reads the compressed bytes of one zstd frame and returns io.EOF after
// it, by following the block headers. Decoders read on into the next frame, so
// that the end of the record would be unknown.
type frame struct {
	in       *input
	left     int  // bytes left of the current header, block or checksum
	last     bool // no block follows
	checksum bool // a checksum follows the last block
}

func (f *frame) ended() bool { return f.left == 0 && f.last && !f.checksum }

func (f *frame) Read(p []byte) (int, error) {
	for f.left == 0 {
		switch {
		case f.ended():
			return 0, io.EOF
		case f.last:
			f.left, f.checksum = 4, false
			continue
		}
		b, err := f.in.Peek(zstdBlockHeader)
		if err != nil {
			return 0, noEOF(err)
		}
		v := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
		f.last, f.left = v&1 != 0, v>>3
		if v>>1&3 == 1 {
			f.left = 1 // RLE block: one byte
		}
		f.left += zstdBlockHeader
	}
	n, err := f.in.Read(p[:min(len(p), f.left)])
	f.left -= n
	return n, noEOF(err)
}

// frameReader reads the decompressed bytes of a frame. Unlike the decoder, it
// returns an error for a frame that is truncated between two blocks.
type frameReader struct {
	r io.Reader
	f *frame
}

func (r *frameReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err == io.EOF && !r.f.ended() {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
