package links

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/words"
)

// rank says how much the text of a link says about the page that it leads to. Of
// two texts with the same rank the longer one says more.
type rank uint8

const (
	stock    rank = iota // no text, a single word, or a phrase that leads anywhere
	picture              // the description of a picture, a label, or a whole paragraph
	headline             // other text
	heading              // text of a heading
)

// better reports whether text a says more than b.
func (r rank) better(a string, s rank, b string) bool {
	return r > s || r == s && len(a) > len(b)
}

// maxHeadline is the number of characters above which a text is not a headline but
// a paragraph. Of 2,400 headlines of the development corpora six are longer.
const maxHeadline = 200

// rankOf returns the rank of a text, at most r.
func rankOf(text string, r rank) rank {
	if countWords(text) < 2 || phrases()[words.Phrase(text)] {
		return stock
	}
	if utf8.RuneCountInString(text) > maxHeadline {
		return min(r, picture)
	}
	return r
}

//go:embed phrases.txt
var phraseFile string

// phrases returns the texts of links that are found at any story.
var phrases = readSet(phraseFile)

// readSet returns a function that reads the lines of an embedded file once.
func readSet(file string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for line := range lines.Data(file) {
			m[line] = true
		}
		return m
	})
}

// maxCount is the width of the longest phrase that comes with a number, such as
// "show all 12 comments", without the number.
const maxCount = 24

// width returns the number of characters, with those of scripts without spaces
// counted as three.
func width(s string) (n int) {
	for _, r := range s {
		if n++; IsSign(r) {
			n += 2
		}
	}
	return n
}

// IsSign reports whether r belongs to a script without spaces between words.
func IsSign(r rune) bool {
	return r >= 0xE00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

func hasWord(s string) bool { return countWords(s) > 0 }

// countWords returns the number of words of up to two, without numbers. Two
// characters of a script without spaces are a word.
func countWords(s string) (words int) {
	signs, in := 0, false
	for _, r := range s {
		switch {
		case IsSign(r):
			signs, in = signs+1, false
		case !isLetter(r):
			in = in && r == '\''
		case !in:
			words, in = words+1, true
		}
		if n := words + (signs+1)/2; n >= 2 {
			return n
		}
	}
	return words + (signs+1)/2
}

// Texts finds the texts of the links that lead to pages, as titles for them. A single
// word is no title, and neither is "Read more" or what leads to several pages; it has
// none of these. The zero value is empty and ready to use. It must not be changed
// while it is in use.
type Texts struct{ texts map[string]ranked }

type ranked struct {
	text string
	rank rank
}

// Find returns the text of the links that lead to an address, or "". If there are
// several, it is the one that says most about the page, as in Read.
func (t *Texts) Find(address string) string {
	if t == nil || len(t.texts) == 0 {
		return ""
	}
	return t.texts[Key(address)].text
}

// AddPage adds the links of a page at an address, as Read reads them, and returns
// their number.
func (t *Texts) AddPage(d *dom.Document, address string) int {
	found := Read(d, address)
	for _, l := range found {
		t.add(Key(l.URL), strings.Clone(l.Text), l.rank)
	}
	return len(found)
}

func (t *Texts) add(key, text string, r rank) {
	if r == stock {
		return
	}
	if t.texts == nil {
		t.texts = map[string]ranked{}
	}
	old, known := t.texts[key]
	if known && !r.better(text, old.rank, old.text) {
		return
	}
	t.texts[key] = ranked{text, r}
}
