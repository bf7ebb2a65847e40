package blocks

import (
	_ "embed"
	"math"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
)

//go:embed features.txt
var featureList string

// Features are the names of the features of a block, in the order of Rows.
var Features = readFeatures(featureList)

// readFeatures reads a list with the name and the description of a feature on each
// line.
func readFeatures(list string) (names []string) {
	for line := range strings.Lines(list) {
		if name, _, _ := strings.Cut(line, " "); name != "#" {
			names = append(names, name)
		}
	}
	return names
}

// Signals hold the choices of the published methods by node. One is nil if the
// method found nothing.
type Signals struct{ NCE []bool }

// Rows returns the features of all blocks, one row after the other.
func (v *View) Rows(s Signals) []float32 {
	d := v.Describe(s)
	return d.Append(nil, len(v.Blocks))
}

// Describer describes the blocks of a view by their features, some at a time: the
// features of all blocks of a page may take more memory than the rest of its
// extraction.
type Describer struct {
	view    *View
	signals Signals
	next    int     // block
	before  float32 // words of prose so far
	heading int     // the last one before the block, or -1
	after   int     // the next one after it, or the number of blocks
	seen    soFar
}

// Describe returns a describer that begins with the first block.
func (v *View) Describe(s Signals) Describer { return Describer{view: v, signals: s, heading: -1} }

// Append appends the features of the next n blocks to out, or of all that are left.
func (d *Describer) Append(out []float32, n int) []float32 {
	v := d.view
	end := min(len(v.Blocks), d.next+n)
	out = slices.Grow(out, (end-d.next)*len(Features))
	for i := d.next; i < end; i++ {
		out = v.appendText(out, i)
		out = v.appendElements(out, i)
		out = v.appendBoxes(out, i)
		out = v.appendBranch(out, i)
		out = v.appendGroup(out, i)
		for d.after <= i || d.after < len(v.Blocks) && !v.IsHeading(d.after) {
			d.after++
		}
		out = v.appendSection(out, d.heading, d.after)
		out = v.appendNeighbours(out, i)
		out = v.appendPosition(out, i, d.before)
		out = v.appendStories(out, i, &d.seen)
		out = v.appendEvidence(out, i, d.signals)
		if v.Blocks[i].IsProse() {
			d.before += float32(v.Blocks[i].Words())
		}
		if v.IsHeading(i) {
			d.heading = i
		}
	}
	d.next = end
	return out
}

// logs holds the logarithms of common counts. Read only.
var logs = func() (t [1024]float32) {
	for i := range t {
		t[i] = float32(math.Log1p(float64(i)))
	}
	return t
}()

func log(x int32) float32 {
	if x >= 0 && int(x) < len(logs) {
		return logs[x]
	}
	return float32(math.Log1p(float64(x)))
}

func ratio(a, b int32) float32 { return float32(a) / float32(max(b, 1)) }

