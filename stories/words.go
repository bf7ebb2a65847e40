package stories

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
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

// scanner finds the words of a text.
type scanner struct {
	text string
	all  *runeTable
	pos  int

	hash  uint64
	start int
	end   int
	kind  kind
	runes int  // characters without marks
	since int  // characters since the last point or separator in the word
	last  rune // the last character that is no mark
}

// kind is what a word consists of.
type kind uint8

const (
	noWord kind = iota
	letters
	digits
	han  // about two characters are a word
	kana // three
	thai // Thai, Lao, Khmer, Myanmar: three, without vowel marks
)

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

// newScanner returns a scanner of a text in normalization form C: composed
// and decomposed letters are the same.
func newScanner(text string) *scanner {
	return &scanner{text: text, all: allRunes()}
}

// next returns the next word. The hash is the same on all machines and in all
// versions of lede.
func (s *scanner) next() (word, bool) {
	s.kind = noWord
	for s.pos < len(s.text) {
		if s.kind == letters && s.takeASCII() {
			continue
		}
		r, size := rune(s.text[s.pos]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s.text[s.pos:])
		}
		if !s.take(r, size) {
			if s.kind != noWord {
				break
			}
			s.pos += size
		}
	}
	if s.kind == noWord {
		return word{}, false
	}
	return word{mix(s.hash), s.start, s.end}, true
}

// takeASCII adds ASCII letters to a word of letters: what take does for each of
// them, in a fraction of the time.
func (s *scanner) takeASCII() bool {
	h, i := s.hash, s.pos
	for ; i < len(s.text); i++ {
		c := s.text[i] | 0x20
		if c < 'a' || c > 'z' {
			break
		}
		h = (h ^ uint64(c)) * fnvPrime
	}
	n := i - s.pos
	if n == 0 {
		return false
	}
	s.hash, s.pos, s.end = h, i, i
	s.runes += n
	s.since += n
	return true
}

// take adds the character at the position to the word and moves past it. It
// returns false at the end of the word, or if there is none yet.
func (s *scanner) take(r rune, size int) bool {
	switch {
	case 'a' <= r && r <= 'z':
		return s.add(r, size, letters)
	case 'A' <= r && r <= 'Z':
		return s.add(r+'a'-'A', size, letters)
	case '0' <= r && r <= '9':
		return s.add(r, size, digits)
	case r >= utf8.RuneSelf && r < 1<<16 && s.all[r].fold != 0:
		return s.add(rune(s.all[r].fold), size, s.all[r].kind)
	case s.kind == digits && s.joinsDigits(r, size):
		return true
	case s.kind == letters && s.joinsLetters(r, size):
		return true
	case r < utf8.RuneSelf:
		return false
	case s.kind != noWord && invisible(r):
		s.pos += size
		return true
	case unicode.IsLetter(r):
		return s.fold(r, size, kindOf(r))
	case unicode.IsDigit(r):
		return s.add('0'+digitValue(r), size, digits)
	case unicode.IsMark(r):
		if s.kind == noWord || s.kind == digits {
			return false
		}
		return s.fold(r, size, s.kind)
	case unicode.IsNumber(r): // ½, ²
		return s.fold(r, size, digits)
	}
	return false
}

// joinsLetters skips a mark that does not end a word of letters: an
// apostrophe between letters, the points of "U.S." and the like.
func (s *scanner) joinsLetters(r rune, size int) bool {
	switch {
	case apostrophe(r):
	case r == '.':
		if s.since != 1 {
			return false
		}
	default:
		return false
	}
	next, _ := utf8.DecodeRuneInString(s.text[s.pos+size:])
	if !unicode.IsLetter(next) || kindOf(next) != letters {
		return false
	}
	if r == '.' {
		s.since = 0
	}
	s.pos += size
	return true
}

// apostrophe reports whether a character is written for an apostrophe.
func apostrophe(r rune) bool {
	switch r {
	case '\'', '’', '‘', 'ʼ', '`', '´', '′':
		return true
	}
	return false
}

