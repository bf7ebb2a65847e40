package stadynot

import (
	"cmp"
	"math"
	"slices"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/reasons"
	"github.com/lede-news/lede/method"
)

// run is the state of one call of Select: the nodes that are marked as noise.
type run struct {
	cfg *Config
	doc *dom.Document
	top dom.Node // <body>, or the document if there is none

	marks   []int32 // by node: 1 + index into reasons, or 0
	reasons []method.Reason

	marked, markedLinks []int // by node: marked characters in it, and those of them in links
}

func newRun(c *Config, d *dom.Document) *run {
	r := &run{cfg: c, doc: d, top: max(d.First(dom.Body), d.Root())}
	r.marks = make([]int32, d.Len())
	both := make([]int, 2*d.Len())
	r.marked, r.markedLinks = both[:d.Len()], both[d.Len():]
	return r
}

// mark marks a node as noise, unless it is inside a marked one.
func (r *run) mark(n dom.Node, score float64, why string) {
	d := r.doc
	for p := n; p != dom.None; p = d.Parent(p) {
		if r.marks[p] != 0 {
			return
		}
	}
	r.reasons = append(r.reasons, method.Reason{Node: n, Score: score, Why: why})
	r.marks[n] = int32(len(r.reasons))
	text, links := r.unmarked(n)
	if text == 0 {
		return
	}
	for p := n; p != dom.None; p = d.Parent(p) {
		r.marked[p] += text
		r.markedLinks[p] += links
	}
}

// unmarked returns the number of characters in n that are not marked, and of
// those in links.
func (r *run) unmarked(n dom.Node) (text, links int) {
	return r.doc.Chars(n) - r.marked[n], r.doc.LinkChars(n) - r.markedLinks[n]
}

// holds reports whether more than a share of all unmarked text outside links is
// in n.
func (r *run) holds(n dom.Node, share float64) bool {
	text, links := r.unmarked(n)
	all, allLinks := r.unmarked(r.top)
	return float64(text-links) > share*float64(all-allLinks)
}

// static marks the static noise of stage 1 (section 3.1).
func (r *run) static(site *method.Site) {
	d := r.doc
	if site == nil || len(site.Static) != d.Len() || r.cfg.own && marksAll(d, site.Static) {
		return
	}
	for n := r.top + 1; n < d.End(r.top); {
		if !site.Static[n] || d.Chars(n) == 0 {
			n++
			continue
		}
		r.mark(n, 0, "other pages of this site have it too")
		n = d.End(n)
	}
}

// dynamic marks the least common ancestors of links that contain hardly anything
// but links (section 3.2). They are judged from the smallest up, and text that is marked
// in a smaller one does not count for those around it: otherwise an article would be dropped
// with the list of links beside it.
func (r *run) dynamic() {
	for _, n := range candidates(r.doc) {
		if !mayBeNoise(r.doc.Tag(n)) {
			continue
		}
		text, links := r.unmarked(n)
		switch fraction := float64(links) / float64(max(text, 1)); {
		case text-links < r.cfg.Alpha:
			r.mark(n, fraction, "hardly anything but links: "+reasons.Count(max(text-links, 0), "character")+" outside them")
		case fraction > r.cfg.Beta && !r.holds(n, r.cfg.MainShare):
			r.mark(n, fraction, "too many links: "+reasons.Percent(fraction)+" of it")
		case r.cfg.List > 0 && r.isList(n, text):
			r.mark(n, fraction, "a list with a link in every entry")
		}
	}
}

// mayBeNoise excludes <p>, as the paper does, and what contains the whole page.
func mayBeNoise(t dom.Tag) bool {
	return t != dom.P && t != dom.Body && t != dom.HTML && t != dom.Root
}

