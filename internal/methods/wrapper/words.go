package wrapper

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// fullStops are the full stops of all scripts. Question and exclamation marks do
// not count, since headlines end with them.
const fullStops = ".。．｡।॥۔։።။។᙮᠃᠉⳹꓿"

// endsWithFullStop returns EndWithFullStop (section 4.1.2): "whether the text
// contained in T ends by a period", possibly before closing quotes or brackets. An
// ellipsis is not a period.
func endsWithFullStop(text string) bool {
	text = strings.TrimRightFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Pe, unicode.Pf, unicode.Cf) || r == '"' || r == '\''
	})
	last, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(fullStops, last) && !strings.HasSuffix(text, "..") && !strings.HasSuffix(text, "。。")
}

// wordSet is the set of the words of a title, by their hashes.
type wordSet map[uint32]bool

func newWordSet(text string) wordSet {
	const maxWords = 100
	set := wordSet{}
	r := words.Reader{Text: text}
	for w, ok := r.Next(); ok && len(set) < maxWords; w, ok = r.Next() {
		set[w.Hash] = true
	}
	return set
}

// headTitles returns the <title> and the title for social networks. "The texts in
// the <title> element here are far different from the news title" (section 2), so
// they do not replace it; but of two candidates the more similar one is better.
func headTitles(d *dom.Document) (sets []wordSet) {
	if t := d.First(dom.Title); t != dom.None {
		sets = append(sets, newWordSet(d.Raw(t)))
	}
	for n := range d.All(d.Root(), dom.Meta) {
		if d.Attr(n, "property") == "og:title" {
			return append(sets, newWordSet(d.Attr(n, "content")))
		}
	}
	return sets
}

// similarity returns the similarity of a text to the most similar of the titles.
func similarity(titles []wordSet, text string) float64 {
	const maxBytes = 2000
	if len(text) > maxBytes {
		return 0
	}
	own, best := newWordSet(text), 0.0
	for _, t := range titles {
		best = max(best, own.similarity(t))
	}
	return best
}

// similarity returns the share of the words of s that are in the title, reduced if
// they are less than half of the title's.
func (s wordSet) similarity(title wordSet) float64 {
	both := 0
	for w := range s {
		if title[w] {
			both++
		}
	}
	if both == 0 {
		return 0
	}
	return float64(both) / float64(len(s)) * min(1, 2*float64(both)/float64(len(title)))
}
