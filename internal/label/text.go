package label

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// Texts are compared by their letters: white space and what nobody sees, such as
// soft hyphens, come and go with the program that writes a page.
func isLetter(r rune) bool { return !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) }

// hashBytes is how much of a SHA-256 tells texts of one page apart.
const hashBytes = 8

// hashText is the hash of the letters of a text.
func hashText(text string) string {
	h := sha256.New()
	writeLetters(h, text)
	return hex.EncodeToString(h.Sum(nil)[:hashBytes])
}

// writeLetters writes whole runs of letters: texts are long.
func writeLetters(h hash.Hash, text string) {
	for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isLetter(r) }) {
		_, _ = io.WriteString(h, run)
	}
}

func countLetters(text string) int {
	count := 0
	for _, r := range text {
		if isLetter(r) {
			count++
		}
	}
	return count
}

// beginning is the first characters of a text on one row.
func beginning(text string, chars int) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(text) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		if b.Len() > chars*utf8.UTFMax {
			break
		}
	}
	runes := []rune(strings.ToValidUTF8(b.String(), "\uFFFD"))
	return strings.TrimSpace(string(runes[:min(len(runes), chars)]))
}

// snippet is the beginning of a text, with a sign that there is more.
func snippet(text string, chars int) string {
	short := beginning(text, chars)
	if countLetters(short) < countLetters(text) {
		return short + "…"
	}
	return short
}

// ruler measures the text of every node of a page in letters.
type ruler struct {
	d      *dom.Document
	before []int32 // letters before each byte of the page's text
}

func newRuler(d *dom.Document) ruler {
	text := d.AllText()
	before := make([]int32, len(text)+1)
	count, last := int32(0), 0
	for i, r := range text {
		for ; last <= i; last++ {
			before[last] = count
		}
		if isLetter(r) {
			count++
		}
	}
	for ; last <= len(text); last++ {
		before[last] = count
	}
	return ruler{d, before}
}

// stretch is a piece of the page's text in letters. Elements that hold the same
// letters, such as a wrapper and what it wraps, have the same one.
type stretch struct{ from, to int32 }

func (r ruler) stretch(n dom.Node) stretch {
	from, to := r.d.Span(n)
	return stretch{r.before[from], r.before[to]}
}

func (s stretch) len() int { return int(s.to - s.from) }
