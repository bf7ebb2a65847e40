package twcem

import (
	"cmp"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lexer reads the words of a text. Words are identified by their hash, so that
// none is copied.
type lexer struct {
	text string
	at   int
}

// word is a run of letters and digits or, in a script without spaces between
// words, a character.
type word struct {
	hash    uint64
	letters int
	single  bool // a character of a script without spaces
}

const (
	hashSeed  = 14695981039346656037
	hashPrime = 1099511628211
)

// next returns the next word, or false at the end.
func (l *lexer) next() (w word, ok bool) {
	w.hash = hashSeed
	for l.at < len(l.text) {
		if c := l.text[l.at]; c < 0x80 {
			l.at++
			switch {
			case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			case c >= 'A' && c <= 'Z':
				c |= 0x20
			case c == '.' && w.letters > 0 && l.at < len(l.text) && isAlnum(l.text[l.at]):
				continue // "U.S.", "example.com"
			case w.letters > 0:
				return w, true
			default:
				continue
			}
			w.hash = (w.hash ^ uint64(c)) * hashPrime
			w.letters++
			continue
		}
		r, size := utf8.DecodeRuneInString(l.text[l.at:])
		switch kindOf(r) {
		case wholeWord:
			if w.letters == 0 {
				l.at += size
				return word{hash: uint64(r), letters: 1, single: true}, true
			}
			return w, true
		case letter:
			w.hash = (w.hash ^ uint64(lower(r))) * hashPrime
			w.letters++
			if r >= 0xAC00 && r <= 0xD7A3 {
				w.letters++ // a Hangul syllable has two or three letters
			}
		case separator:
			if w.letters > 0 {
				return w, true
			}
		}
		l.at += size
	}
	return w, w.letters > 0
}

// isAlnum reports whether c is an ASCII letter or digit.
func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// charKind is the role of a character in words.
type charKind uint8

const (
	separator charKind = iota
	letter
	wholeWord // in a script without spaces
	ignored   // combining marks, joiners
)

func kindOf(r rune) charKind {
	switch {
	case r >= 0xC0 && r < 0x250 && r != 0xD7 && r != 0xF7, r >= 0x400 && r < 0x482:
		return letter
	case r >= 0x4E00 && r < 0xA000, r >= 0x3400 && r < 0x4DC0, r >= 0x20000 && r < 0x40000, r == 'ー':
		return wholeWord
	case r == 0x640 || r == 0x200C || r == 0x200D || r == 0xAD: // tatweel, joiners, soft hyphen
		return ignored
	case unicode.IsMark(r):
		return ignored
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return wholeWord
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return letter
	}
	return separator
}

// firstGreek is the first letter in greek.
const firstGreek = 'ά'

// greek holds Greek letters as capitals have them, without accents. Read only.
var greek = [...]rune{'ά' - firstGreek: 'α', 'έ' - firstGreek: 'ε', 'ή' - firstGreek: 'η', 'ί' - firstGreek: 'ι',
	'ς' - firstGreek: 'σ', 'ό' - firstGreek: 'ο', 'ύ' - firstGreek: 'υ', 'ώ' - firstGreek: 'ω'}

// lower returns r in lower case, and without the accents that Greek capitals omit.
func lower(r rune) rune {
	r = unicode.ToLower(r)
	if i := int(r - firstGreek); i >= 0 && i < len(greek) {
		return cmp.Or(greek[i], r)
	}
	return r
}

// maxWords is the number of words of a title that are compared: one per bit of a
// machine word. No headline is longer.
const maxWords = 64

// vocabulary holds the words of a title, and their occurrences in the rows.
type vocabulary struct {
	slots [4 * maxWords]slot // open addressing by hash
	words []entry            // the different words
	order []uint8            // the title, as indexes into words
	size  int                // number of words of the title that are not stop words

	found []uint8 // words of the title in the rows, one row after the other
	ends  []int32 // where the words of each row end in found
}

type slot struct {
	hash uint64
	id   uint8 // in words, from 1 up; 0 for a free slot
}

type entry struct {
	word
	capitals bool   // in a title that is not all in capitals: "EU"
	rows     int32  // number of rows that have it
	last     int32  // the last of them, from 1 up
	mask     uint64 // its positions in the title, unless it is a stop word
}

func newVocabulary(title string) *vocabulary {
	g := &vocabulary{}
	l := lexer{text: title}
	mixed := strings.ToUpper(title) != title
	for from := 0; len(g.order) < maxWords; from = l.at {
		w, ok := l.next()
		if !ok {
			break
		}
		s := g.slot(w.hash)
		if s.id == 0 {
			g.words = append(g.words, entry{word: w, capitals: mixed && w.letters > 1 && isCapitals(title[from:l.at])})
			*s = slot{w.hash, uint8(len(g.words))}
		}
		g.order = append(g.order, s.id-1)
	}
	return g
}

// isCapitals reports whether a word is in capitals, or a number.
func isCapitals(s string) bool {
	return strings.ToUpper(s) == s && (strings.ToLower(s) != s || strings.ContainsAny(s, "0123456789"))
}

// slot returns the slot of a word, or the free one for it.
func (g *vocabulary) slot(hash uint64) *slot {
	i := (hash ^ hash>>32) % uint64(len(g.slots))
	for g.slots[i].id != 0 && g.slots[i].hash != hash {
		i = (i + 1) % uint64(len(g.slots))
	}
	return &g.slots[i]
}

// shared reports whether a text has one of the words or, if that has three letters
// or fewer, more than half of its words from them. Without any words it is true.
func (g *vocabulary) shared(text string) bool {
	const short = 3
	of, same := 0, 0
	l := lexer{text: text}
	for w, ok := l.next(); ok; w, ok = l.next() {
		of++
		if g.slot(w.hash).id == 0 {
			continue
		}
		if w.single || w.letters > short {
			return true
		}
		same++
	}
	return len(g.words) == 0 || 2*same > of
}

// read records the words of the title that the next row has.
func (g *vocabulary) read(text string) {
	n := int32(len(g.ends) + 1)
	l := lexer{text: text}
	for w, ok := l.next(); ok && len(g.words) > 0; w, ok = l.next() {
		s := g.slot(w.hash)
		if s.id == 0 {
			continue
		}
		g.found = append(g.found, s.id-1)
		if e := &g.words[s.id-1]; e.last != n {
			e.last = n
			e.rows++
		}
	}
	g.ends = append(g.ends, int32(len(g.found)))
}

// settle is called after all rows are read. It gives the words their positions in
// the title, without stop words if stop is true.
func (g *vocabulary) settle(stop bool) {
	for _, id := range g.order {
		e := &g.words[id]
		if stop && g.isStop(e) {
			continue
		}
		e.mask |= 1 << g.size
		g.size++
	}
}

// isStop reports whether a word of the title is a stop word: it is short, not in
// capitals like "EU", and found in many rows. A word of two letters is one in any
// case. On a page of a few rows, a word in most of them is not a stop word but what
// the page is about.
func (g *vocabulary) isStop(e *entry) bool {
	const few = 3
	const tiny, short, long = 2, 3, 5 // letters: "of", "the", "after"
	all := g.rowCount()
	most := all / 2
	switch {
	case e.single || e.capitals && e.letters <= short:
	case e.letters <= tiny:
		return true
	case e.letters <= short:
		most = max(2, all/8)
	case e.letters > long:
		return false
	}
	return all > few && e.rows > most
}

func (g *vocabulary) rowCount() int32 { return int32(len(g.ends)) }

// lcs returns the length of the longest common subsequence of the title and the
// rows from a to b (Section III.C.3): a bit of v is 0 where a subsequence got
// longer (Hyyrö, Bit-parallel LCS-length computation revisited, 2004).
func (g *vocabulary) lcs(a, b int) int {
	from := int32(0)
	if a > 0 {
		from = g.ends[a-1]
	}
	v := ^uint64(0)
	for _, id := range g.found[from:g.ends[b]] {
		u := v & g.words[id].mask
		v = (v + u) | (v - u)
	}
	return bits.OnesCount64(^v & (1<<g.size - 1))
}

// compare returns the length of the longest common subsequence with a text, and the
// number of words in the text that are not stop words.
func (g *vocabulary) compare(text string) (same, of int) {
	v := ^uint64(0)
	l := lexer{text: text}
	for w, ok := l.next(); ok; w, ok = l.next() {
		of++
		if s := g.slot(w.hash); s.id != 0 {
			u := v & g.words[s.id-1].mask
			v = (v + u) | (v - u)
		}
	}
	return bits.OnesCount64(^v & (1<<g.size - 1)), of
}
