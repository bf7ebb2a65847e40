package inflate

import (
	"math/bits"
	"sync"
)

// The codes of an alphabet that are longer than this are in the second part of its table.
const (
	litlenBits = 11
	distBits   = 8
	orderBits  = 7 // no code of the lengths is longer
)

// The sizes of the alphabets: literals and lengths, distances, and lengths of codes.
const (
	maxLitlen = 288
	maxDist   = 32
	maxOrder  = 19
)

// An entry of a table tells what a code means:
//
//	bits 0 to 5   bits of the input that it takes, with those of its value
//	bits 8 to 11  of these, the bits of the code
//	bits 16 to 30 the least value, or the literal
//
// If it is special and none of what follows, the input is corrupt.
const (
	bitsMask   = 63
	codeShift  = 8
	codeMask   = 15
	special    = 1 << 7
	endOfBlock = 1 << 12
	pointer    = 1 << 13 // to the second part of the table: the codes have so many bits more
	baseShift  = 16
	literal    = 1 << 31
)

// table has the codes of an alphabet.
type table struct {
	first [1 << litlenBits]uint32 // by the next bits of the input
	more  []uint32                // by those that follow
}

// find returns the entry of a code that is special in the first part of a table.
func (t *table) find(e uint32, bits uint64) uint32 {
	if e&pointer == 0 {
		return e
	}
	return t.more[uint64(e>>baseShift)+bits&(1<<(e>>codeShift&codeMask)-1)]
}

// valueOf returns the value of an entry with the bits of the input that follow its code.
func valueOf(e uint32, bits uint64) int {
	return int(e>>baseShift) + int(bits&(1<<(e&bitsMask)-1)>>(e>>codeShift&codeMask))
}

// build makes the table of an alphabet whose symbols have codes of these lengths, 0 for
// one that is not used, and reports whether there is such a code. It must be complete,
// but may have a single symbol, or none that is ever used.
func (t *table) build(lengths []uint8, width int, symbols []uint32) bool {
	var next [codeMask + 1]uint16 // code, by length
	for _, n := range lengths {
		next[n]++
	}
	next[0] = 0
	code, total, most := uint16(0), 0, 0
	for n, count := range next {
		code <<= 1
		next[n] = code
		code += count
		if total += int(count) << (codeMask - n); count > 0 {
			most = n
		}
	}
	const complete = 1 << codeMask
	if most > 0 && total != complete && (most > 1 || total != complete/2) {
		return false
	}
	for i := range t.first[:1<<width] {
		t.first[i] = special
	}
	var codes [maxLitlen]uint16 // with the first bit the lowest
	for s, n := range lengths {
		if n == 0 {
			continue
		}
		codes[s] = bits.Reverse16(next[n] << (16 - n))
		next[n]++
		if int(n) <= width {
			fill(t.first[codes[s]:1<<width], int(n), symbols[s], n)
			continue
		}
		e := &t.first[codes[s]%(1<<width)]
		*e = max(*e, special|pointer|uint32(int(n)-width)<<codeShift)
	}
	t.more = append(t.more[:0], special) // so that no part begins with the first
	for s, n := range lengths {
		if int(n) <= width {
			continue
		}
		e := &t.first[codes[s]%(1<<width)]
		size := 1 << (*e >> codeShift & codeMask)
		if *e>>baseShift == 0 {
			*e |= uint32(len(t.more)) << baseShift
			for range size {
				t.more = append(t.more, special)
			}
		}
		from := int(*e >> baseShift)
		fill(t.more[from+int(codes[s]>>width):from+size], int(n)-width, symbols[s], n)
	}
	return true
}

// fill writes the entry of a symbol with a code of n bits wherever that stands before
// other bits: in the first of entries and in every one that is 1<<step apart.
func fill(entries []uint32, step int, symbol uint32, n uint8) {
	for i := 0; i < len(entries); i += 1 << step {
		entries[i] = symbol + uint32(n)<<codeShift + uint32(n)
	}
}

