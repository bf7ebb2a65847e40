package visual

import (
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
)

// Label finds the title subtree and the body subtree of a page by its gold, as
// section 2 defines them. Either is dom.None where no subtree fits.
func Label(d *dom.Document, g *corpus.Gold) (title, body dom.Node) {
	body = labelBody(d, g.Text)
	return labelTitle(d, g.Title, body), body
}

// labelBody is the smallest subtree that holds nearly all of the gold text: of
// all subtrees the one whose words agree best with those that the text is made
// of. "Nearly" leaves out a standfirst that stands far from the rest, which
// would make the whole page the body.
func labelBody(d *dom.Document, text string) dom.Node {
	const fits = 0.8
	if text == "" {
		return dom.None
	}
	gold := make([]int, d.Len()+1) // words of the text before a node
	for n, is := range measure.Align(d, text) {
		gold[n+1] = gold[n]
		if is {
			gold[n+1] += d.Words(dom.Node(n))
		}
	}
	// What is missing on the page counts too: a teaser is not the body.
	total := max(gold[d.Len()], len(measure.Words(text)))
	best, bestF1 := dom.None, 0.0
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		if d.IsText(n) || d.Words(n) == 0 {
			continue
		}
		both := gold[d.End(n)] - gold[n]
		// A child that is as good is smaller.
		if f1 := 2 * float64(both) / float64(total+d.Words(n)); f1 >= bestF1 && both > 0 {
			best, bestF1 = n, f1
		}
	}
	if bestF1 < fits {
		return dom.None
	}
	return best
}

// labelTitle is the smallest subtree with the words of the headline and no
// others. Where there are several, such as a crumb and a headline, it is a
// heading before others, of headings the highest, and the last before the body.
func labelTitle(d *dom.Document, title string, body dom.Node) dom.Node {
	want := letters(title)
	if want == "" {
		return dom.None
	}
	best, bestRank := dom.None, 0
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		if d.IsText(n) || d.Hidden(n) || d.Words(n) == 0 {
			continue
		}
		if body != dom.None && n >= d.End(body) {
			break
		}
		if len(d.Text(n)) > 4*len(title)+64 || letters(d.Text(n)) != want {
			continue
		}
		rank := 1
		if h := d.Closest(n, dom.H1, dom.H2, dom.H3, dom.H4, dom.H5, dom.H6); h != dom.None && d.Contains(h, n) && letters(d.Text(h)) == want {
			rank = 2 + int(dom.H6-d.Tag(h))
		}
		if d.LinkChars(n) > 0 {
			rank = 0
		}
		if best == dom.None || rank >= bestRank {
			best, bestRank = n, rank
		}
	}
	return best
}

// letters folds a headline as the measure of titles does: case, space and
// punctuation do not matter.
func letters(text string) string { return strings.Join(measure.Words(text), "") }
