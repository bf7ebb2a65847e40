package blend

import (
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/comments"
)

// dropThreads drops what readers said of the story. Under a short post they say
// more than it does, and a model that reads block by block may take them for it.
// What they speak of stands before them; where nothing does, they are all there is.
func (c *choice) dropThreads() {
	const post = 8 // words: as short as one may be
	t := threads{choice: c, known: map[dom.Node]bool{}, before: dom.None}
	words := 0
	for i := 0; i < len(c.kept); i++ {
		if !c.kept[i] {
			continue
		}
		n := t.around(i)
		if n == dom.None {
			words += c.Blocks[i].Words()
			t.before = c.Blocks[i].First
			continue
		}
		for end := c.page.End(n); i < len(c.kept) && c.Blocks[i].First < end; i++ {
			if words >= post {
				c.kept[i], c.apart[i] = false, true
			}
		}
		i--
	}
}

// threads remembers what it was told of the elements of a page.
type threads struct {
	*choice
	known  map[dom.Node]bool
	before dom.Node // the last text that is no comment
}

// around is the outermost place of comments that block i stands in, and neither
// the headline nor what is kept before it.
func (t *threads) around(i int) dom.Node {
	d := t.page
	found := dom.None
	for n := t.Blocks[i].Owner; n > 0 && (t.before == dom.None || !d.Contains(n, t.before)); n = d.Parent(n) {
		if t.Headline >= 0 && d.Contains(n, t.Blocks[t.Headline].First) {
			break
		}
		if t.isThread(n) {
			found = n
		}
	}
	return found
}

// isThread asks once for an element, and no more than a few times for a page:
// one that is nested to waste time has its comments kept.
func (t *threads) isThread(n dom.Node) bool {
	const most = 64
	is, asked := t.known[n]
	if !asked && comments.IsNamed(t.page, n) && len(t.known) < most {
		is = comments.IsThread(t.page, n)
		t.known[n] = is
	}
	return is
}
