package twcem

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// shortWord is the most letters of a word that says nothing: "the", "of",
// "для", "και", "من". A word of a title that is no longer counts for nothing.
const shortWord = 3

// lexer reads the words of a text. Words are told by their hash, so that none
// is copied.
type lexer struct {
	text string
	at   int
}

// word is a run of letters and digits or, in a script that puts no space
// between words, a character.
type word struct {
	hash    uint64
	letters int // 1 for such a character
	single  bool
}

// counts tells the words that are compared from those that every text has.
func (w word) counts() bool { return w.single || w.letters > shortWord }

const (
	hashSeed  = 14695981039346656037
	hashPrime = 1099511628211
)

// next is the next word; false at the end.
func (l *lexer) next() (w word, ok bool) {
	w.hash = hashSeed
	for l.at < len(l.text) {
		if c := l.text[l.at]; c < 0x80 {
			l.at++
			switch {
			case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			case c >= 'A' && c <= 'Z':
				c |= 0x20
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
		switch sortOf(r) {
		case apart:
			if w.letters == 0 {
				l.at += size
				return word{hash: uint64(r), letters: 1, single: true}, true
			}
			return w, true
		case part:
			w.hash = (w.hash ^ uint64(lower(r))) * hashPrime
			w.letters++
			if r >= 0xAC00 && r <= 0xD7A3 {
				w.letters++ // a syllable of Hangul is two letters or three
			}
		case sign:
			if w.letters > 0 {
				return w, true
			}
		}
		l.at += size
	}
	return w, w.letters > 0
}

// sort is what a character does to a word.
type sort uint8

const (
	sign  sort = iota // ends it
	part              // goes on with it
	apart             // is one
	mute              // is not there: points, accents on their own, joiners
)

func sortOf(r rune) sort {
	switch {
	case r >= 0xC0 && r < 0x250 && r != 0xD7 && r != 0xF7, r >= 0x400 && r < 0x482:
		return part
	case r >= 0x4E00 && r < 0xA000, r >= 0x3400 && r < 0x4DC0, r >= 0x20000 && r < 0x40000, r == 'ー':
		return apart
	case r == 0x640 || r == 0x200C || r == 0x200D || r == 0xAD: // tatweel, joiners, soft hyphen
		return mute
	case unicode.IsMark(r):
		return mute
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return apart
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return part
	}
	return sign
}

// lower folds case, and what capitals leave out in Greek.
func lower(r rune) rune {
	switch r = unicode.ToLower(r); r {
	case 'ά':
		return 'α'
	case 'έ':
		return 'ε'
	case 'ή':
		return 'η'
	case 'ί':
		return 'ι'
	case 'ό':
		return 'ο'
	case 'ύ':
		return 'υ'
	case 'ώ':
		return 'ω'
	case 'ς':
		return 'σ'
	}
	return r
}

// mostWords is how many words of a title are compared; they fit the bits of a
// machine word, and no headline is longer.
const mostWords = 64

// glossary holds the words of a title, and where they stand in the rows.
type glossary struct {
	slots [4 * mostWords]slot // open addressing by hash
	words []entry             // the different words
	order []uint8             // the title, as indexes into words
	size  int                 // words of the title that are no stop words

	found []uint8 // words of the title in the rows, one row after the other
	ends  []int32 // where the words of each row end in found
}

type slot struct {
	hash uint64
	id   uint8 // in words, from 1 up; 0 for a free slot
}

type entry struct {
	word
	rows int32  // how many have it
	last int32  // the last of them, from 1 up
	mask uint64 // its places in the title, unless it is a stop word
}

func glossaryOf(title string) *glossary {
	g := &glossary{}
	for l := (lexer{text: title}); len(g.order) < mostWords; {
		w, ok := l.next()
		if !ok {
			break
		}
		if !w.counts() {
			continue
		}
		s := g.slot(w.hash)
		if s.id == 0 {
			g.words = append(g.words, entry{word: w})
			*s = slot{w.hash, uint8(len(g.words))}
		}
		g.order = append(g.order, s.id-1)
	}
	return g
}

// slot is where a word is, or would be.
func (g *glossary) slot(hash uint64) *slot {
	i := (hash ^ hash>>32) % uint64(len(g.slots))
	for g.slots[i].id != 0 && g.slots[i].hash != hash {
		i = (i + 1) % uint64(len(g.slots))
	}
	return &g.slots[i]
}

// shared reports whether a text has one of the words. An empty title shares
// with anything.
func (g *glossary) shared(text string) bool {
	if len(g.words) == 0 {
		return true
	}
	for l := (lexer{text: text}); ; {
		w, ok := l.next()
		if !ok {
			return false
		}
		if w.counts() && g.slot(w.hash).id != 0 {
			return true
		}
	}
}

// read notes the words of the title that the next row has.
func (g *glossary) read(text string) {
	n := int32(len(g.ends) + 1)
	for l := (lexer{text: text}); len(g.words) > 0; {
		w, ok := l.next()
		if !ok {
			break
		}
		if !w.counts() {
			continue
		}
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

// settle is called when all rows are read: words that are short and stand in
// too many of them are stop words, the others get their places in the title.
func (g *glossary) settle(few, many int32) {
	const short = 5 // letters: "with", "after"
	for _, id := range g.order {
		e := &g.words[id]
		if g.rowCount() > few && e.rows > many && (e.single || e.letters <= short) {
			continue
		}
		e.mask |= 1 << g.size
		g.size++
	}
}

func (g *glossary) rowCount() int32 { return int32(len(g.ends)) }

// lcs is the length of the longest common subsequence of the title and the
// rows from a to b (Section III.C.3): a bit of v is 0 where a subsequence got
// longer (Hyyrö, Bit-parallel LCS-length computation revisited, 2004).
func (g *glossary) lcs(a, b int) int {
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

// compare is the longest common subsequence with a text, and how many words
// that count the text has.
func (g *glossary) compare(text string) (same, of int) {
	v := ^uint64(0)
	for l := (lexer{text: text}); ; {
		w, ok := l.next()
		if !ok {
			return bits.OnesCount64(^v & (1<<g.size - 1)), of
		}
		if !w.counts() {
			continue
		}
		of++
		if s := g.slot(w.hash); s.id != 0 {
			u := v & g.words[s.id-1].mask
			v = (v + u) | (v - u)
		}
	}
}
