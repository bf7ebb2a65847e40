package measure

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
)

// PRF has precision, recall and their harmonic mean.
type PRF struct {
	P  float64 `json:"p"`
	R  float64 `json:"r"`
	F1 float64 `json:"f1"`
}

// Words returns the words of s after NFKC normalization and in lower case. A word
// is a run of letters, numbers and underscores, or a single Han, Kana or Hangul
// character.
func Words(s string) []string { return tokens(lower(norm.NFKC.String(s))) }

// lower returns s in lower case. Unlike strings.ToLower, it writes a sigma at the
// end of a Greek word as ς.
func lower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return cases.Lower(language.Und).String(s)
}

// tokens returns the words of s without normalization.
func tokens(s string) []string {
	var words []string
	start := -1
	for i, r := range s {
		in, alone := inWord(r), isCJK(r)
		if start >= 0 && (!in || alone) {
			words = append(words, s[start:i])
			start = -1
		}
		switch {
		case alone:
			words = append(words, s[i:i+utf8.RuneLen(r)])
		case in && start < 0:
			start = i
		}
	}
	if start >= 0 {
		words = append(words, s[start:])
	}
	return words
}

// wordsOfLines returns the words of s and, for each line, the number of words up
// to its end.
func wordsOfLines(s string) (words []string, ends []int) {
	for line := range strings.Lines(s) {
		words = append(words, Words(line)...)
		ends = append(ends, len(words))
	}
	return words, ends
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

func isCJK(r rune) bool {
	return r >= 0x3040 && r <= 0x30FF || r >= 0x3400 && r <= 0x4DBF || r >= 0x4E00 && r <= 0x9FFF ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0xAC00 && r <= 0xD7AF
}

// compare compares two bags of words.
func compare(found, gold []string) PRF {
	both := 0
	left := make(map[string]int, len(gold))
	for _, w := range gold {
		left[w]++
	}
	for _, w := range found {
		if left[w] > 0 {
			left[w]--
			both++
		}
	}
	return prf(both, len(found)-both, len(gold)-both)
}

// prf returns the PRF for the numbers of true positives, false positives and
// false negatives. All are 1 if there is nothing to find and nothing was found.
func prf[N int | float64](right, wrong, missed N) PRF {
	var m PRF
	switch {
	case right+wrong > 0:
		m.P = float64(right) / float64(right+wrong)
	case missed == 0:
		m.P = 1
	}
	m.R = 1
	if right+missed > 0 {
		m.R = float64(right) / float64(right+missed)
	}
	m.F1 = harmonic(m.P, m.R)
	return m
}

// Score compares the words of a text, and of a headline if the gold has it in its
// text, with the gold.
func Score(g *corpus.Gold, title, text string) PRF {
	return compare(Words(withTitle(g, title, text)), Words(g.Text))
}

// withTitle puts the headline before the text if the gold has it there and the
// beginning of the text does not contain it.
func withTitle(g *corpus.Gold, title, text string) string {
	if !g.TitleInText {
		return text
	}
	head := text
	if utf8.RuneCountInString(text) > beginning {
		head = string([]rune(text)[:beginning])
	}
	if strings.Contains(Letters(head), Letters(title)) {
		return text
	}
	return title + "\n" + text
}

// beginning is the number of characters at the beginning of a text in which the
// headline is looked for.
const beginning = 400

// Letters returns the letters of s, to compare texts regardless of case, space and
// punctuation.
func Letters(s string) string { return strings.Join(Words(s), "") }

// Mean returns the mean of each figure.
func Mean(all []PRF) PRF {
	var m PRF
	for _, x := range all {
		m.P += x.P
		m.R += x.R
		m.F1 += x.F1
	}
	if n := float64(len(all)); n > 0 {
		m.P, m.R, m.F1 = m.P/n, m.R/n, m.F1/n
	}
	return m
}
