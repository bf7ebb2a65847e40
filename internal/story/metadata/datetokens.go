package metadata

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/words"
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
		case unicode.IsDigit(r):
			t.kind, t.text = numberToken, leading(s[i:], unicode.IsDigit)
			for _, r := range firstRunes(t.text, 9) {
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

func hasDigit(s string) bool {
	const beyondASCII = 0x660 // Arabic zero
	for _, r := range s {
		if r >= '0' && r <= '9' || r >= beyondASCII && unicode.IsDigit(r) {
			return true
		}
	}
	return false
}

// digitValue returns the value of a digit of any script.
func digitValue(r rune) int {
	for _, digits := range unicode.Nd.R16 { // from zero to nine
		if r <= rune(digits.Hi) {
			return int(r-rune(digits.Lo)) % 10
		}
	}
	return 0
}

func (t *token) isSign(signs string) bool {
	return t.kind == signToken && strings.Contains(signs, t.text)
}

func (t *token) isWord(list ...string) bool {
	return t.kind == wordToken && slices.ContainsFunc(list, func(w string) bool { return strings.EqualFold(t.text, w) })
}

// digits reports whether t is a number with min to max digits.
func (t *token) digits(min, max int) bool {
	if t.kind != numberToken {
		return false
	}
	n := utf8.RuneCountInString(t.text)
	return min <= n && n <= max
}
