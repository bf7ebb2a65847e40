package blend

import (
	"slices"

	"github.com/lede-news/lede/dom"
)

// block is a run of text between two block boundaries: a paragraph, a heading,
// a menu entry.
type block struct {
	first, last dom.Node // text nodes
	owner       dom.Node // the nearest block element around
	counts      dom.Counts
	weight      float64
	why         string
	prose       bool
	region      dom.Node // around it, where stories do not stand; or dom.None
	around      bool     // a caption, a dateline
	kept        bool
}

func (b *block) outside() bool { return b.region != dom.None }

func (b *block) words() int { return int(b.counts.Words) }

// view is the page as the method sees it.
type view struct {
	doc    *dom.Document
	blocks []block
	owners []dom.Node // for every node the nearest block element around it
	inside []dom.Node // regions that are part of the story in spite of their name
	sums   []float64  // prefix sums of the weights over nodes
}

// maxRescues bounds how often a region is taken back in that held the story
// in spite of its name.
const maxRescues = 16

func newView(d *dom.Document) *view {
	v := &view{doc: d, owners: owners(d)}
	for {
		v.segment()
		v.weigh(8, true)
		if len(v.inside) == maxRescues || !v.rescue() {
			break
		}
	}
	if !v.hasProse() {
		// The page is so short that nothing on it looks like prose: whatever is
		// no link and no furniture counts as such.
		v.weigh(1, false)
	}
	v.sums = make([]float64, d.Len()+1)
	i := 0
	for n := range v.sums[1:] {
		v.sums[n+1] = v.sums[n]
		if i < len(v.blocks) && dom.Node(n) == v.blocks[i].first {
			v.sums[n+1] += v.blocks[i].weight
			i++
		}
	}
	return v
}

func owners(d *dom.Document) []dom.Node {
	list := make([]dom.Node, d.Len())
	for n := range list {
		if k := dom.Node(n); d.Tag(k).IsBlock() {
			list[n] = k
		} else if p := d.Parent(k); p != dom.None {
			list[n] = list[p]
		}
	}
	return list
}

// segment cuts the text into blocks.
func (v *view) segment() {
	d := v.doc
	v.blocks = v.blocks[:0]
	region := dom.None // that stories do not stand in
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		if !d.IsText(n) {
			if (region == dom.None || n >= d.End(region)) && v.isOutside(n) && !slices.Contains(v.inside, n) {
				region = n
			}
			continue
		}
		if d.Hidden(n) {
			continue
		}
		owner := v.owners[n]
		if k := len(v.blocks) - 1; k >= 0 && v.blocks[k].owner == owner {
			v.blocks[k].last = n
			continue
		}
		b := block{first: n, last: n, owner: owner, region: dom.None}
		if region != dom.None && n < d.End(region) {
			b.region = region
		}
		v.blocks = append(v.blocks, b)
	}
	for i := range v.blocks {
		b := &v.blocks[i]
		b.counts = d.Between(b.first, b.last+1)
	}
}

// isOutside reports whether an element, by its name or what the page calls
// it, is a place where stories do not stand.
func (v *view) isOutside(n dom.Node) bool { return v.doubt(n) != unnamed }

func (v *view) doubt(n dom.Node) doubt {
	d := v.doc
	switch d.Tag(n) {
	case dom.Nav, dom.Footer, dom.Dialog, dom.Button, dom.Select, dom.Textarea, dom.Figcaption:
		return never
	case dom.Aside, dom.Form:
		return seldom
	case dom.Body, dom.HTML, dom.Main, dom.Article:
		return unnamed
	}
	switch d.AttrOr(n, "role") {
	case "navigation", "complementary", "banner", "contentinfo", "search", "dialog":
		return never
	}
	return max(namesOutside(d.AttrOr(n, "class")), namesOutside(d.AttrOr(n, "id")))
}

// rescue takes a region back in when it holds more prose than all that stands
// outside of such regions: the page calls its story a widget, or is one form.
func (v *view) rescue() bool {
	var inside int
	best, most := dom.None, 0
	for i := 0; i < len(v.blocks); {
		region, words := v.blocks[i].region, 0
		for ; i < len(v.blocks) && v.blocks[i].region == region; i++ {
			if b := &v.blocks[i]; b.prose {
				words += b.words()
			}
		}
		switch {
		case region == dom.None:
			inside += words
		case words > most*trust(v.doubt(region)):
			best, most = region, words/trust(v.doubt(region))
		}
	}
	if best == dom.None || most <= inside {
		return false
	}
	v.inside = append(v.inside, best)
	return true
}

// trust is how many times the prose a region must hold to be believed in
// spite of its name.
func trust(d doubt) int {
	if d == never {
		return 8
	}
	return 1
}

func (v *view) hasProse() bool {
	return slices.ContainsFunc(v.blocks, func(b block) bool { return b.prose && !b.outside() })
}

// weigh gives every block a weight: above zero for prose, below for the rest.
// Prose has a number of words and, if asked for, the marks of a sentence.
func (v *view) weigh(longEnough float64, sentences bool) {
	for i := range v.blocks {
		b := &v.blocks[i]
		words := float64(b.counts.Words)
		density := b.counts.LinkDensity()
		plain := words - float64(b.counts.LinkWords)
		tag := v.doc.Tag(b.owner)
		const most = 100
		b.prose = plain >= longEnough && density < 0.4 && (!sentences || b.counts.Stops > 0 || b.counts.Punct > 1)
		switch {
		case b.outside():
			b.weight, b.why = -(words/4 + 1), "stands where stories do not"
		case tag.IsHeading():
			b.prose = false
			b.weight, b.why = -1, "heading"
		case density >= 0.4:
			b.weight, b.why = -(words/2 + 3), "mostly links"
		case b.prose:
			b.weight, b.why = min(plain, most)*(1-density), "prose"
		default:
			b.weight, b.why = -(0.5 + words/10), "short"
		}
	}
}

func (v *view) sum(n dom.Node) float64 { return v.sums[v.doc.End(n)] - v.sums[n] }

// heaviest finds the element whose blocks weigh the most together; of equals,
// the innermost.
func (v *view) heaviest() (dom.Node, float64) {
	d := v.doc
	best, weight := d.Root(), v.sum(d.Root())
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		if d.IsText(n) || !d.Tag(n).IsBlock() {
			continue
		}
		if s := v.sum(n); s >= weight {
			best, weight = n, s
		}
	}
	return best, weight
}
