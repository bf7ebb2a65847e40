package metadata

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a number, a word or a sign of a text that may hold a date.
type token struct {
	text  string
	value int // of a number with at most nine digits
	at    int // where it begins
	kind  tokenKind
	glued bool // nothing stands between it and the token before
}

type tokenKind uint8

const (
	endToken tokenKind = iota
	numberToken
	wordToken
	signToken
)

// appendTokens cuts a text into tokens. Han and Kana characters are words by themselves.
func appendTokens(out []token, s string) []token {
	const mostTokens = 400
	glued := false
	for i := 0; i < len(s) && len(out) < mostTokens; {
		r, n := utf8.DecodeRuneInString(s[i:])
		t := token{glued: glued, at: i}
		glued = true
		switch {
		case unicode.IsSpace(r) || r == 0x200E || r == 0x200F || r == 0xFEFF:
			glued = false
			i += n
			continue
		case digitOf(r) >= 0:
			t.kind = numberToken
			end := i
			for end < len(s) {
				r, n := utf8.DecodeRuneInString(s[end:])
				v := digitOf(r)
				if v < 0 {
					break
				}
				if end-i < 9 {
					t.value = t.value*10 + v
				}
				end += n
			}
			t.text = s[i:end]
		case ideograph(r):
			t.kind, t.text = wordToken, s[i:i+n]
		case unicode.IsLetter(r):
			t.kind = wordToken
			end := i
			for end < len(s) {
				r, n := utf8.DecodeRuneInString(s[end:])
				if ideograph(r) || !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) {
					break
				}
				end += n
			}
			t.text = s[i:end]
		default:
			t.kind, t.text = signToken, s[i:i+n]
		}
		i += len(t.text)
		out = append(out, t)
	}
	return out
}

// hasDigit reports whether a text has a digit of digitOf.
func hasDigit(s string) bool {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if isDigit(c) {
				return true
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if digitOf(r) >= 0 {
			return true
		}
		i += n
	}
	return false
}

// digitOf is the value of a digit in the scripts that newspapers print dates
// in, or -1.
func digitOf(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r < 0x660:
	case r <= 0x669: // Arabic
		return int(r - 0x660)
	case r >= 0x6F0 && r <= 0x6F9: // Persian
		return int(r - 0x6F0)
	case r >= '０' && r <= '９':
		return int(r - '０')
	}
	return -1
}

func (t token) isSign(signs string) bool {
	return t.kind == signToken && strings.Contains(signs, t.text)
}

func (t token) isWord(list ...string) bool {
	if t.kind != wordToken {
		return false
	}
	for _, w := range list {
		if strings.EqualFold(t.text, w) {
			return true
		}
	}
	return false
}

// digits reports whether t is a number of so many digits.
func (t token) digits(least, most int) bool {
	if t.kind != numberToken {
		return false
	}
	n := utf8.RuneCountInString(t.text)
	return least <= n && n <= most
}