// joinsDigits skips a thousands separator, and takes the mark between the
// parts of 1.5, 1,5 and 14:30.
func (s *scanner) joinsDigits(r rune, size int) bool {
	rest := s.text[s.pos+size:]
	if len(rest) == 0 || rest[0] < '0' || rest[0] > '9' {
		return false
	}
	switch r {
	case '.', ',', '\'', '’', ' ', '\u00a0', '\u202f', '\u2009':
		if s.since <= 3 && threeDigits(rest) {
			s.since = 0
			s.pos += size
			return true
		}
	}
	switch r {
	case '.', ',', ':':
		s.hash = (s.hash ^ '.') * fnvPrime
		s.since = 4 // no thousands after a decimal point
		s.pos += size
		return true
	}
	return false
}

func threeDigits(s string) bool {
	for i := range 3 {
		if i >= len(s) || s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) == 3 || s[3] < '0' || s[3] > '9'
}

// fold adds a character without its accents, in lower case.
func (s *scanner) fold(r rune, size int, k kind) bool {
	if k == han {
		return s.add(r, size, k)
	}
	d := norm.NFKD.PropertiesString(s.text[s.pos : s.pos+size]).Decomposition()
	if len(d) == 0 {
		if accent(r) {
			s.pos += size
			s.end = s.pos
			return true
		}
		return s.add(unicode.ToLower(r), size, k)
	}
	for i := 0; i < len(d); {
		r, n := utf8.DecodeRune(d[i:])
		i += n
		if accent(r) {
			continue
		}
		if size > 0 {
			if !s.add(unicode.ToLower(r), size, k) {
				return false
			}
			size = 0
			continue
		}
		s.put(unicode.ToLower(r))
	}
	if size > 0 { // nothing but accents
		s.pos += size
	}
	return true
}

// add adds a character to the word, unless the word ends before it.
func (s *scanner) add(r rune, size int, k kind) bool {
	mark := r >= utf8.RuneSelf && s.all.isMark(r)
	switch {
	case s.kind == noWord:
		s.kind, s.hash, s.start, s.runes, s.since, s.last = k, fnvOffset, s.pos, 0, 0, 0
	case mark:
	case s.kind != k:
		return false
	case k >= han && s.cut(r):
		return false
	}
	s.put(r)
	if !mark {
		s.runes++
		s.since++
		s.last = r
	}
	s.pos += size
	s.end = s.pos
	return true
}

// put adds a character to the hash.
func (s *scanner) put(r rune) {
	h := s.hash
	for ; r >= utf8.RuneSelf; r >>= 8 {
		h = (h ^ uint64(r&0xff)) * fnvPrime
	}
	s.hash = (h ^ uint64(r)) * fnvPrime
}

// cut reports whether a run of characters of a script without spaces ends
// before r. It depends on the two characters at the place alone, so that a
// passage is cut in the same way wherever it stands, and an edit changes the
// two runs that it touches and no more.
func (s *scanner) cut(r rune) bool {
	n := uint64(3)
	if s.kind == han {
		n = 2
	}
	return s.runes >= 12 || mix(uint64(s.last)<<32|uint64(r))%n == 0
}

// kindOf returns what kind of word a letter is part of.
func kindOf(r rune) kind {
	switch {
	case r < 0x0e00:
		return letters
	case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return thai
	case r < 0x2e80:
		return letters
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.In(r, unicode.Hiragana, unicode.Katakana), r == 'ー', r == 'ｰ':
		return kana
	}
	return letters
}

// accent reports whether a mark is often left out: accents of Latin, Greek
// and Cyrillic letters, vowel signs of Arabic and Hebrew, the kashida.
func accent(r rune) bool {
	return 0x300 <= r && r <= 0x36f || 0x591 <= r && r <= 0x5c7 || 0x64b <= r && r <= 0x65f || r == 0x670 || r == 0x640
}

// invisible reports whether a character has no effect on what is read: soft
// hyphens, joiners, direction marks.
func invisible(r rune) bool {
	return r == 0x640 || unicode.Is(unicode.Cf, r)
}

// digitValue returns the value of a decimal digit of any script.
func digitValue(r rune) rune {
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return (r - rune(t.Lo)) % 10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return (r - rune(t.Lo)) % 10
		}
	}
	return 0
}