// The entries of symbols, but for the length of their code. Read only.
var (
	litlenSymbols = func() (list [maxLitlen]uint32) {
		for s := range 256 {
			list[s] = literal | uint32(s)<<baseShift
		}
		list[256] = special | endOfBlock
		base := 3
		for s := 257; s < 285; s++ {
			extra := max(0, (s-257)/4-1)
			list[s] = uint32(base)<<baseShift | uint32(extra)
			base += 1 << extra
		}
		list[285] = longest << baseShift
		list[286], list[287] = special, special
		return list
	}()
	distSymbols = func() (list [maxDist]uint32) {
		base := 1
		for s := range 30 {
			extra := max(0, s/2-1)
			list[s] = uint32(base)<<baseShift | uint32(extra)
			base += 1 << extra
		}
		list[30], list[31] = special, special
		return list
	}()
	orderSymbols = func() (list [maxOrder]uint32) {
		for s := range list {
			list[s] = uint32(s) << baseShift
		}
		return list
	}()
)

// fixedTables are those of blocks that bring none.
var fixedTables = sync.OnceValue(func() *[2]table {
	var lengths [maxLitlen + maxDist]uint8
	for s := range lengths {
		switch {
		case s < 144:
			lengths[s] = 8
		case s < 256:
			lengths[s] = 9
		case s < 280:
			lengths[s] = 7
		case s < maxLitlen:
			lengths[s] = 8
		default:
			lengths[s] = 5
		}
	}
	t := new([2]table)
	t[0].build(lengths[:maxLitlen], litlenBits, litlenSymbols[:])
	t[1].build(lengths[maxLitlen:], distBits, distSymbols[:])
	return t
})

// order is that of the lengths of the codes of lengths. Read only.
var order = [maxOrder]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// readTables reads the tables of a block.
func (r *Reader) readTables() error {
	head, err := r.take(14)
	if err != nil {
		return err
	}
	litlens, dists, orders := int(head&31)+257, int(head>>5&31)+1, int(head>>10)+4
	if litlens > 286 || dists > 30 {
		return ErrCorrupt
	}
	var lengths [maxOrder]uint8
	for _, s := range order[:orders] {
		n, err := r.take(3)
		if err != nil {
			return err
		}
		lengths[s] = uint8(n)
	}
	codes := &r.tables[1]
	if !codes.build(lengths[:], orderBits, orderSymbols[:]) {
		return ErrCorrupt
	}
	if err := r.readLengths(r.lengths[:litlens+dists], codes); err != nil {
		return err
	}
	if !r.tables[0].build(r.lengths[:litlens], litlenBits, litlenSymbols[:]) ||
		!r.tables[1].build(r.lengths[litlens:litlens+dists], distBits, distSymbols[:]) {
		return ErrCorrupt
	}
	return nil
}

// readLengths reads the lengths of codes, which are coded themselves.
func (r *Reader) readLengths(out []uint8, codes *table) error {
	for i := 0; i < len(out); {
		s, err := r.takeSymbol(codes)
		if err != nil {
			return err
		}
		if s < 16 {
			out[i] = uint8(s)
			i++
			continue
		}
		// 16 repeats the length before, 17 and 18 repeat 0.
		repeat := [...]struct {
			bits  uint
			least int
		}{{2, 3}, {3, 3}, {7, 11}}[s-16]
		more, err := r.take(repeat.bits)
		if err != nil {
			return err
		}
		n, value := repeat.least+int(more), uint8(0)
		if s == 16 {
			if i == 0 {
				return ErrCorrupt
			}
			value = out[i-1]
		}
		if n > len(out)-i {
			return ErrCorrupt
		}
		for range n {
			out[i] = value
			i++
		}
	}
	return nil
}

// takeSymbol returns the next symbol of an alphabet without long codes.
func (r *Reader) takeSymbol(t *table) (int, error) {
	for {
		e := t.first[r.bits%(1<<orderBits)]
		if n := uint(e & bitsMask); n > 0 && n <= r.count {
			_, err := r.take(n)
			return int(e >> baseShift), err
		}
		if r.count >= orderBits {
			return 0, ErrCorrupt
		}
		if err := r.need(r.count + 1); err != nil {
			return 0, err
		}
	}
}
