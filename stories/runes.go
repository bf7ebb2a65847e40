package stories

import (
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// kind is what a character is to the word that it stands in.
type kind uint8

const (
	noWord  kind = iota
	skipped      // has no effect on what is read: accents, soft hyphens, joiners, direction marks
	mark         // vowel signs and the like, which belong to what is before them
	letters
	digits
	han  // about two characters are a word
	kana // three
	thai // Thai, Lao, Khmer, Myanmar: three, without vowel marks
)

// runeInfo is what words need to know about a character.
type runeInfo struct {
	fold rune // without accents, in lower case
	kind kind
	// group is how many letters of the script are compared together because words are
	// not separated or grow at both ends, or 0.
	group int8
}

// runeTable has the characters of the Basic Multilingual Plane. Searching the tables of
// Unicode for each would make lede stories 17 % slower.
type runeTable [1 << 16]runeInfo

var allRunes = sync.OnceValue(func() *runeTable {
	t := new(runeTable)
	for r := range t {
		t[r] = newRuneInfo(rune(r))
	}
	return t
})

func (t *runeTable) info(r rune) runeInfo {
	if r < 1<<16 {
		return t[r]
	}
	return newRuneInfo(r)
}

func newRuneInfo(r rune) runeInfo {
	switch {
	case accent(r), unicode.Is(unicode.Cf, r):
		return runeInfo{kind: skipped}
	case unicode.IsMark(r):
		return runeInfo{fold: r, kind: mark}
	case unicode.IsDigit(r):
		value := rune(0) // of a digit of any script, which come in tens
		for unicode.IsDigit(r - value - 1) {
			value++
		}
		return runeInfo{fold: '0' + value%10, kind: digits}
	case unicode.IsLetter(r) && !apostrophe(r):
		kind, group := script(r)
		return runeInfo{fold: foldLetter(r), kind: kind, group: group}
	}
	return runeInfo{}
}

// script returns what kind of word a letter is part of, and its group.
func script(r rune) (kind, int8) {
	switch {
	case r < 0x0e00:
		return letters, 0
	case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return thai, 3
	case unicode.Is(unicode.Han, r):
		return han, 2
	case unicode.In(r, unicode.Hiragana, unicode.Katakana), r == 'ー', r == 'ｰ':
		return kana, 2
	case unicode.Is(unicode.Hangul, r):
		return letters, 2
	}
	return letters, 0
}

// sameLetters are letters that are often written for one another.
var sameLetters = map[rune]rune{
	'ı': 'i', 'ł': 'l', 'ø': 'o', 'đ': 'd', 'ς': 'σ', 'ى': 'ي', 'ی': 'ي', 'ک': 'ك', 'ة': 'ه',
}

// foldLetter returns a letter without accents, in lower case. One that consists of
// several others stays as it is.
func foldLetter(r rune) rune {
	folded := rune(0)
	for _, c := range norm.NFKD.String(string(r)) {
		switch {
		case accent(c):
		case folded != 0:
			return r
		default:
			folded = unicode.ToLower(c)
		}
	}
	if same, ok := sameLetters[folded]; ok {
		return same
	}
	return folded
}

// accent reports whether a mark is often left out: accents of Latin, Greek
// and Cyrillic letters, vowel signs of Arabic and Hebrew, the kashida.
func accent(r rune) bool {
	return 0x300 <= r && r <= 0x36f || 0x591 <= r && r <= 0x5c7 || 0x64b <= r && r <= 0x65f || r == 0x670 || r == 0x640
}

// apostrophe reports whether a character is written for an apostrophe.
func apostrophe(r rune) bool {
	switch r {
	case '\'', '’', '‘', 'ʼ', '`', '´', '′':
		return true
	}
	return false
}