func flag(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// appendText describes the text of a block.
func (v *View) appendText(out []float32, i int) []float32 {
	c, l := &v.Blocks[i].Counts, &v.stats[i]
	return append(out,
		log(c.Words), float32(c.LinkDensity()), log(c.Stops), ratio(c.Digits, c.Chars), ratio(int32(l.capitalized), int32(l.words)), float32(l.last),
		float32(l.low), float32(l.high), float32(l.sum), flag(v.Blocks[i].IsProse()), float32(min(v.repeats[i], 9)),
	)
}

// appendElements describes the elements around a block.
func (v *View) appendElements(out []float32, i int) []float32 {
	d, b := v.Doc, &v.Blocks[i]
	in := v.elements[b.First].in
	for _, kind := range [...]enclosing{inArticle, inMain, inAside, inNav, inFooter, inCaption, inList, inButton} {
		out = append(out, flag(in&kind != 0))
	}
	tag := d.Tag(b.Owner)
	g := &v.elements[b.First]
	return append(out, rank(tag), flag(tag == dom.Li), float32(v.elements[b.Owner].name), float32(g.low), float32(g.high))
}

// appendBranch describes the ancestors of a block with the worst and the best
// name, and the child of the main element around it.
func (v *View) appendBranch(out []float32, i int) []float32 {
	d, b := v.Doc, &v.Blocks[i]
	g := &v.elements[b.First]
	low, high := d.Counts(g.worst), d.Counts(g.best)
	out = append(out, ratio(low.Words, v.total.Words), ratio(low.Stops, v.total.Stops), ratio(high.Words, v.total.Words),
		float32(d.Depth(g.best)-d.Depth(g.worst)))
	if !d.Contains(v.main, b.First) || b.Owner == v.main {
		return append(out, -1, -1, -1, -1)
	}
	n := b.Owner
	for n > 0 && d.Parent(n) != v.main {
		n = d.Parent(n)
	}
	c, home := d.Counts(n), d.Counts(v.main)
	return append(out, ratio(c.Words, home.Words), float32(c.LinkDensity()), float32(v.elements[n].name), log(v.elements[n].similar))
}

// rank returns 7 for <h1> to 2 for <h6>, and 0 for other elements.
func rank(tag dom.Tag) float32 {
	if !tag.IsHeading() {
		return 0
	}
	return float32(7 - (tag - dom.H1))
}

// appendGroup describes the blocks in similar places.
func (v *View) appendGroup(out []float32, i int) []float32 {
	g := &v.groups[v.groupOf[i]]
	similar := v.elements[v.Blocks[i].Owner].similar
	return append(out,
		log(g.blocks), ratio(g.words, g.blocks), ratio(g.words, v.total.Words), ratio(g.linkWords, g.words),
		ratio(g.prose, g.blocks), ratio(g.stops, g.words), log(similar), ratio(g.blocks, g.last-g.first+1),
	)
}

// appendNeighbours describes the blocks before and after.
func (v *View) appendNeighbours(out []float32, i int) []float32 {
	if i > 0 {
		out = append(out, float32(v.stats[i-1].low))
	} else {
		out = append(out, -1)
	}
	if k := i + 1; k < len(v.Blocks) {
		c := &v.Blocks[k].Counts
		out = append(out, log(c.Words), log(c.Stops), flag(v.groupOf[k] == v.groupOf[i]))
	} else {
		out = append(out, -1, -1, -1)
	}
	var prose, links, words int32
	for k := max(0, i-6); k < min(len(v.Blocks), i+7); k++ {
		c := &v.Blocks[k].Counts
		words += c.Words
		links += c.LinkWords
		if v.Blocks[k].IsProse() {
			prose += c.Words
		}
	}
	return append(out, log(prose), ratio(links, words))
}

// appendPosition describes the position of a block on the page.
func (v *View) appendPosition(out []float32, i int, before float32) []float32 {
	b := &v.Blocks[i]
	d := v.Doc
	from := float32(-99)
	between := float32(0)
	common := float32(-1)
	if v.Headline >= 0 {
		from = float32(i - v.Headline)
		h := &v.Blocks[v.Headline]
		if i > v.Headline {
			between = log(d.WordsBetween(h.Last+1, b.First))
		} else {
			between = -log(d.WordsBetween(b.First, h.First))
		}
		common = float32(d.Depth(d.CommonAncestor(b.Owner, h.Owner)))
	}
	home := d.Contains(v.main, b.First)
	after := float32(0)
	if b.First >= d.End(v.main) {
		after = log(d.WordsBetween(d.End(v.main), b.First)) + 1
	}
	return append(out,
		ratio(d.WordsBetween(0, b.First), v.total.Words), before/float32(max(v.proseWords, 1)), from, between, common,
		flag(home), after, float32(d.Depth(b.Owner)-d.Depth(v.main)), float32(d.Depth(d.CommonAncestor(b.Owner, v.main))-d.Depth(v.main)),
	)
}

// appendEvidence appends the choice of NCE, and what the page seems to be.
func (v *View) appendEvidence(out []float32, i int, s Signals) []float32 {
	return append(out, flag(s.NCE != nil && s.NCE[v.Blocks[i].First]), v.Article, v.Index)
}

// appendBoxes describes the content of the ancestors of a block one, two and four levels up.
func (v *View) appendBoxes(out []float32, i int) []float32 {
	d, b := v.Doc, &v.Blocks[i]
	n, up := b.Owner, 0
	for _, level := range [...]int{1, 2, 4} {
		for ; up < level; up++ {
			if p := d.Parent(n); p > 0 {
				n = p
			}
		}
		c, g := d.Counts(n), &v.elements[n]
		out = append(out,
			log(c.Words), ratio(c.Words, v.total.Words), float32(c.LinkDensity()), log(c.Paras),
			log(c.Images), float32(g.name), ratio(c.Elements, c.Words),
			log(v.controls[d.End(n)]-v.controls[n]), v.firstWords(n),
		)
	}
	return append(out, log(v.card(d.Parent(b.Owner))))
}

// firstWords returns the lowest score of the words of the first block in a box,
// which often says what the box is for.
func (v *View) firstWords(box dom.Node) float32 {
	if i := int(v.blockAt[box]); i < len(v.stats) {
		return float32(v.stats[i].low)
	}
	return 0
}

// card returns how many siblings are similar to the innermost element, from n upwards, that is
// one of three or more, such as a teaser or a comment.
func (v *View) card(n dom.Node) int32 {
	const maxLevels = 8
	d := v.Doc
	for up := 0; n > 0 && up < maxLevels; n, up = d.Parent(n), up+1 {
		if similar := v.elements[n].similar; similar >= 3 && d.Tag(n) != dom.Tr && d.Tag(n) != dom.Td {
			return similar
		}
	}
	return 0
}

// appendSection describes the last heading before a block, and the text between
// it and the next heading.
func (v *View) appendSection(out []float32, heading, next int) []float32 {
	d := v.Doc
	from, to := dom.Node(0), dom.Node(d.Len())
	if next < len(v.Blocks) {
		to = v.Blocks[next].First
	}
	if heading >= 0 {
		h, l := &v.Blocks[heading], &v.stats[heading]
		from = h.Last + 1
		out = append(out, float32(l.low), float32(l.high), log(h.Counts.Words), rank(d.Tag(h.Owner)))
	} else {
		out = append(out, 0, 0, -1, -1)
	}
	c := d.Between(from, to)
	return append(out, log(c.Words), float32(c.LinkDensity()), ratio(c.Stops, c.Words))
}
