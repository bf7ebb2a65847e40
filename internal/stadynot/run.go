package stadynot

import (
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// run is the work on one page: which nodes carry the mark NOISE, and why.
type run struct {
	cfg *Config
	doc *dom.Document
	top dom.Node // <body>, or the document where there is none

	marks   []int32 // by node: 1 and up for the reason, 0 for none
	reasons []method.Reason

	gone, goneLinks []int // by node: characters in it that are marked, and those of links
}

func newRun(c *Config, d *dom.Document) *run {
	r := &run{cfg: c, doc: d, top: max(d.First(dom.Body), d.Root())}
	r.marks = make([]int32, d.Len())
	both := make([]int, 2*d.Len())
	r.gone, r.goneLinks = both[:d.Len()], both[d.Len():]
	return r
}

// noise marks a node, unless it stands in one that is marked.
func (r *run) noise(n dom.Node, score float64, why string) {
	d := r.doc
	for p := n; p != dom.None; p = d.Parent(p) {
		if r.marks[p] != 0 {
			return
		}
	}
	r.reasons = append(r.reasons, method.Reason{Node: n, Score: score, Why: why})
	r.marks[n] = int32(len(r.reasons))
	text, links := r.left(n)
	if text == 0 {
		return
	}
	for p := n; p != dom.None; p = d.Parent(p) {
		r.gone[p] += text
		r.goneLinks[p] += links
	}
}

// left counts the characters in n that are not marked, and those of links.
func (r *run) left(n dom.Node) (text, links int) {
	return r.doc.Chars(n) - r.gone[n], r.doc.LinkChars(n) - r.goneLinks[n]
}

// holds reports whether more than a share of all that is left outside of links
// stands in n.
func (r *run) holds(n dom.Node, share float64) bool {
	text, links := r.left(n)
	all, allLinks := r.left(r.top)
	return float64(text-links) > share*float64(all-allLinks)
}
