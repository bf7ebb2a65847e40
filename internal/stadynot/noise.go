package stadynot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede/article"
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

// static marks what stage 1 has found (section 3.1).
func (r *run) static(site *method.Site) {
	d := r.doc
	if site == nil || len(site.Static) != d.Len() || isVoid(d, site.Static) {
		return
	}
	var mixed []bool
	if r.cfg.Row > 0 {
		mixed = mixedRows(d, site.Static, r.cfg.Row)
	}
	for n := r.top + 1; n < d.End(r.top); {
		if !site.Static[n] || d.Chars(n) == 0 {
			n++
			continue
		}
		if mixed == nil || !mixed[n] {
			r.noise(n, 0, "static noise")
		}
		n = d.End(n)
	}
}

// mixedRows tells which nodes stand in a row of the page that is for the most
// part not static, and long. A name that half of the stories link to is no noise
// in the middle of a sentence.
func mixedRows(d *dom.Document, static []bool, long int) []bool {
	mixed := make([]bool, d.Len())
	text := d.AllText()
	var row []dom.Node
	same, size, last := 0, 0, 0
	flush := func() {
		if other := size - same; other > same && other >= long {
			for _, n := range row {
				mixed[n] = true
				// An inline element is one with the words that it begins with.
				for p := d.Parent(n); p == n-1 && isInline(d.Tag(p)); n, p = p, d.Parent(p) {
					mixed[p] = true
				}
			}
		}
		row, same, size = row[:0], 0, 0
	}
	for n := range static {
		id := dom.Node(n)
		from, to := d.Span(id)
		if !d.IsText(id) || from == to {
			continue
		}
		if strings.Contains(text[last:from], "\n") {
			flush()
		}
		row, size, last = append(row, id), size+d.Chars(id), to
		if static[n] {
			same += d.Chars(id)
		}
	}
	flush()
	return mixed
}

// dynamic marks the least common ancestors of links that hold hardly anything
// but links (section 3.2), the smallest first.
func (r *run) dynamic() {
	for _, c := range candidates(r.doc) {
		if !mayBeNoise(r.doc.Tag(c.node)) {
			continue
		}
		text, links := r.left(c.node)
		switch fraction := linkFraction(text, links); {
		case c.closest && text-links < r.cfg.Alpha:
			r.noise(c.node, fraction, fmt.Sprintf("dynamic noise: %d characters outside links", max(text-links, 0)))
		case c.closest && fraction > r.cfg.Beta && !r.holds(c.node, r.cfg.Home):
			r.noise(c.node, fraction, fmt.Sprintf("dynamic noise: %.0f %% links", math.Floor(100*fraction)))
		case r.cfg.List > 0 && r.isList(c.node, text):
			r.noise(c.node, fraction, "dynamic noise: a list with a link in every item")
		}
	}
}

func linkFraction(text, links int) float64 { return float64(links) / float64(max(text, 1)) }

// mayBeNoise leaves out <p>, as the paper does, and what the whole page stands in.
func mayBeNoise(t dom.Tag) bool {
	return t != dom.P && t != dom.Body && t != dom.HTML && t != dom.Root
}

// candidate is the least common ancestor of two links that follow each other.
type candidate struct {
	node    dom.Node
	closest bool // for one of the two there is no closer one
}

// candidates come in order of their text, an inner one before that around it.
func candidates(d *dom.Document) []candidate {
	var all []candidate
	link, before := dom.None, dom.None // the link before, and what it shares with the one before that
	for next := range d.All(d.Root(), dom.A) {
		if !d.InLink(next) || d.Hidden(next) {
			continue
		}
		if link != dom.None {
			shared := d.CommonAncestor(link, next)
			all = append(all, candidate{shared, false}, candidate{max(before, shared), true})
			before = shared
		}
		link = next
	}
	if before != dom.None {
		all = append(all, candidate{before, true})
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(d.Chars(a.node)-d.Chars(b.node), int(b.node-a.node), -compare(a.closest, b.closest))
	})
	return slices.CompactFunc(all, func(a, b candidate) bool { return a.node == b.node })
}

