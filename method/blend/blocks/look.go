package blocks

import (
	"unicode"
	"unicode/utf8"
)

// look is what the characters of a block tell.
type look struct {
	hash                     uint32
	letters, uppers, capital int16 // letters; upper-case ones; words that begin with one
	words                    int16
	first, last              kind
	year, clock              bool
	at, bar, copyright       bool
	questions, quotes        int16
	low, high                int16 // of the openings
	sum                      int16
	longest                  int16 // of the words, in bytes
}

// kind sorts the characters that a text begins or ends with.
type kind uint8

const (
	otherKind kind = iota
	lowerKind
	upperKind
	digitKind
	stopKind
	colonKind
	ellipsisKind
	quoteKind
	commaKind
	bracketKind
	arrowKind
	ideographKind
)

// far is how much of a block is looked at: the rest of a long one is like it.
const far = 600

func (l *look) read(text string, t *Tables) {
	h := uint32(seed)
	digits, run := 0, 0
	inWord := false
	first := true
	var before rune
	for i, r := range text {
		if i > far {
			break
		}
		h = (h ^ uint32(r)) * step
		k := kindOf(r)
		if first && r != ' ' && r != '\n' {
			l.first, first = k, false
		}
		isWord := k == lowerKind || k == upperKind || k == ideographKind
		if isWord {
			l.letters++
			if k == upperKind {
				l.uppers++
			}
			if !inWord {
				l.words++
				run = 0
				if k == upperKind {
					l.capital++
				}
			}
			run++
			l.longest = max(l.longest, int16(min(run, 1000)))
		}
		inWord = isWord || inWord && (r == '\'' || r == '’' || r == '-')
		if k == digitKind {
			digits++
			inWord = false
		} else {
			if digits == 4 {
				l.year = l.year || isYear(text[i-4:i])
			}
			if (digits == 1 || digits == 2) && before == ':' {
				l.clock = true
			}
			if digits > 0 && digits <= 2 && r == ':' {
				before = ':'
			} else if digits > 0 {
				before = 0
			}
			digits = 0
		}
		if isWord || r == ' ' {
			continue
		}
		switch r {
		case '@':
			l.at = true
		case '|', '·', '•', '›', '»', '→', '/':
			l.bar = true
		case '©':
			l.copyright = true
		case '?', '？':
			l.questions++
		case '"', '“', '”', '„', '«':
			l.quotes++
		}
	}
	if digits == 4 && len(text) <= far {
		l.year = l.year || isYear(text[len(text)-4:])
	}
	if (digits == 1 || digits == 2) && before == ':' {
		l.clock = true
	}
	l.hash = h
	end := len(text)
	for end > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:end])
		if r != ' ' && r != '\n' {
			l.last = kindOf(r)
			break
		}
		end -= size
	}
	eachOpening(text, func(p uint32) {
		x := int16(t.Openings[p])
		l.low, l.high = min(l.low, x), max(l.high, x)
		l.sum += x
	})
}

func isYear(s string) bool { return s[:2] == "19" || s[:2] == "20" }

// asciiKinds are the kinds of the first characters. Read only.
var asciiKinds = func() (t [utf8.RuneSelf]kind) {
	for i := range t {
		t[i] = findKind(rune(i))
	}
	return t
}()

func kindOf(r rune) kind {
	switch {
	case r >= 0 && r < utf8.RuneSelf:
		return asciiKinds[r]
	case r >= 0x430 && r <= 0x44F, r >= 0x3B1 && r <= 0x3C9: // most letters of Cyrillic and Greek
		return lowerKind
	case isIdeograph(r):
		return ideographKind
	}
	return findKind(r)
}

func findKind(r rune) kind {
	switch {
	case r >= 'a' && r <= 'z':
		return lowerKind
	case r >= 'A' && r <= 'Z':
		return upperKind
	case r >= '0' && r <= '9':
		return digitKind
	}
	switch r {
	case '.', '!', '?', '。', '！', '？', '؟', '।':
		return stopKind
	case ':', '：':
		return colonKind
	case '…':
		return ellipsisKind
	case '"', '\'', '“', '”', '„', '«', '»', '’', '‘', '「', '」', '『', '』':
		return quoteKind
	case ',', ';', '，', '、', '；', '-', '–', '—':
		return commaKind
	case '(', ')', '[', ']', '（', '）', '【', '】':
		return bracketKind
	case '>', '›', '→', '▸', '▶', '←', '<', '‹', '+', '#', '*', '•', '|', '·':
		return arrowKind
	}
	switch {
	case r < utf8.RuneSelf:
		return otherKind
	case unicode.IsUpper(r):
		return upperKind
	case unicode.IsLetter(r):
		return lowerKind
	}
	return otherKind
}
