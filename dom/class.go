package dom

import (
	"unicode"
	"unicode/utf8"
)

// class sorts characters by what they mean for counting.
type class uint8

const (
	other class = iota
	letter
	digit
	ideograph // a word by itself: scripts that put no space between words
	comma     // punctuation inside a sentence
	stop      // punctuation that ends a sentence
	space
	joiner    // inside a word: the apostrophe and the hyphen
	invisible // shown as nothing, and nothing to keep
)

var asciiClass = func() (t [256]class) {
	for c := range utf8.RuneSelf {
		switch r := rune(c); {
		case r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' || r == '\v':
			t[c] = space
		case r < ' ' || r == 0x7f:
			t[c] = invisible
		case r >= '0' && r <= '9':
			t[c] = digit
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_':
			t[c] = letter
		case r == '.' || r == '!' || r == '?':
			t[c] = stop
		case r == ',' || r == ';' || r == ':':
			t[c] = comma
		case r == '\'' || r == '-':
			t[c] = joiner
		}
	}
	return t
}()

// classOf sorts any character. The common scripts of news are told by range;
// the tables of package unicode decide the rest.
func classOf(r rune) class {
	switch {
	case r < 128:
		return asciiClass[r]
	case r < 0xC0:
		return latin1Class(r)
	case r == 0xD7 || r == 0xF7:
		return other
	case r < 0x370: // Latin
		return letter
	case r >= 0x400 && r < 0x482 || r >= 0x48A && r < 0x530: // Cyrillic
		return letter
	case r >= 0x4E00 && r <= 0x9FFF, r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FA, r >= 0x3400 && r <= 0x4DBF:
		return ideograph
	case r >= 0xAC00 && r <= 0xD7A3: // Hangul is written with spaces
		return letter
	}
	return rareClass(r)
}

func latin1Class(r rune) class {
	switch r {
	case 0xA0:
		return space
	case 0xAD:
		return invisible // soft hyphen
	case 0xAA, 0xB5, 0xBA:
		return letter
	}
	if r < 0xA0 {
		return invisible
	}
	return other
}

func rareClass(r rune) class {
	switch r {
	case 0x2028, 0x2029, 0x3000, 0x202F, 0x205F, 0x1680:
		return space
	case 0x200B, 0x2060, 0xFEFF:
		return invisible
	case 0x200C, 0x200D, 0x200E, 0x200F: // Persian, Indic and bidirectional words have them
		return joiner
	case '’', 'ʼ', '‐', '‑':
		return joiner
	case '。', '！', '？', '．', '؟', '۔', '।', '॥', '…', '։', '።', '｡':
		return stop
	case '，', '、', '；', '：', '،', '؛', '·', '׀', '׃', '､':
		return comma
	case '々', '〆', 'ー', '〇':
		return ideograph
	}
	if r >= 0x2000 && r <= 0x200A {
		return space
	}
	switch {
	case r >= 0x20000 && r <= 0x3FFFF:
		return ideograph
	case unicode.IsLetter(r), unicode.Is(unicode.Mn, r), unicode.Is(unicode.Mc, r):
		return letter
	case unicode.IsDigit(r):
		return digit
	}
	return other
}

func blank(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ', '\t', '\n', '\r', '\f', '\v':
			continue
		}
		if s[i] < 128 {
			return false
		}
		return blankWide(s[i:])
	}
	return true
}

func blankWide(s string) bool {
	for _, r := range s {
		if k := classOf(r); k != space && k != invisible && (r < 0x200C || r > 0x200F) {
			return false
		}
	}
	return true
}
