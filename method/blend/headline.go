package blend

import (
	"strings"
	"unicode"

	"github.com/lede-news/lede/dom"
)

// headline finds the heading of the story: the one before its end that shares
// the most words with the page's <title>, the higher rank first; without a
// <title> to compare, the first <h1>.
func headline(d *dom.Document, v *view, home dom.Node) dom.Node {
	title := dom.None
	for n := range d.All(0, dom.Title) {
		title = n
		break
	}
	var want map[string]bool
	if title != dom.None {
		want = wordSet(d.Raw(title))
	}
	body := home // where the story begins
	for i := range v.blocks {
		if v.blocks[i].kept {
			body = v.blocks[i].first
			break
		}
	}
	best, bestScore := dom.None, 0.0
	for n := dom.Node(1); int(n) < d.Len() && n < d.End(home); n++ {
		tag := d.Tag(n)
		if !tag.IsHeading() || d.Hidden(n) || d.Chars(n) == 0 {
			continue
		}
		score := overlap(want, d.Text(n)) - 0.05*float64(tag-dom.H1)
		if n > body {
			score -= 0.3
		}
		if len(want) == 0 {
			score = 0.5 - 0.1*float64(tag-dom.H1)
		}
		if score > bestScore {
			best, bestScore = n, score
		}
	}
	const enough = 0.4
	if bestScore >= enough {
		return best
	}
	for n := range d.All(0, dom.H1) {
		if !d.Hidden(n) && d.Words(n) > 2 && n < d.End(home) {
			return n
		}
	}
	return dom.None
}

// overlap is the share of the heading's words that are in want, less when it
// covers little of want.
func overlap(want map[string]bool, heading string) float64 {
	have := wordSet(heading)
	if len(have) == 0 || len(want) == 0 {
		return 0
	}
	var both int
	for w := range have {
		if want[w] {
			both++
		}
	}
	return float64(both) / float64(len(have)) * min(1, 2*float64(both)/float64(len(want)))
}

// wordSet takes a Han character for a word, since they stand without spaces.
func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, f := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !strings.ContainsFunc(f, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }) {
			set[f] = true
			continue
		}
		for _, r := range f {
			set[string(r)] = true
		}
	}
	return set
}
