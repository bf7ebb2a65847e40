package measure

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"github.com/lede-news/lede/internal/eval/corpus"
)

// PRF is precision, recall and their harmonic mean.
type PRF struct {
	P  float64 `json:"p"`
	R  float64 `json:"r"`
	F1 float64 `json:"f1"`
}

// Words are the words of s: NFKC, in lower case, runs of letters, numbers and
// underscores, where a Han, Kana or Hangul character is a word by itself.
func Words(s string) []string {
	s = norm.NFKC.String(s)
	if ascii(s) {
		s = strings.ToLower(s)
	} else {
		// The mapping of the whole Unicode, with the final sigma: one in the
		// middle of a Greek word is another letter than one at its end.
		s = cases.Lower(language.Und).String(s)
	}
	return tokens(s)
}

// tokens are the words of s as they are written, neither normalised nor folded.
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

// wordsOfLines are the words of s, and after how many of them each line ends.
func wordsOfLines(s string) (words []string, ends []int) {
	for line := range strings.Lines(s) {
		words = append(words, Words(line)...)
		ends = append(ends, len(words))
	}
	return words, ends
}

func ascii(s string) bool {
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

// Bag counts how often each word occurs.
type Bag map[string]int

// NewBag counts words.
func NewBag(words []string) Bag {
	b := make(Bag, len(words))
	for _, w := range words {
		b[w]++
	}
	return b
}

// Compare is how well the words that were found match the gold's.
func Compare(found, gold []string) PRF {
	both := 0
	left := NewBag(gold)
	for _, w := range found {
		if left[w] > 0 {
			left[w]--
			both++
		}
	}
	return prf(both, len(found)-both, len(gold)-both)
}

// prf takes what was found rightly, found wrongly and missed. Nothing found
// where there is nothing is perfect.
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

// Score measures a headline and a text against the gold of their page.
func Score(g *corpus.Gold, title, text string) PRF {
	return Compare(Words(withTitle(g, title, text)), Words(g.Text))
}

// withTitle puts the headline before the text where the gold has it there,
// unless the text begins with it already.
func withTitle(g *corpus.Gold, title, text string) string {
	if !g.TitleInText {
		return text
	}
	head := text
	if utf8.RuneCountInString(text) > top {
		head = string([]rune(text)[:top])
	}
	if strings.Contains(fold(head), fold(title)) {
		return text
	}
	return title + "\n" + text
}

// top is how many characters are the beginning of a text.
const top = 400

func fold(s string) string { return strings.Join(Words(s), "") }

// Mean is the mean over pages, of each figure by itself.
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
