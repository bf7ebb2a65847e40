package metadata

import (
	"github.com/lede-news/lede/internal/words"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a number, a word or a punctuation character.
type token struct {
	text  string
	value int // of a number; only the first 9 digits count
	at    int // position in the text
	kind  tokenKind
	glued bool // not preceded by white space
}

type tokenKind uint8

const (
	endToken tokenKind = iota
	numberToken
	wordToken
	signToken
)

// isHanDateStart reports whether a word may begin a date of hanDate.
func isHanDateStart(w string) bool {
	return w == "令" || w == "平" || w == "民" || w == "二"
}

// appendTokens splits a text into tokens. Every Han or Kana character is a word.
func appendTokens(out []token, s string) []token {
	const maxTokens = 400
	glued := false
	for i := 0; i < len(s) && len(out) < maxTokens; {
		r, n := utf8.DecodeRuneInString(s[i:])
		t := token{glued: glued, at: i}
		glued = true
		switch {
		case unicode.IsSpace(r) || r == 0x200E || r == 0x200F || r == 0xFEFF:
			glued = false
			i += n
			continue
		case isDigitRune(r):
			t.kind, t.text = numberToken, leading(s[i:], isDigitRune)
			digits := 0
			for _, r := range t.text {
				if digits++; digits > 9 {
					break
				}
				t.value = t.value*10 + digitValue(r)
			}
		case words.IsIdeograph(r):
			t.kind, t.text = wordToken, s[i:i+n]
		case unicode.IsLetter(r):
			t.kind, t.text = wordToken, leading(s[i:], isLetterOrMark)
		default:
			t.kind, t.text = signToken, s[i:i+n]
		}
		i += len(t.text)
		out = append(out, t)
	}
	return out
}

// leading returns the longest prefix of s whose runes are in a class.
func leading(s string, class func(rune) bool) string {
	for i, r := range s {
		if !class(r) {
			return s[:i]
		}
	}
	return s
}

func isLetterOrMark(r rune) bool {
	return !words.IsIdeograph(r) && (unicode.IsLetter(r) || unicode.IsMark(r))
}

func isDigitRune(r rune) bool { return digitValue(r) >= 0 }

func hasDigit(s string) bool {
	for i := range len(s) {
		if !beginsDigit[s[i]] {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(s[i:]); isDigitRune(r) {
			return true
		}
	}
	return false
}

// beginsDigit has the first bytes of digits. Read only.
var beginsDigit = func() (is [256]bool) {
	for _, zero := range append([]rune{'0'}, digitZeros[:]...) {
		for r := zero; r <= zero+9; r++ {
			is[utf8.AppendRune(nil, r)[0]] = true
		}
	}
	return is
}()

// digitValue returns the value of a digit in the scripts that newspapers use in
// dates, or -1.
func digitValue(r rune) int {
	if r < 0x660 {
		if r >= '0' && r <= '9' {
			return int(r - '0')
		}
		return -1
	}
	for _, zero := range digitZeros {
		if r >= zero && r <= zero+9 {
			return int(r - zero)
		}
	}
	return -1
}

// digitZeros are the zeros of Arabic, Persian, Devanagari, Bengali, Gujarati, Tamil,
// Telugu, Kannada, Malayalam, Thai, Lao, Myanmar, Khmer and full width digits. Read only.
var digitZeros = [...]rune{0x660, 0x6F0, 0x966, 0x9E6, 0xAE6, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xE50, 0xED0, 0x1040, 0x17E0, '０'}

func (t *token) isSign(signs string) bool {
	return t.kind == signToken && strings.Contains(signs, t.text)
}

func (t *token) isWord(list ...string) bool {
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

// digits reports whether t is a number with min to max digits.
func (t *token) digits(min, max int) bool {
	if t.kind != numberToken {
		return false
	}
	n := utf8.RuneCountInString(t.text)
	return min <= n && n <= max
}
