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
	r       io.Reader
	seeker  io.Seeker // nil if the input cannot seek
	start   int64     // position where reading began
	end     int64     // position after the last byte that was read
	high    int64     // the highest value of end
	rewound int64     // sum of the distances of all calls of rewind
	err     error     // the error of reading, if not io.EOF
}

func newInput(r io.Reader) *input {
	in := &input{r: r}
	if s, ok := r.(io.Seeker); ok {
		// An *os.File may be a pipe, which has the method but cannot seek.
		if at, err := s.Seek(0, io.SeekCurrent); err == nil {
			in.seeker, in.start, in.end, in.high = s, at, at, at
		}
	}
	in.Reader = bufio.NewReaderSize(countingReader{in}, bufferSize)
	return in
}

// pos returns the position of the next byte.
func (in *input) pos() int64 { return in.end - int64(in.Buffered()) }

// rewind goes back to a position, if the input can seek. The sum of all distances
// is bounded, so that a file full of wrong lengths is read a few times and not
// once per record.
func (in *input) rewind(to int64) {
	distance := in.end - to
	if in.seeker == nil || in.err != nil || in.rewound+distance > 4*(in.high-in.start)+bufferSize {
		return
	}
	in.rewound += distance
	in.seek(to)
}

func (in *input) seek(to int64) {
	if _, err := in.seeker.Seek(to, io.SeekStart); err != nil {
		in.err = err
		return
	}
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

var errUnknownFormat = errors.New("neither a WARC record nor gzip nor zstd data")

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
	zstdDictMagic   = "\x37\xa4\x30\xec"
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

func (d *decompressor) openZstd() error {
	head, err := d.in.Peek(zstd.HeaderMaxSize)
	if len(head) == 0 {
		return noEOF(err)
	}
	var h zstd.Header
	if err := h.Decode(head); err != nil {
		return err
	}
	if h.DictionaryID != 0 && d.dict == nil {
		if err := d.readDict(); err != nil {
			return err
		}
	}
	if d.zstd == nil {
		opts := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow)}
		if d.dict != nil {
			opts = append(opts, zstd.WithDecoderDicts(d.dict))
		}
		if d.zstd, err = zstd.NewReader(nil, opts...); err != nil {
			return err
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
// the dictionary of all other frames (IIPC, "Use of Zstandard in WARC files").
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
	raw := make([]byte, size)
	if _, err := io.ReadFull(d.in, raw); err != nil {
		return noEOF(err)
	}
	d.dict, err = decodeDict(raw)
	d.zstd = nil // it was created without the dictionary
	return err
}

// decodeDict decompresses a dictionary, if it is compressed itself.
func decodeDict(raw []byte) ([]byte, error) {
	if isZstd(raw) {
		z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDict))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		if raw, err = z.DecodeAll(raw, nil); err != nil {
			return nil, fmt.Errorf("%w: %w", errDict, err)
		}
	}
	if len(raw) < 8 || string(raw[:4]) != zstdDictMagic {
		return nil, errDict
	}
	return raw, nil
}

// readDict reads the dictionary if reading did not begin at the beginning of
// the archive.
func (d *decompressor) readDict() error {
	if d.in.seeker == nil || d.in.start == 0 {
		return errDict // it was not there
	}
	at := d.in.pos()
	d.in.seek(0)
	if magic, _ := d.in.Peek(4); isSkippable(magic) {
		_ = d.skipFrame() // errDict says it
	}
	d.in.seek(at)
	if d.dict == nil {
		return errDict
	}
	return nil
}

// frame reads the compressed bytes of one zstd frame and returns io.EOF after
// it, by following the block headers. Decoders read on into the next frame, so
// that the end of the record would be unknown.
type frame struct {
	in       *input
	left     int // bytes left of the current header, block or checksum
	last     bool
	checksum bool
	done     bool
}

func (f *frame) Read(p []byte) (int, error) {
	for f.left == 0 {
		if f.done {
			return 0, io.EOF
		}
		if f.last {
			f.done = true
			if f.checksum {
				f.left = 4
			}
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
	if err == io.EOF && (!r.f.done || r.f.left > 0) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
