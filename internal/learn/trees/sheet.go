package trees

import "encoding/binary"

// Rows are scored in sheets of 32, turned so that the bins of eight rows in a
// column are one word. A bin is below 128, so one addition compares eight bins with
// a cut and leaves the answers in the upper bits of the bytes.
const (
	sheetRows  = 32
	sheetWords = sheetRows / 8
	ones       = 0x0101010101010101
	uppers     = 0x8080808080808080
	onStack    = 256 // columns of a sheet that ask for no memory
)

type sheet struct {
	count int
	rows  [sheetRows]int32 // their numbers
	sums  [sheetRows]int32 // of leaves
	words []uint64         // by column
}

func (s *sheet) add(row int, sum int32) {
	s.rows[s.count], s.sums[s.count] = int32(row), sum
	s.count++
}

func (s *sheet) full() bool { return s.count == sheetRows }

// turn makes words of columns from rows of bins.
func (s *sheet) turn(bins []uint8, width int) {
	for eight := range (s.count + 7) / 8 {
		rows := s.rows[eight*8 : min(eight*8+8, s.count)]
		for k := 0; k < width; k += 8 {
			var w [8]uint64
			for i, row := range rows {
				w[i&7] = binary.LittleEndian.Uint64(bins[int(row)*width+k:])
			}
			transpose(&w)
			column := s.words[k*sheetWords+eight:]
			for i, word := range w {
				column[i*sheetWords] = word
			}
		}
	}
}

// transpose swaps rows and columns of eight words of eight bytes: first quarters of
// the square, then quarters of these, then bytes.
func transpose(w *[8]uint64) {
	for i := range 4 {
		swap(&w[i], &w[i+4], 32, 0x00000000ffffffff)
	}
	for _, i := range [4]int{0, 1, 4, 5} {
		swap(&w[i], &w[i+2], 16, 0x0000ffff0000ffff)
	}
	for i := 0; i < 8; i += 2 {
		swap(&w[i], &w[i+1], 8, 0x00ff00ff00ff00ff)
	}
}

// swap exchanges the upper parts of a with the lower parts of b.
func swap(a, b *uint64, shift uint, lower uint64) {
	t := (*a>>(shift&63) ^ *b) & lower
	*b ^= t
	*a ^= t << (shift & 63)
}

// addSymmetric adds the leaves of a tree. The answers of a row move down its byte,
// so that the first is the lowest bit in the end.
func (s *sheet) addSymmetric(splits []split, leaves *[leafRoom]int16) {
	var a, b, c, d uint64
	for _, q := range splits {
		w := (*[sheetWords]uint64)(s.words[int(q.column)*sheetWords:])
		over := uint64(columnCuts-q.above) * ones
		a = a>>1 | (w[0]+over)&uppers
		b = b>>1 | (w[1]+over)&uppers
		c = c>>1 | (w[2]+over)&uppers
		d = d>>1 | (w[3]+over)&uppers
	}
	rest := (MostDepth - len(splits)) & 63
	addLeaves((*[8]int32)(s.sums[0:]), leaves, a>>rest)
	addLeaves((*[8]int32)(s.sums[8:]), leaves, b>>rest)
	addLeaves((*[8]int32)(s.sums[16:]), leaves, c>>rest)
	addLeaves((*[8]int32)(s.sums[24:]), leaves, d>>rest)
}

// addLeaves adds to eight sums the leaves whose numbers are the bytes of a word.
func addLeaves(sums *[8]int32, leaves *[leafRoom]int16, numbers uint64) {
	sums[0] += int32(leaves[uint8(numbers)])
	sums[1] += int32(leaves[uint8(numbers>>8)])
	sums[2] += int32(leaves[uint8(numbers>>16)])
	sums[3] += int32(leaves[uint8(numbers>>24)])
	sums[4] += int32(leaves[uint8(numbers>>32)])
	sums[5] += int32(leaves[uint8(numbers>>40)])
	sums[6] += int32(leaves[uint8(numbers>>48)])
	sums[7] += int32(leaves[uint8(numbers>>56)])
}
