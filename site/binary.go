package site

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"maps"
	"math"
	"slices"
	"unicode/utf8"
)

var (
	// ErrCorrupt means that the data is not what was written, because it was
	// truncated or changed.
	ErrCorrupt = errors.New("the site data is damaged")
	// ErrVersion means that the data was written by a newer version of lede.
	ErrVersion = errors.New("the site data is of a newer version; update lede to read it")
)

// The binary form begins with a mark and a version and ends with a checksum.
const (
	observationMark    = "LdO"
	profileMark        = "LdP"
	observationVersion = 2 // 1 has no clues
	profileVersion     = 3 // 1 has no clues, 2 has counts that are rounded to 1/256
	checkSize          = 4
)

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

type encoder struct{ b []byte }

func newEncoder(mark string, version byte) *encoder {
	return &encoder{append([]byte(mark), version)}
}

func (e *encoder) done() []byte {
	return binary.LittleEndian.AppendUint32(e.b, checksum(e.b))
}

func (e *encoder) count(n int) { e.b = binary.AppendUvarint(e.b, uint64(n)) }

func (e *encoder) text(s string) {
	e.count(len(s))
	e.b = append(e.b, s...)
}

// share writes a count of pages.
func (e *encoder) share(f float32) { e.b = binary.LittleEndian.AppendUint32(e.b, shareBits(f)) }

// shareBits returns a count as an integer of the same order.
func shareBits(f float32) uint32 { return math.Float32bits(max(0, min(f, maxCount))) }

// shares writes n counts: those that differ, as the differences between them, and for
// each its position among these. Most keys of a table were on the same pages as others.
func (e *encoder) shares(n int, get func(i int) float32) {
	different := make([]uint32, n)
	for i := range different {
		different[i] = shareBits(get(i))
	}
	slices.Sort(different)
	different = slices.Compact(different)
	e.count(len(different))
	last := uint32(0)
	for _, bits := range different {
		e.count(int(bits - last))
		last = bits
	}
	for i := range n {
		at, _ := slices.BinarySearch(different, shareBits(get(i)))
		e.count(at)
	}
}

// keys writes sorted keys as the differences between them.
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
		last = c.key
	}
	e.shares(len(t), func(i int) float32 { return t[i].count })
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

// decoder reads what an encoder wrote. After the first error it reads zeros and
// bad is set.
type decoder struct {
	b       []byte
	version byte
	bad     bool
}

func newDecoder(b []byte, mark string, version byte) (*decoder, error) {
	n := len(b) - checkSize
	if n < len(mark)+1 || string(b[:len(mark)]) != mark || binary.LittleEndian.Uint32(b[n:]) != checksum(b[:n]) {
		return nil, ErrCorrupt
	}
	if b[len(mark)] > version {
		return nil, ErrVersion
	}
	return &decoder{b: b[len(mark)+1 : n], version: b[len(mark)]}, nil
}

// done returns ErrCorrupt if anything was wrong or is left.
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

// count reads the length of a list of items of at least size bytes, so that a
// wrong length costs no memory.
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

func (d *decoder) bytes(n int) []byte {
	if n > len(d.b) {
		d.fail()
		return nil
	}
	b := slices.Clone(d.b[:n])
	d.b = d.b[n:]
	return b
}

func (d *decoder) share() float32 {
	if d.version < 3 {
		return float32(d.number(256*maxCount)) / 256
	}
	if len(d.b) < 4 {
		d.fail()
		return 0
	}
	bits := binary.LittleEndian.Uint32(d.b)
	if d.b = d.b[4:]; bits > shareBits(maxCount) {
		d.fail()
		return 0
	}
	return math.Float32frombits(bits)
}

// shares reads n counts.
func (d *decoder) shares(n int, set func(i int, f float32)) {
	different := make([]float32, d.count(n, 1))
	last := uint64(0)
	for i := range different {
		last += d.number(uint64(shareBits(maxCount)) - last)
		different[i] = math.Float32frombits(uint32(last))
	}
	for i := range n {
		at := d.number(math.MaxUint32)
		if at >= uint64(len(different)) {
			d.fail()
			return
		}
		set(i, different[at])
	}
}

// maxCount bounds a count of pages. Counts decay and stay below ten, but people
// edit profiles.
const maxCount = 1000

func (d *decoder) next(last key, first bool) key {
	step := d.number(math.MaxUint32)
	if step == 0 && !first || step+uint64(last) > math.MaxUint32 {
		d.fail()
	}
	return last + key(step)
}

func (d *decoder) keys(most int) (keys []key) {
	n := d.count(most, 1)
	keys = slices.Grow(keys, n)
	last := key(0)
	for i := range n {
		last = d.next(last, i == 0)
		keys = append(keys, last)
	}
	return keys
}

func (d *decoder) table(most int) (t table) {
	n := d.count(most, 2)
	t = slices.Grow(t, n)
	last := key(0)
	for i := range n {
		last = d.next(last, i == 0)
		e := entry{key: last}
		if d.version < 3 {
			e.count = d.share()
		}
		t = append(t, e)
	}
	if d.version >= 3 {
		d.shares(n, func(i int, f float32) { t[i].count = f })
	}
	return t
}

