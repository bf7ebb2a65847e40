package stories

import (
	"strings"
	"unicode/utf8"
)

// A word is a word of a text, normalised so that house style costs little:
// case, accents, typographic variants of letters and digits, apostrophes,
// points of abbreviations and thousands separators make no difference, and a
// number is a word of its own ("10km" is "10 km"). Scripts without spaces are
// cut into runs of characters.
type word struct {
	hash       uint64
	start, end int // bytes of the text
}

// scanner finds the words of a text. Ligatures and composed letters are those of
// normalization form KC.
type scanner struct {
	text string
	all  *runeTable
	pos  int

	// Of the word so far:
	kind  kind
	hash  uint64
	runes int  // characters without marks
	since int  // characters since the last point or separator
	last  rune // the last character that is no mark
}

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// mix spreads the bits of a hash (the finalizer of SplitMix64).
func mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// splitWords returns the words of a text.
func splitWords(text string) []word {
	list := make([]word, 0, len(text)/6+1)
	s := &scanner{text: text, all: allRunes()}
	for {
		w, ok := s.next()
		if !ok {
			return list
		}
		list = append(list, w)
	}
}

// next returns the next word. The hash is the same on all machines.
func (s *scanner) next() (w word, ok bool) {
	s.kind = noWord
	for s.pos < len(s.text) {
		r, size := rune(s.text[s.pos]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s.text[s.pos:])
		}
		c := s.all.info(r)
		switch {
		case s.kind == noWord && c.kind < letters: // between words
			s.pos += size
			continue
		case s.kind == noWord:
			s.kind, s.hash, s.runes, s.since, w.start = c.kind, fnvOffset, 0, 0, s.pos
			s.put(c.fold)
		case c.kind == skipped:
		case c.kind == mark:
			s.addHash(c.fold)
		case c.kind == s.kind && !s.cut(c.fold):
			s.put(c.fold)
		case c.kind != noWord || !s.joins(r, s.text[s.pos+size:]):
			w.hash = mix(s.hash)
			return w, true
		}
		s.pos += size
		w.end = s.pos
	}
	w.hash = mix(s.hash)
	return w, s.kind != noWord
}

// put adds a character to the word.
func (s *scanner) put(r rune) {
	s.addHash(r)
	s.runes++
	s.since++
	s.last = r
}

func (s *scanner) addHash(r rune) {
	h := s.hash
	for ; r >= utf8.RuneSelf; r >>= 8 {
		h = (h ^ uint64(r&0xff)) * fnvPrime
	}
	s.hash = (h ^ uint64(r)) * fnvPrime
}

// joins reports whether the word goes on after a character that is not part of it:
// an apostrophe between letters, a point of "U.S.", a separator of thousands, or the
// mark in 1.5, 1,5 and 14:30, which all count as the same.
func (s *scanner) joins(r rune, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	if s.all.info(next).kind != s.kind {
		return false
	}
	switch {
	case s.kind == letters && r == '.' && s.since == 1:
		s.since = 0
		return true
	case s.kind == letters:
		return apostrophe(r)
	case s.kind != digits:
		return false
	case s.since <= 3 && strings.ContainsRune(".,'’ \u00a0\u202f\u2009", r) && threeDigits(rest):
		s.since = 0
		return true
	case r == '.', r == ',', r == ':':
		s.addHash('.')
		s.since = 4 // no thousands after a decimal point
		return true
	}
	return false
}

func threeDigits(s string) bool {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n == 3
}

// cut reports whether a run of characters of a script without spaces ends
// before r. It depends on the two characters at the place alone, so that a
// passage is cut in the same way wherever it stands, and an edit changes the
// two runs that it touches and no more.
func (s *scanner) cut(r rune) bool {
	if s.kind < han {
		return false
	}
	n := uint64(3)
	if s.kind == han {
		n = 2
	}
	return s.runes >= 12 || mix(uint64(s.last)<<32|uint64(r))%n == 0
}
