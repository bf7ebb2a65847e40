package nce

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words are compared by their hashes. These two stand for all numbers, and for
// words beside a number in a line with a date.
const (
	anyNumber uint32 = iota
	besideNumber
)

// appendBag appends the words of s sorted by hash. If dates is set, two dates look
// the same in any language: all runs of digits are the same word, and in a line with
// a year or a time of day so are all words beside a number. That covers the names of
// months, AM and PM, o'clock and 年月日 without listing them.
func appendBag(bag []uint32, s string, dates bool) []uint32 {
	start := len(bag)
	if dates {
		for line := range strings.SplitSeq(s, "\n") {
			bag = appendLine(bag, line)
		}
	} else {
		for w := range words(s) {
			bag = append(bag, w.hash)
		}
	}
	slices.Sort(bag[start:])
	return bag
}

func appendLine(bag []uint32, line string) []uint32 {
	start, numbers, dated := len(bag), 0, false
	afterNumber := false
	for w := range words(line) {
		last := len(bag) - 1
		switch {
		case w.number:
			if numbers++; numbers == 1 {
				dated = hasDate(line)
			}
			if dated && last >= start && bag[last] != anyNumber {
				bag[last] = besideNumber
			}
			bag = append(bag, anyNumber)
		case dated && afterNumber:
			bag = append(bag, besideNumber)
		default:
			bag = append(bag, w.hash)
		}
		afterNumber = w.number
	}
	return bag
}

// hasDate reports whether a line has a year, which is four digits, or a time of
// day, which is digits on both sides of a colon.
func hasDate(line string) bool {
	run, colon := 0, false
	for _, c := range line {
		if unicode.IsDigit(c) {
			if colon {
				return true
			}
			run++
			continue
		}
		if run == 4 {
			return true
		}
		colon, run = c == ':' && run > 0, 0
	}
	return run == 4
}

// similar reports whether the F1 measure of two sorted bags, as the paper defines
// it, is at least minF1.
func similar(a, b []uint32, minF1 float64) bool {
	need := minF1 * float64(len(a)+len(b))
	if 2*float64(min(len(a), len(b))) < need {
		return false
	}
	both := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			both, i, j = both+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return both > 0 && 2*float64(both) >= need
}

// word is a run of letters or of digits.
type word struct {
	hash   uint32
	number bool
}

// add adds a character. The hashes up to besideNumber are reserved.
func (w *word) add(c rune) { w.hash = max((w.hash^uint32(c))*fnvPrime, besideNumber+1) }

// words iterates over the words of s, in lower case. Apostrophes and hyphens do
// not separate words; in scripts without spaces every character is a word.
func words(s string) iter.Seq[word] {
	return func(yield func(word) bool) {
		var w word
		open := false
		for i := 0; i < len(s); {
			c, size := rune(s[i]), 1
			var k kind
			if c < utf8.RuneSelf {
				k, c = asciiKind[c], c|asciiCase[c]
			} else {
				c, size = utf8.DecodeRuneInString(s[i:])
				k, c = kindOf(c), lower(c)
			}
			i += size
			if k == joiner {
				continue
			}
			if open && (k == gap || k == ideograph || w.number != (k == digit)) {
				if !yield(w) {
					return
				}
				open = false
			}
			if k == gap {
				continue
			}
			if !open {
				w, open = word{hash: fnvOffset, number: k == digit}, true
			}
			w.add(c)
			for k == letter && i < len(s) && 'a' <= s[i] && s[i] <= 'z' { // as most letters are
				w.add(rune(s[i]))
				i++
			}
			if k == ideograph {
				if !yield(w) {
					return
				}
				open = false
			}
		}
		if open {
			yield(w)
		}
	}
}

// The hash is FNV-1a over characters.
const fnvOffset, fnvPrime = 2166136261, 16777619

// kind is the kind of a character, as dom distinguishes them to count words.
type kind uint8

const (
	gap kind = iota
	letter
	digit
	ideograph
	joiner
)

// asciiKind holds the kinds of ASCII characters, and asciiCase the bits that make
// them lower case. Read only.
var asciiKind, asciiCase = func() (kinds [utf8.RuneSelf]kind, small [utf8.RuneSelf]rune) {
	for c := range kinds {
		switch {
		case c >= 'a' && c <= 'z', c == '_':
			kinds[c] = letter
		case c >= 'A' && c <= 'Z':
			kinds[c], small[c] = letter, 0x20
		case c >= '0' && c <= '9':
			kinds[c] = digit
		case c == '\'' || c == '-':
			kinds[c] = joiner
		}
	}
	return
}()

func kindOf(c rune) kind {
	switch {
	case c == '’' || c == 'ʼ' || c == '‐' || c == '‑':
		return joiner
	case c >= 0x3040 && c <= 0x30FF, c >= 0x3400 && c <= 0x4DBF, c >= 0x4E00 && c <= 0x9FFF, c >= 0x20000 && c <= 0x3FFFF:
		return ideograph
	case unicode.IsLetter(c), unicode.Is(unicode.M, c):
		return letter
	case unicode.IsDigit(c):
		return digit
	}
	return gap
}

// lower returns c in lower case. It maps a final sigma to the usual one, as both
// have the same capital letter.
func lower(c rune) rune {
	if c == 'ς' {
		return 'σ'
	}
	return unicode.ToLower(c)
}

// wordSet is a set of words by their hashes, with open addressing. A map would
// cost as much as the rest of the method.
type wordSet struct {
	slots []uint32 // 0 is free; the length is a power of two
	used  int
}

func newWordSet(n int) *wordSet {
	size := 64
	for size < 2*n {
		size *= 2
	}
	return &wordSet{slots: make([]uint32, size)}
}

func (s *wordSet) slot(hash uint32) *uint32 {
	last := uint32(len(s.slots) - 1)
	i := hash & last
	for s.slots[i] != 0 && s.slots[i] != hash {
		i = (i + 1) & last
	}
	return &s.slots[i]
}

func (s *wordSet) add(hash uint32) {
	slot := s.slot(hash)
	if *slot == hash {
		return
	}
	*slot = hash
	if s.used++; 2*s.used <= len(s.slots) {
		return
	}
	old := s.slots
	s.slots = make([]uint32, 2*len(old))
	for _, h := range old {
		if h != 0 {
			*s.slot(h) = h
		}
	}
}

// share returns the share of the words of text that are in the set.
func (s *wordSet) share(text string) float64 {
	all, in := 0, 0
	for w := range words(text) {
		all++
		if *s.slot(w.hash) == w.hash {
			in++
		}
	}
	return float64(in) / float64(max(all, 1))
}

// isIn reports whether all words of the set are in text.
func (s *wordSet) isIn(text string) bool {
	all := newWordSet(0)
	for w := range words(text) {
		all.add(w.hash)
	}
	for _, h := range s.slots {
		if h != 0 && *all.slot(h) != h {
			return false
		}
	}
	return s.used > 0
}
