package markup

import (
	"math/bits"
	"strings"

	"golang.org/x/net/html/atom"
)

// Key is the name of an attribute as a number. Common names have the same number in
// every tree. See [Tree.Key].
type Key uint32

// The names that package dom looks for while it indexes a page.
const (
	noKey Key = iota
	AriaHidden
	Class
	Hidden
	Href
	ID
	Open
	Popover
	Role
	ShadowRoot
	ShadowRootMode
	Style
)

// commonKeys has the names of common attributes, first those of the constants. None
// begins with data-.
var commonKeys = append([]string{""}, strings.Fields(`
	aria-hidden class hidden href id open popover role shadowroot shadowrootmode style

	action alt as aria-expanded aria-label async border charset cellpadding cellspacing colspan content
	crossorigin d datetime decoding defer dir encoding fill for height http-equiv
	integrity itemid itemprop itemscope itemtype lang loading media method name onclick placeholder
	property public rel sizes src srcset stroke stroke-width system tabindex target title type value
	viewBox viewbox width x xmlns y`)...)

var (
	keyWords  = newWordTable(commonKeys)
	keyNumber = func() map[string]Key {
		m := make(map[string]Key)
		for i, name := range commonKeys {
			m[name] = Key(i)
		}
		return m
	}()
)

// Key returns the name of an attribute.
func (t *Tree) Key(k Key) string {
	if common := Key(len(commonKeys)); k >= common {
		return t.names[k-common]
	}
	return commonKeys[k]
}

// key returns the number of the name of an attribute.
func (t *Tree) key(name string) Key {
	if !strings.HasPrefix(name, "data-") { // most of the others
		if k, ok := keyNumber[name]; ok {
			return k
		}
	}
	return Key(len(commonKeys)) + Key(t.number(name))
}

// notAtom marks the name of an element that is no atom. The other bits are its number
// in Tree.names, so that all names of a tree are compared as numbers.
const notAtom atom.Atom = 1 << 31

// atom returns the name of an element as a number.
func (t *Tree) atom(name string) atom.Atom {
	if a := atom.Lookup([]byte(name)); a != 0 || name == "" {
		return a
	}
	return notAtom | atom.Atom(t.number(name))
}

// name is the reverse of atom.
func (t *Tree) name(a atom.Atom) string {
	if a&notAtom != 0 {
		return t.names[a&^notAtom]
	}
	return a.String()
}

// number finds or adds a rare name.
func (t *Tree) number(name string) uint32 {
	n, ok := t.numbers[name]
	if !ok {
		if t.numbers == nil {
			t.numbers = make(map[string]uint32)
		}
		n = uint32(len(t.names))
		t.names = append(t.names, name)
		t.numbers[name] = n
	}
	return n
}

// A word is a name of at most eight small letters and digits as a number, which is
// read, looked up and compared at once. Nearly all names of elements and attributes
// are words.

// readWord reads a word of s that begins at i. Its length is 0 if s ends too early.
func readWord(s string, i int) (word uint64, length int) {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	if i+9 > len(s) { // a byte follows the word
		return 0, 0
	}
	b := s[i : i+8]
	w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
	// The highest bit of each byte tells whether it is in a range.
	x := w &^ high
	letters := (x + (0x80-'a')*ones) &^ (x + (0x7f-'z')*ones)
	digits := (x + (0x80-'0')*ones) &^ (x + (0x7f-'9')*ones)
	others := ^(letters|digits)&high | w&high
	length = bits.TrailingZeros64(others) / 8
	return w & (1<<(8*length) - 1), length
}

// wordTable is a hash table of the words in a list.
type wordTable struct {
	words [wordSlots]uint64 // open addressing; 0 is empty
	index [wordSlots]uint8  // in the list
}

const wordSlots = 512 // several times as many as there are words

func newWordTable(list []string) *wordTable {
	t := &wordTable{}
	for i, name := range list {
		word, length := readWord(name+"         ", 0)
		if length == 0 || length != len(name) {
			continue
		}
		slot := wordSlot(word)
		for t.words[slot] != 0 {
			slot = (slot + 1) % wordSlots
		}
		t.words[slot], t.index[slot] = word, uint8(i)
	}
	return t
}

func wordSlot(word uint64) uint64 { return word * 0x9E3779B97F4A7C15 >> (64 - 9) }

// find returns the index of a word in the list, or 0.
func (t *wordTable) find(word uint64) uint8 {
	for slot := wordSlot(word); ; slot = (slot + 1) % wordSlots {
		if w := t.words[slot]; w == word || w == 0 {
			return t.index[slot]
		}
	}
}
