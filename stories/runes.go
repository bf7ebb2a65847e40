package stories

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// runeTable has what words need to know about the characters of the Basic Multilingual
// Plane. Searching the tables of Unicode for each would make lede stories 17 % slower.
type runeTable [1 << 16]runeInfo

// runeInfo is about one character.
type runeInfo struct {
	// fold is the letter without accents, in lower case; 0 if it is no letter, or not as
	// simple as that.
	fold  uint16
	kind  kind // of the letter
	group int8 // see groupLetters
	word  bool // a letter or a digit
	mark  bool
}

var allRunes = sync.OnceValue(func() *runeTable {
	t := new(runeTable)
	for r := rune(0); r < rune(len(t)); r++ {
		if 0xd800 <= r && r < 0xe000 { // no characters
			continue
		}
		info := runeInfo{group: int8(scriptGroup(r)), word: unicode.IsLetter(r) || unicode.IsDigit(r), mark: unicode.IsMark(r)}
		if unicode.IsLetter(r) && !invisible(r) && !apostrophe(r) {
			info.kind = kindOf(r)
			info.fold = simpleFold(r, info.kind)
		}
		t[r] = info
	}
	return t
})

// simpleFold returns what fold of a scanner makes of a letter, if that is one letter.
func simpleFold(r rune, k kind) uint16 {
	folded := rune(0)
	switch d := norm.NFKD.PropertiesString(string(r)).Decomposition(); {
	case k == han:
		folded = r
	case len(d) > 0:
		for len(d) > 0 {
			c, n := utf8.DecodeRune(d)
			d = d[n:]
			switch {
			case accent(c):
			case folded != 0:
				return 0
			default:
				folded = unicode.ToLower(c)
			}
		}
	case !accent(r):
		folded = unicode.ToLower(r)
	}
	if folded >= 1<<16 || unicode.IsMark(folded) {
		return 0
	}
	return uint16(folded)
}
