package nce

import (
	"iter"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Words are compared by their hashes; these two stand for what is folded.
const (
	anyNumber uint32 = iota
	besideNumber
)

// appendBag appends the words of s in order of their hashes, folded so that two
// dates look the same whatever the language: every run of digits is one and
// the same word, and so is every word beside one. That takes in the names of
// months and days, AM and PM, "hours ago", 年月日, without a list of any of them.
func appendBag(bag []uint32, s string) []uint32 {
	start := len(bag)
	afterNumber := false
	for w := range words(s) {
		last := len(bag) - 1
		switch {
		case w.number:
			if last >= start && bag[last] != anyNumber {
				bag[last] = besideNumber
			}
			bag = append(bag, anyNumber)
		case afterNumber:
			bag = append(bag, besideNumber)
		default:
			bag = append(bag, w.hash)
		}
		afterNumber = w.number
	}
	slices.Sort(bag[start:])
	return bag
}

// alike reports whether two sorted bags are: the F1 measure of one with respect
// to the other, as the paper defines it, is at least least.
func alike(a, b []uint32, least float64) bool {
	need := least * float64(len(a)+len(b))
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

// words goes through the words of s, in lower case. Apostrophe and hyphen do
// not part a word; where words are written without spaces, every character is
// one.
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
				k, c = kindOf(c), unicode.ToLower(c)
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
			w.hash = max((w.hash^uint32(c))*fnvPrime, besideNumber+1) // the numbers below are taken
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

// kind sorts characters as dom does to count words.
type kind uint8

const (
	gap kind = iota
	letter
	digit
	ideograph
	joiner
)

// asciiKind and asciiCase are tables. Read only.
var asciiKind, asciiCase = func() (kinds [utf8.RuneSelf]kind, lower [utf8.RuneSelf]rune) {
	for c := range kinds {
		switch {
		case c >= 'a' && c <= 'z', c == '_':
			kinds[c] = letter
		case c >= 'A' && c <= 'Z':
			kinds[c], lower[c] = letter, 0x20
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