func (d *decoder) votes() (v votes) {
	for range d.count(maxVotes, 2) {
		v = append(v, vote{d.text(maxName), d.share()})
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

// MarshalBinary returns the binary form of the observation, with a checksum.
func (o *Observation) MarshalBinary() ([]byte, error) {
	e := newEncoder(observationMark, observationVersion)
	e.count(int(o.address))
	e.keys(o.story)
	e.shape(&o.shape)
	e.keys(o.rows)
	e.count(len(o.samples))
	for _, s := range o.samples {
		e.count(int(s.key))
		e.text(s.text)
	}
	for _, name := range o.habits {
		e.text(name)
	}
	e.keys(o.kept)
	e.keys(o.dropped)
	e.count(len(o.suffixes))
	for _, s := range o.suffixes {
		e.text(s)
	}
	e.keys(o.clues)
	e.b = append(e.b, o.shares...)
	return e.done(), nil
}

// UnmarshalBinary decodes what MarshalBinary returned. The error is ErrCorrupt or
// ErrVersion.
func (o *Observation) UnmarshalBinary(b []byte) error {
	d, err := newDecoder(b, observationMark, observationVersion)
	if err != nil {
		return err
	}
	var n Observation
	n.address = key(d.number(1<<32 - 1))
	n.story = d.keys(maxStory)
	n.shape = d.shape()
	n.rows = d.keys(maxRows)
	for range d.count(maxSamples, 2) {
		n.samples = append(n.samples, sample{key(d.number(1<<32 - 1)), d.text(maxSample)})
	}
	for r := range n.habits {
		n.habits[r] = d.text(maxName)
	}
	n.kept, n.dropped = d.keys(maxPlaces), d.keys(maxPlaces)
	for range d.count(maxSuffixes, 1) {
		n.suffixes = append(n.suffixes, d.text(maxName))
	}
	if d.version > 1 {
		n.clues = d.keys(maxClues)
		n.shares = d.bytes(len(n.clues))
	}
	if err := d.done(); err != nil {
		return err
	}
	*o = n
	return nil
}

// MarshalBinary returns the binary form of the profile, with a checksum. Nothing is
// lost: a profile that is stored and read again finds and learns the same.
func (p *Profile) MarshalBinary() ([]byte, error) {
	e := newEncoder(profileMark, profileVersion)
	e.text(p.name)
	e.count(p.pages)
	e.count(len(p.templates))
	for _, t := range p.templates {
		e.template(t)
	}
	e.count(len(p.seen))
	for _, v := range p.seen {
		e.count(int(v.address))
		e.keys(v.story)
	}
	return e.done(), nil
}

func (e *encoder) template(t *template) {
	e.count(len(t.shapes))
	for i := range t.shapes {
		e.shape(&t.shapes[i])
	}
	e.count(t.pages)
	e.share(t.weight)
	e.table(t.rows)
	e.count(len(t.words))
	for _, k := range slices.Sorted(maps.Keys(t.words)) {
		e.count(int(k))
		e.text(t.words[k])
	}
	e.share(t.stories)
	e.table(t.kept)
	e.table(t.dropped)
	for _, v := range t.habits {
		e.votes(v)
	}
	e.votes(t.suffixes)
	e.count(t.unfamiliar)
	e.count(t.used)
	e.table(t.clues)
	e.shares(len(t.clues), func(i int) float32 { return t.clues[i].kept })
}

// UnmarshalBinary decodes what MarshalBinary returned. The error is ErrCorrupt or
// ErrVersion.
func (p *Profile) UnmarshalBinary(b []byte) error {
	d, err := newDecoder(b, profileMark, profileVersion)
	if err != nil {
		return err
	}
	var n Profile
	n.name = d.text(maxName)
	n.pages = int(d.number(maxPages))
	for range d.count(maxTemplates, 1) {
		n.templates = append(n.templates, d.template())
	}
	for range d.count(maxSeen, 2) {
		n.seen = append(n.seen, visit{key(d.number(1<<32 - 1)), d.keys(maxStory)})
	}
	if err := d.done(); err != nil {
		return err
	}
	*p = n
	return nil
}

const maxPages = 1 << 40

func (d *decoder) template() *template {
	t := &template{}
	for range d.count(maxShapes, 2*shapeSize) {
		t.shapes = append(t.shapes, d.shape())
	}
	t.pages = int(d.number(maxPages))
	t.weight = d.share()
	t.rows = d.table(maxKeys)
	if n := d.count(maxWords, 2); n > 0 {
		t.words = make(map[key]string, n)
		for range n {
			k := key(d.number(1<<32 - 1))
			t.words[k] = d.text(maxSample)
		}
	}
	t.stories = d.share()
	t.kept, t.dropped = d.table(maxKnownPlaces), d.table(maxKnownPlaces)
	for r := range t.habits {
		t.habits[r] = d.votes()
	}
	t.suffixes = d.votes()
	t.unfamiliar = int(d.number(redesignPages))
	t.used = int(d.number(maxPages))
	if d.version > 1 {
		t.clues = d.table(maxKnownClues)
		set := func(i int, f float32) { t.clues[i].kept = min(f, t.clues[i].count) }
		if d.version >= 3 {
			d.shares(len(t.clues), set)
		} else {
			for i := range t.clues {
				set(i, d.share())
			}
		}
	}
	return t
}
