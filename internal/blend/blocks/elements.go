package blocks

import (
	"math"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// around are the kinds of elements that a block may stand in, as bits.
type around uint32

const (
	inArticle around = 1 << iota
	inMain
	inAside
	inNav
	inHeader
	inFooter
	inForm
	inFigure
	inCaption
	inList
	inTable
	inQuote
	inSection
	inButton
	inCode
	inBodyMark // itemprop="articleBody" and its like
	inHeading
	inDetails
	inAddress
	inBold
	inStory   // one of the marks that name the whole story: role="article", itemtype …Article
	inForeign // named for what others write; no feature
)

// ground is what is known of an element before its text is looked at.
type ground struct {
	in        around
	own       int16 // what its names say
	low, high int16 // the worst and the best that is said of it and what is around it
	worst     dom.Node
	best      dom.Node // what that is said of
	key       uint32
	alike     int32 // siblings of the same tag and class
}

// survey looks at every element that has text, from the outside in.
func (v *View) survey(t *Tables) {
	d := v.Doc
	v.ground = room(v.ground, d.Len())
	for k := 1; k < len(v.ground); k++ {
		n := dom.Node(k)
		tag := d.Tag(n)
		g := &v.ground[n]
		*g = v.ground[d.Parent(n)]
		g.alike = 0
		if tag == dom.Text {
			continue
		}
		if d.Hidden(n) || d.Chars(n) == 0 {
			continue
		}
		g.in |= bits[tag]
		if tag == dom.Unknown && isForeign(d.Name(n)) {
			g.in |= inForeign // <amp-ad>, <ad-slot>
		}
		g.own, g.key = 0, uint32(tag)
		if tag == dom.HTML || tag == dom.Body {
			continue // what they are called says nothing of a part of the page
		}
		v.callings(n, t, g)
		if g.own < g.low {
			g.low, g.worst = g.own, n
		}
		if g.own > g.high {
			g.high, g.best = g.own, n
		}
	}
	v.countAlike()
}

// callings reads the attributes of an element that name it.
func (v *View) callings(n dom.Node, t *Tables, g *ground) {
	var low, high int16
	for key, value := range v.Doc.Attrs(n) {
		switch key {
		case "class", "id":
			if key == "class" {
				g.key = hashOn(g.key, value)
			}
			w := names{text: value}
			for p, ok := w.next(); ok; p, ok = w.next() {
				x := int16(t.Names[p])
				low, high = min(low, x), max(high, x)
				if foreignNames.has(p) {
					g.in |= inForeign
				}
			}
		case "role":
			g.in |= roles[value]
		case "itemprop":
			switch value {
			case "articleBody", "reviewBody", "text":
				g.in |= inBodyMark
			}
		case "itemtype":
			if len(value) > 7 && value[len(value)-7:] == "Article" {
				g.in |= inStory
			}
		}
	}
	g.own = low + high
}

// hashOn goes on with a hash.
func hashOn(h uint32, s string) uint32 {
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * step
	}
	return h
}

// placeSet is a set of places in a table.
type placeSet [TableSize / 64]uint64

func (s *placeSet) add(p uint32) { s[p/64] |= 1 << (p % 64) }

func (s *placeSet) has(p uint32) bool { return s[p/64]&(1<<(p%64)) != 0 }

// isForeign reports whether a name has such a word in it.
func isForeign(name string) bool {
	w := names{text: name}
	for p, ok := w.next(); ok; p, ok = w.next() {
		if foreignNames.has(p) {
			return true
		}
	}
	return false
}

// foreignNames are the places of the words that name what others write, readers and
// those who pay for it, and what opens over the page only when it is pointed at.
// Read only.
var foreignNames = func() (s placeSet) {
	eachName("comment comments commentlist disqus replies ad ads adbox advert advertisement adslot sponsored newsletter tooltip tooltips popover", s.add)
	return s
}()

// bits are the marks of tags. Read only.
var bits = func() (t [256]around) {
	for tag, b := range map[dom.Tag]around{
		dom.Article: inArticle, dom.Main: inMain, dom.Aside: inAside, dom.Nav: inNav, dom.Header: inHeader,
		dom.Footer: inFooter, dom.Form: inForm, dom.Figure: inFigure, dom.Figcaption: inCaption | inFigure,
		dom.Ul: inList, dom.Ol: inList, dom.Dl: inList, dom.Table: inTable, dom.Blockquote: inQuote,
		dom.Section: inSection, dom.Button: inButton, dom.Select: inButton, dom.Label: inButton, dom.Textarea: inButton,
		dom.Pre: inCode, dom.Code: inCode, dom.H1: inHeading, dom.H2: inHeading, dom.H3: inHeading, dom.H4: inHeading,
		dom.H5: inHeading, dom.H6: inHeading, dom.Details: inDetails, dom.Address: inAddress, dom.Strong: inBold, dom.B: inBold,
	} {
		t[tag] = b
	}
	return t
}()

