package warc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

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
