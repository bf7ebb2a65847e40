// Package inflate reads gzip members (RFC 1952) and the deflate data in them (RFC 1951).
//
// An archive of web pages has a member for each page, and a batch spent a seventh of its
// time in the decompressor of klauspost/compress; this one takes some 60 % of that. It
// follows libdeflate (E. Biggers): the input is looked at 64 bits at a time, the entry of
// a code in a table has all that is known about it, and matches are copied by words.
// What is not an archive is read with klauspost/compress.
package inflate

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// Errors of a Reader. A member that is cut off has io.ErrUnexpectedEOF.
var (
	ErrHeader   = errors.New("gzip: invalid header")
	ErrChecksum = errors.New("gzip: invalid checksum")
	ErrCorrupt  = errors.New("gzip: corrupt data")
)

const (
	window   = 32 << 10 // how far back a match may begin
	longest  = 258      // match
	slack    = 16       // bytes that copying by words may write after a match
	roomSize = 3*window + longest + slack
)

// Reader decompresses one member at a time. It takes no byte of the input that is not
// part of the member. Its memory is used again for the next one.
type Reader struct {
	in  *bufio.Reader
	err error // after the bytes in room: io.EOF at the end of the member

	room     []byte // decompressed bytes, with the last 32 KB of them
	from, to int    // those that are not read yet
	crc      uint32
	size     uint32 // of the member, modulo 1<<32

	bits  uint64 // of the input that are not used yet; the next one is the lowest
	count uint   // of bits

	block  block
	last   bool // block of the member
	stored int  // bytes left in a stored block

	litlen, dist *table // of a coded block
	tables       [2]table
	lengths      [maxLitlen + maxDist]uint8
}

// block is the kind of the current block.
type block uint8

const (
	noBlock block = iota
	storedBlock
	codedBlock
)

// Reset begins a member and reads its header.
func (r *Reader) Reset(in *bufio.Reader) error {
	if r.room == nil {
		r.room = make([]byte, roomSize)
	}
	r.in, r.from, r.to, r.crc, r.size = in, 0, 0, 0, 0
	r.bits, r.count, r.block, r.last = 0, 0, noBlock, false
	r.err = noEOF(readHeader(in))
	return r.err
}

// readHeader skips the header of a member.
func readHeader(in *bufio.Reader) (err error) {
	const hasCRC, hasExtra, hasName, hasComment, reserved = 2, 4, 8, 16, 0xE0
	const longestText = 512
	crc := ^uint32(0)
	next := func() (b byte) {
		if err == nil {
			b, err = in.ReadByte()
			crc = crc32.IEEETable[uint8(crc)^b] ^ crc>>8
		}
		return b
	}
	var head [10]byte
	for i := range head {
		head[i] = next()
	}
	flags := head[3]
	if err == nil && (string(head[:3]) != "\x1f\x8b\x08" || flags&reserved != 0) {
		return ErrHeader
	}
	if flags&hasExtra != 0 {
		for left := int(next()) | int(next())<<8; left > 0 && err == nil; left-- {
			next()
		}
	}
	for _, text := range [...]byte{hasName, hasComment} {
		for n := 0; flags&text != 0 && next() != 0 && err == nil; n++ {
			if n == longestText {
				return ErrHeader
			}
		}
	}
	if want := ^uint16(crc); flags&hasCRC != 0 && uint16(next())|uint16(next())<<8 != want && err == nil {
		return ErrHeader
	}
	return err
}

// noEOF replaces io.EOF where more bytes are required.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Read reads bytes of the member. At its end it checks them and returns io.EOF.
func (r *Reader) Read(p []byte) (int, error) {
	for r.from == r.to {
		if r.err != nil {
			return 0, r.err
		}
		if r.to >= 2*window {
			copy(r.room, r.room[r.to-window:r.to])
			r.from, r.to = window, window
		}
		r.err = r.fill()
		b := r.room[r.from:r.to]
		r.crc, r.size = crc32.Update(r.crc, crc32.IEEETable, b), r.size+uint32(len(b))
		if r.err == io.EOF {
			r.err = r.readTrailer()
		}
	}
	n := copy(p, r.room[r.from:r.to])
	r.from += n
	return n, nil
}

// readTrailer checks the checksum and the size of the member.
func (r *Reader) readTrailer() error {
	b, err := r.takeBytes(8)
	if err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(b[:]) != r.crc || binary.LittleEndian.Uint32(b[4:]) != r.size {
		return ErrChecksum
	}
	return io.EOF
}

// fill decompresses until room is full or the data ends, which it reports as io.EOF.
func (r *Reader) fill() (err error) {
	for err == nil && r.to < len(r.room)-longest-slack {
		switch r.block {
		case storedBlock:
			err = r.copyStored()
		case codedBlock:
			err = r.decode()
		default:
			if r.last {
				r.bits, r.count = 0, 0 // the rest of the last byte
				return io.EOF
			}
			err = r.beginBlock()
		}
	}
	return err
}

// beginBlock reads the header of a block.
func (r *Reader) beginBlock() error {
	const fixed, dynamic = 1, 2
	head, err := r.take(3)
	if err != nil {
		return err
	}
	r.last = head&1 != 0
	switch head >> 1 {
	case 0:
		return r.beginStored()
	case fixed:
		f := fixedTables()
		r.litlen, r.dist, r.block = &f[0], &f[1], codedBlock
		return nil
	case dynamic:
		r.litlen, r.dist, r.block = &r.tables[0], &r.tables[1], codedBlock
		return r.readTables()
	}
	return ErrCorrupt
}

// need reads bytes until there are at least n bits.
func (r *Reader) need(n uint) error {
	for r.count < n {
		b, err := r.in.ReadByte()
		if err != nil {
			return noEOF(err)
		}
		r.bits |= uint64(b) << r.count
		r.count += 8
	}
	return nil
}

// take returns the next n bits.
func (r *Reader) take(n uint) (uint, error) {
	err := r.need(n)
	v := uint(r.bits) & (1<<n - 1)
	r.bits >>= n
	r.count -= min(n, r.count)
	return v, err
}

// takeBytes returns the next n bytes, which are valid until more is read.
func (r *Reader) takeBytes(n int) ([]byte, error) {
	b, err := r.in.Peek(n)
	if err != nil {
		return nil, noEOF(err)
	}
	r.in.Discard(n)
	return b, nil
}

func (r *Reader) beginStored() error {
	r.bits, r.count = 0, 0 // it begins with a byte
	b, err := r.takeBytes(4)
	if err != nil {
		return err
	}
	size := binary.LittleEndian.Uint16(b[:])
	if size != ^binary.LittleEndian.Uint16(b[2:]) {
		return ErrCorrupt
	}
	r.block, r.stored = storedBlock, int(size)
	return nil
}

func (r *Reader) copyStored() error {
	if r.stored == 0 {
		r.block = noBlock
		return nil
	}
	n, err := r.in.Read(r.room[r.to:min(len(r.room), r.to+r.stored)])
	r.to += n
	r.stored -= n
	return noEOF(err)
}