// roles are the marks of the values of role. Read only.
var roles = map[string]around{
	"article": inStory, "main": inMain, "complementary": inAside, "navigation": inNav, "banner": inHeader,
	"contentinfo": inFooter, "search": inForm, "dialog": inButton, "button": inButton, "heading": inHeading, "list": inList,
}

// countAlike tells every element around a block how many of its siblings look
// like it. All children of an element are counted when one is asked for: those
// that are not asked for have their number below zero, and none in the end.
func (v *View) countAlike() {
	d := v.Doc
	for i := range v.Blocks {
		for n := v.Blocks[i].Owner; n > 0 && v.ground[n].alike <= 0; n = d.Parent(n) {
			g := &v.ground[n]
			if g.alike == 0 {
				v.countChildren(d.Parent(n))
			}
			g.alike = -g.alike
		}
	}
	for k := range v.ground {
		g := &v.ground[k]
		g.alike = max(g.alike, 0)
	}
}

// brood is how many children of an element have a key.
type brood struct {
	key   uint32
	count int32 // 0 in a place that is free
}

// countChildren counts the children of an element by their keys, in a table
// with open addressing: a page may give each of a hundred thousand its own.
func (v *View) countChildren(parent dom.Node) {
	d := v.Doc
	n, size := 0, 16
	for range d.Children(parent) {
		n++
	}
	for size < 2*n {
		size *= 2
	}
	v.broods = room(v.broods, size)
	for c := range d.Children(parent) {
		if d.Tag(c) != dom.Text {
			b := v.brood(v.ground[c].key)
			b.key = v.ground[c].key
			b.count++
		}
	}
	for c := range d.Children(parent) {
		if d.Tag(c) != dom.Text {
			v.ground[c].alike = -v.brood(v.ground[c].key).count
		}
	}
}

// brood is the place of a key, or the free one for it.
func (v *View) brood(key uint32) *brood {
	last := uint32(len(v.broods) - 1)
	i := (key ^ key>>15) & last
	for v.broods[i].count > 0 && v.broods[i].key != key {
		i = (i + 1) & last
	}
	return &v.broods[i]
}

// group is all blocks that stand alike: the same path of tags, the same name
// of the nearest element.
type group struct {
	blocks, prose, links    int32
	words, linkWords, stops int32
	first, last             int32
}

// stand is what blocks that stand alike have in common.
type stand struct {
	path dom.Path
	key  uint32
}

// group sorts the blocks by how they stand.
func (v *View) group() {
	v.kin, v.same, v.groups = room(v.kin, len(v.Blocks)), room(v.same, len(v.Blocks)), v.groups[:0]
	if v.stands == nil {
		v.stands, v.texts = make(map[stand]int32, 64), make(map[string]int32, len(v.Blocks))
	}
	clear(v.stands)
	clear(v.texts)
	known, texts := v.stands, v.texts
	for i := range v.Blocks {
		b := &v.Blocks[i]
		s := stand{v.Doc.Path(b.Owner), v.ground[b.Owner].key}
		k, ok := known[s]
		if !ok {
			k = int32(len(v.groups))
			known[s] = k
			v.groups = append(v.groups, group{first: int32(i)})
		}
		v.kin[i] = k
		g := &v.groups[k]
		g.blocks++
		g.words += b.Counts.Words
		g.linkWords += b.Counts.LinkWords
		g.stops += b.Counts.Stops
		g.last = int32(i)
		if b.IsProse() {
			g.prose++
		}
		if b.Counts.LinkDensity() > 0.5 {
			g.links++
		}
		texts[v.opening(i)]++
	}
	for i := range v.Blocks {
		v.same[i] = texts[v.opening(i)]
	}
}

// opening is as much of a block as is looked at.
func (v *View) opening(i int) string {
	text := v.Text(i)
	end := min(len(text), far+1)
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return text[:end]
}

// Together moves the log-odds of blocks that stand alike towards their mean, by a
// share of the way. Two blocks are no group yet.
func (v *View) Together(odds []float32, share float32) {
	const few = 3
	sums := make([]struct{ odds, weight float32 }, len(v.groups))
	for i, x := range odds {
		if i == v.Headline {
			continue
		}
		w := float32(math.Sqrt(float64(v.Blocks[i].Words() + 1)))
		g := &sums[v.kin[i]]
		g.odds += w * max(-sure, min(sure, x))
		g.weight += w
	}
	for i := range odds {
		k := v.kin[i]
		if v.groups[k].blocks >= few && sums[k].weight > 0 {
			odds[i] += share * (sums[k].odds/sums[k].weight - max(-sure, min(sure, odds[i])))
		}
	}
}

// sure is where log-odds are as good as certain.
const sure = 5