// candidates returns the least common ancestors of links by length of text, inner
// ones before those around them. The ancestor of any two links is that of two
// consecutive links between them.
func candidates(d *dom.Document) []dom.Node {
	var all []dom.Node
	last := dom.None
	for link := range d.All(d.Root(), dom.A) {
		if !d.InLink(link) || d.Hidden(link) {
			continue
		}
		if last != dom.None {
			all = append(all, d.CommonAncestor(last, link))
		}
		last = link
	}
	slices.SortFunc(all, func(a, b dom.Node) int { return cmp.Or(d.Chars(a)-d.Chars(b), int(b-a)) })
	return slices.Compact(all)
}

// isList reports whether the text of n is in similar items, each with a link and
// none with more than half of the text: teasers or readers' comments, whose text
// may be longer than their links.
func (r *run) isList(n dom.Node, all int) bool {
	const minShare, maxItem = 0.8, 0.5
	d := r.doc
	items, inside, longest := 0, 0, 0
	first := dom.None
	for k := range d.Children(n) {
		text, links := r.unmarked(k)
		if links == 0 || !mayBeNoise(d.Tag(k)) || isInline(d.Tag(k)) {
			continue
		}
		if first == dom.None {
			first = k
		}
		if d.Tag(k) == d.Tag(first) && d.Attr(k, "class") == d.Attr(first, "class") {
			items++
			inside += text
			longest = max(longest, text-links)
		}
	}
	return items >= r.cfg.List && float64(inside) >= minShare*float64(all) && float64(longest) <= maxItem*float64(inside)
}

// nonInformative marks the elements that never contain an article (section 3.3).
func (r *run) nonInformative() {
	const pageForm = 0.25 // minimum share of a form around the whole page
	r.markTags(func(n dom.Node) bool {
		switch r.doc.Tag(n) {
		case dom.Link, dom.Script, dom.Style, dom.Noscript, dom.Embed, dom.Object, dom.Param, dom.Input,
			dom.Caption, dom.Meta, dom.Textarea:
			return true
		case dom.Img:
			return !r.cfg.own
		case dom.Form:
			return !r.cfg.own || !r.holds(n, pageForm)
		}
		return false
	})
}

// boilerplate marks more elements that contain no article. It runs before stage 2,
// so that their text does not count there.
func (r *run) boilerplate() {
	r.nonInformative()
	r.markTags(func(n dom.Node) bool {
		switch r.doc.Tag(n) {
		case dom.Nav, dom.Footer, dom.Aside, dom.Button, dom.Select, dom.Label, dom.Menu, dom.Dialog:
			return !r.holds(n, r.cfg.MainShare)
		}
		return false
	})
}

// markTags marks the visible elements that match.
func (r *run) markTags(matches func(dom.Node) bool) {
	d := r.doc
	for n := r.top + 1; n < d.End(r.top); {
		switch {
		case d.Hidden(n), r.marks[n] != 0:
			n = d.End(n)
		case !d.IsText(n) && matches(n):
			r.mark(n, 0, reasons.Element(d.Tag(n)))
			n = d.End(n)
		default:
			n++
		}
	}
}

// keptWords returns the number of words outside links that a selection keeps, and of
// those in long text nodes.
func (r *run) keptWords(drop []dom.Node) (plain, prose int) {
	const minProse = 15
	d := r.doc
	for n := r.top; n < d.End(r.top); n++ {
		if len(drop) > 0 && drop[0] == n {
			n, drop = d.End(n)-1, drop[1:]
			continue
		}
		if d.IsText(n) && !d.InLink(n) {
			w := d.Words(n)
			plain += w
			if w >= minProse {
				prose += w
			}
		}
	}
	return plain, prose
}

// pageType returns the type of the page and the confidence, the root of the share
// of prose in what is kept: scattered words are noise that was missed.
func pageType(plain, prose, links int) (article.PageType, float64) {
	const minProse, minLinks = 40, 20 // words in an article, links on an index page
	confidence := math.Sqrt(float64(prose) / float64(max(plain, 1)))
	switch {
	case prose >= minProse:
		return article.TypeArticle, confidence
	case links >= minLinks:
		return article.TypeIndex, confidence / 2
	}
	return article.TypeOther, confidence / 2
}