func compare(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// isList reports whether the text of n stands in items of one make, each with
// a link and none with more than half of it: teasers or readers' comments,
// whose text may be longer than their links.
func (r *run) isList(n dom.Node, all int) bool {
	const most, half = 0.8, 0.5
	d := r.doc
	items, inside, longest := 0, 0, 0
	first := dom.None
	for k := range d.Children(n) {
		text, links := r.left(k)
		if links == 0 || !mayBeNoise(d.Tag(k)) || isInline(d.Tag(k)) {
			continue
		}
		if first == dom.None {
			first = k
		}
		if d.Tag(k) == d.Tag(first) && d.AttrOr(k, "class") == d.AttrOr(first, "class") {
			items++
			inside += text
			longest = max(longest, text-links)
		}
	}
	return items >= r.cfg.List && float64(inside) >= most*float64(all) && float64(longest) <= half*float64(inside)
}

// nonInformative marks the elements that hold no story (section 3.3).
func (r *run) nonInformative() {
	r.tags("non-informative tag", func(n dom.Node) bool {
		switch r.doc.Tag(n) {
		case dom.Link, dom.Script, dom.Style, dom.Noscript, dom.Embed, dom.Object, dom.Param, dom.Input,
			dom.Caption, dom.Meta, dom.Textarea:
			return true
		case dom.Img:
			return !r.cfg.Pictures
		case dom.Form:
			return !r.isPageForm(n)
		}
		return false
	})
}

// furniture marks more elements that hold no story, before stage 2, so that
// their text does not count there.
func (r *run) furniture() {
	if !r.cfg.Furniture {
		return
	}
	r.nonInformative()
	r.tags("furniture", func(n dom.Node) bool {
		switch r.doc.Tag(n) {
		case dom.Nav, dom.Footer, dom.Aside, dom.Button, dom.Select, dom.Label, dom.Menu, dom.Dialog:
			return !r.holds(n, r.cfg.Home)
		}
		return false
	})
}

// tags marks the shown elements of some kind.
func (r *run) tags(why string, is func(dom.Node) bool) {
	d := r.doc
	for n := r.top + 1; n < d.End(r.top); {
		switch {
		case d.Hidden(n), r.marks[n] != 0:
			n = d.End(n)
		case !d.IsText(n) && is(n):
			r.noise(n, 0, why)
			n = d.End(n)
		default:
			n++
		}
	}
}

// isPageForm tells the form that some sites put around the whole page.
func (r *run) isPageForm(n dom.Node) bool {
	const much = 0.25
	return r.cfg.Furniture && r.holds(n, much)
}

// PathString is the path-string of an element (section 3.2): the way to it
// from the root, each element with its position among those of its parent, as
// in
//
//	0(html)-1(body)-12(div)-0(div)-3(p)
//
// The longest path that those of two links begin with is that of their least
// common ancestor.
func PathString(d *dom.Document, n dom.Node) string {
	var path string
	for ; n != dom.None && n != d.Root(); n = d.Parent(n) {
		if d.IsText(n) {
			continue
		}
		position := 0
		for s := d.Prev(n); s != dom.None; s = d.Prev(s) {
			if !d.IsText(s) {
				position++
			}
		}
		step := strconv.Itoa(position) + "(" + d.Name(n) + ")"
		if path != "" {
			step += "-"
		}
		path = step + path
	}
	return path
}

// tally is what a selection keeps, in words.
type tally struct {
	plain int // outside links
	prose int // of plain, in long text nodes
	all   int // of the whole page
	links int // <a href> of the whole page
}

func (r *run) tally(drop []dom.Node) (t tally) {
	const long = 15
	d := r.doc
	whole := d.Counts(r.top)
	t.all, t.links = int(whole.Words-whole.LinkWords), int(whole.Links)
	for n := r.top; n < d.End(r.top); n++ {
		if len(drop) > 0 && drop[0] == n {
			n, drop = d.End(n)-1, drop[1:]
			continue
		}
		if d.IsText(n) && !d.InLink(n) {
			w := d.Words(n)
			t.plain += w
			if w >= long {
				t.prose += w
			}
		}
	}
	return t
}

// judge tells what kind of page it is by what is left of it. Confidence is the
// root of the share of prose in that: scattered words are noise that was missed.
func (t tally) judge() (article.PageType, float64) {
	const (
		little = 40 // words of prose on a page that is no article
		few    = 20 // links on a page that is no index
	)
	confidence := math.Sqrt(float64(t.prose) / float64(max(t.plain, 1)))
	switch {
	case t.prose >= little:
		return article.TypeArticle, confidence
	case t.links >= few:
		return article.TypeIndex, confidence / 2
	}
	return article.TypeOther, confidence / 2
}
