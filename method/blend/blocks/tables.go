package blocks

// Tables tell what was learned of single words: how much more, or less, of the
// story stands where they are than elsewhere. Words are known by their hash
// only, so that a table is an array; the few that share a place share a value.
type Tables struct {
	// Names are the words of class and id attributes, Openings those that
	// blocks begin and end with. Kinds are those by which a page tells what
	// kind it is: above zero for articles.
	Names, Openings, Kinds [TableSize]int8
}

// TableSize is the number of places of a table.
const TableSize = 1 << 15

// Unit is what a value of a table is counted in: this many make a step of
// one in log-odds.
const Unit = 16

// seed and step are those of the hash FNV-1a (Fowler, Noll and Vo).
const (
	seed = 2166136261
	step = 16777619
)

// place is where a hash stands in a table.
func place(h uint32) uint32 { return (h ^ h>>15) & (TableSize - 1) }

// eachName calls do with the place of every word of a class or id attribute,
// such as "c-related_box" or "shareBar", in lower case and without digits.
func eachName(names string, do func(place uint32)) {
	h, n := uint32(seed), 0
	flush := func() {
		if n > 1 {
			do(place(h))
		}
		h, n = seed, 0
	}
	upper := false
	for i := range len(names) {
		c := names[i]
		if !isLetter(c) {
			flush()
			upper = false
			continue
		}
		if isUpper(c) && !upper {
			flush()
		}
		upper = isUpper(c)
		h = (h ^ uint32(c|0x20)) * step
		n++
	}
	flush()
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
