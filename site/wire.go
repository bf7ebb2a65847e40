package site

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"unicode/utf8"
)

var (
	// ErrCorrupt means that the bytes are not what was written: cut off, or
	// changed. Leave them out, or learn the site anew.
	ErrCorrupt = errors.New("the site data is damaged")
	// ErrVersion means that a newer lede wrote the bytes.
	ErrVersion = errors.New("the site data is of a newer version; update lede to read it")
)

// What is written begins with a mark and a version, and ends with a checksum.
const (
	observationMark = "LdO"
	profileMark     = "LdP"
	version         = 1
	checkSize       = 4
)

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

type encoder struct {
	b     []byte
	start int
}

func newEncoder(b []byte, mark string) *encoder {
	return &encoder{b: append(append(b, mark...), version), start: len(b)}
}

func (e *encoder) done() []byte {
	return binary.LittleEndian.AppendUint32(e.b, checksum(e.b[e.start:]))
}

func (e *encoder) count(n int) { e.b = binary.AppendUvarint(e.b, uint64(n)) }

func (e *encoder) text(s string) {
	e.count(len(s))
	e.b = append(e.b, s...)
}

// share writes a count of pages to a 256th.
func (e *encoder) share(f float32) { e.count(int(math.Round(float64(min(f, maxCount)) * 256))) }

// keys writes sorted keys as the steps between them.
func (e *encoder) keys(keys []key) {
	e.count(len(keys))
	last := key(0)
	for _, k := range keys {
		e.count(int(k - last))
		last = k
	}
}

func (e *encoder) table(t table) {
	e.count(len(t))
	last := key(0)
	for _, c := range t {
		e.count(int(c.key - last))
		e.share(c.count)
		last = c.key
	}
}

func (e *encoder) votes(v votes) {
	e.count(len(v))
	for _, o := range v {
		e.text(o.name)
		e.share(o.count)
	}
}

func (e *encoder) shape(s *shape) {
	for _, v := range s {
		e.b = binary.LittleEndian.AppendUint16(e.b, v)
	}
}

// decoder reads what an encoder wrote. After the first thing that is wrong it
// reads nothing but zeros; bad tells.
type decoder struct {
	b   []byte
	bad bool
}

func newDecoder(b []byte, mark string) (*decoder, error) {
	n := len(b) - checkSize
	if n < len(mark)+1 || string(b[:len(mark)]) != mark || binary.LittleEndian.Uint32(b[n:]) != checksum(b[:n]) {
		return nil, ErrCorrupt
	}
	if b[len(mark)] > version {
		return nil, ErrVersion
	}
	return &decoder{b: b[len(mark)+1 : n]}, nil
}

// done tells whether all was read and none was wrong.
func (d *decoder) done() error {
	if d.bad || len(d.b) > 0 {
		return ErrCorrupt
	}
	return nil
}

func (d *decoder) fail() { d.b, d.bad = nil, true }

func (d *decoder) number(most uint64) uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > most {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

// count reads the length of a list of things that take at least size bytes
// each, so that a wrong length costs no memory.
func (d *decoder) count(most, size int) int {
	n := int(d.number(uint64(most)))
	if n*size > len(d.b) {
		d.fail()
		return 0
	}
	return n
}

func (d *decoder) text(most int) string {
	n := d.count(most, 1)
	s := string(d.b[:n])
	if !utf8.ValidString(s) {
		d.fail()
		return ""
	}
	d.b = d.b[n:]
	return s
}

func (d *decoder) share() float32 { return float32(d.number(256*maxCount)) / 256 }

// maxCount bounds a faded count of pages. It is ten at most, but people edit
// profiles.
const maxCount = 1000

func (d *decoder) next(last key, first bool) key {
	step := d.number(math.MaxUint32)
	if step == 0 && !first || step+uint64(last) > math.MaxUint32 {
		d.fail()
	}
	return last + key(step)
}

func (d *decoder) keys(most int) []key {
	n := d.count(most, 1)
	if n == 0 {
		return nil
	}
	keys := make([]key, n)
	last := key(0)
	for i := range keys {
		last = d.next(last, i == 0)
		keys[i] = last
	}
	return keys
}

func (d *decoder) table(most int) table {
	n := d.count(most, 2)
	if n == 0 {
		return nil
	}
	t := make(table, n)
	last := key(0)
	for i := range t {
		last = d.next(last, i == 0)
		t[i] = entry{last, d.share()}
	}
	return t
}

func (d *decoder) votes() votes {
	n := d.count(maxVotes, 2)
	if n == 0 {
		return nil
	}
	v := make(votes, n)
	for i := range v {
		v[i] = vote{d.text(maxName), d.share()}
	}
	return v
}

func (d *decoder) shape() (s shape) {
	if len(d.b) < 2*len(s) {
		d.fail()
		return s
	}
	for i := range s {
		s[i] = binary.LittleEndian.Uint16(d.b[2*i:])
	}
	d.b = d.b[2*len(s):]
	return s
}
