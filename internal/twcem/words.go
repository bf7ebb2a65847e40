package twcem

import (
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
