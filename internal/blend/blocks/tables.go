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

// names goes through the words of a class or id attribute, such as
// "c-related_box" or "shareBar", in lower case and without digits.
type names struct {
	text string
	at   int
}

// next is the place of the next word, if there is one. A letter by itself is none.
func (w *names) next() (p uint32, ok bool) {
	text, i := w.text, w.at
	for i < len(text) {
		h, from := uint32(seed), i
		for i < len(text) && isUpper(text[i]) {
			h = (h ^ uint32(text[i]|0x20)) * step
			i++
		}
		for i < len(text) && isLower(text[i]) {
			h = (h ^ uint32(text[i])) * step
			i++
		}
		switch i - from {
		case 0:
			i++
		case 1:
		default:
			w.at = i
			return place(h), true
		}
	}
	w.at = i
	return 0, false
}

// eachName calls do with the place of every word of a name.
func eachName(name string, do func(place uint32)) {
	w := names{text: name}
	for p, ok := w.next(); ok; p, ok = w.next() {
		do(p)
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isLower(c byte) bool  { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
