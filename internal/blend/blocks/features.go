package blocks

import (
	_ "embed"
	"math"
	"strings"

	"github.com/lede-news/lede/dom"
)

//go:embed features.txt
var featureList string

// Features are the names of the numbers that Row gives, in its order.
var Features = readList(featureList)

func readList(list string) (out []string) {
	for line := range strings.Lines(list) {
		if f := strings.Fields(line); len(f) > 0 && f[0] != "#" {
			out = append(out, f...)
		}
	}
	return out
}

// Signals are the choices of the published methods by node, nil where one was
// not asked or found nothing.
type Signals struct{ NCE, CoreEx []bool }

// Rows gives the features of all blocks, one row after the other.
func (v *View) Rows(s Signals) []float32 {
	return v.AppendRows(make([]float32, 0, len(v.Blocks)*len(Features)), s)
}

// AppendRows adds what Rows gives to a slice.
func (v *View) AppendRows(out []float32, s Signals) []float32 {
	before := float32(0) // words of prose so far
	heading := -1
	last := lastRow{card: dom.None}
	for i := range v.Blocks {
		out = v.ofText(out, i)
		out = v.ofPlace(out, i)
		out = v.ofBoxes(out, i, &last)
		out = v.ofBranch(out, i)
		out = v.ofKin(out, i)
		out = v.ofSection(out, i, heading, &last)
		out = v.ofNeighbours(out, i)
		out = v.ofSteps(out, i)
		out = v.ofPosition(out, i, before)
		out = v.ofMethods(out, i, s)
		if v.Blocks[i].IsProse() {
			before += float32(v.Blocks[i].Words())
		}
		if v.IsHeading(i) {
			heading = i
		}
	}
	return out
}

// logs are the logarithms of what blocks and boxes usually count. Read only.
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

func share(a, b int32) float32 { return float32(a) / float32(max(b, 1)) }

func is(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func (v *View) ofText(out []float32, i int) []float32 {
	c, l := &v.Blocks[i].Counts, &v.looks[i]
	return append(out,
		log(c.Words), share(c.Chars, c.Words), float32(c.LinkDensity()), log(c.Links), share(c.LinkWords, c.Links),
		share(c.Punct, c.Words), share(c.Stops, c.Words), log(c.Stops), share(c.Digits, c.Chars), share(c.Format, c.Words),
		share(int32(l.uppers), int32(l.letters)), share(int32(l.capital), int32(l.words)), float32(l.longest),
		float32(l.first), float32(l.last), is(l.year), is(l.clock), is(l.at), is(l.bar), is(l.copyright),
		share(int32(l.questions), c.Words), share(int32(l.quotes), c.Words),
		float32(l.low), float32(l.high), float32(l.sum), is(v.Blocks[i].IsProse()), float32(min(v.same[i], 9)),
	)
}

// ofPlace tells the elements around a block.
func (v *View) ofPlace(out []float32, i int) []float32 {
	d, b := v.Doc, &v.Blocks[i]
	in := v.ground[b.First].in
	for bit := inArticle; bit <= inStory; bit <<= 1 {
		out = append(out, is(in&bit != 0))
	}
	tag := d.Tag(b.Owner)
	g := &v.ground[b.Owner]
	inner := &v.ground[d.Parent(b.First)]
	return append(out,
		rank(tag), is(tag == dom.P), is(tag == dom.Li), is(tag == dom.Td || tag == dom.Th), is(tag == dom.Div),
		float32(d.Depth(b.Owner)), float32(g.own), float32(inner.own), float32(inner.low), float32(inner.high),
		float32(v.ground[max(d.Parent(b.Owner), 0)].own), is(b.First == b.Owner+1), is(d.End(b.Owner) <= b.Last+1),
	)
}

// ofBranch tells of the part of the page that a block and nothing else of note
// stands in: the child of its home around it, and the places with the worst and
// the best name.
func (v *View) ofBranch(out []float32, i int) []float32 {
	d, b := v.Doc, &v.Blocks[i]
	g := &v.ground[b.First]
	low, high := d.Counts(g.worst), d.Counts(g.best)
	out = append(out, share(low.Words, v.total.Words), share(low.Stops, v.total.Stops), share(high.Words, v.total.Words),
		float32(d.Depth(g.best)-d.Depth(g.worst)))
	if !d.Contains(v.Home, b.First) || b.Owner == v.Home {
		return append(out, -1, -1, -1, -1)
	}
	n := v.branch[b.Owner]
	c, home := d.Counts(n), d.Counts(v.Home)
	return append(out, share(c.Words, home.Words), float32(c.LinkDensity()), float32(v.ground[n].own), log(v.ground[n].alike))
}

// rank is higher for higher headings, and 0 for what is none.
func rank(tag dom.Tag) float32 {
	if !tag.IsHeading() {
		return 0
	}
	return float32(7 - (tag - dom.H1))
}

// ofSteps tells how far it is from a block to its neighbours in the tree, and to
// the next prose in words.
func (v *View) ofSteps(out []float32, i int) []float32 {
	d := v.Doc
	for _, k := range [...]int{i - 1, i + 1} {
		if k < 0 || k >= len(v.Blocks) {
			out = append(out, -1, -1)
			continue
		}
		a, b := v.Blocks[i].Owner, v.Blocks[k].Owner
		up := d.Depth(d.CommonAncestor(a, b))
		out = append(out, float32(d.Depth(a)-up), float32(d.Depth(b)-up))
	}
	since, until := float32(-1), float32(-1)
	b := &v.Blocks[i]
	if k := v.proseBefore[i]; k >= 0 {
		since = log(d.WordsBetween(v.Blocks[k].Last+1, b.First))
	}
	if k := v.proseAfter[i]; k >= 0 {
		until = log(d.WordsBetween(b.Last+1, v.Blocks[k].First))
	}
	return append(out, since, until)
}

// ofKin tells of the blocks that stand alike.
func (v *View) ofKin(out []float32, i int) []float32 {
	g := &v.groups[v.kin[i]]
	alike := v.ground[v.Blocks[i].Owner].alike
	return append(out,
		log(g.blocks), share(g.words, g.blocks), share(g.words, v.total.Words), share(g.linkWords, g.words),
		share(g.prose, g.blocks), share(g.stops, g.words), share(int32(i)-g.first, g.last-g.first),
		share(g.links, g.blocks), log(alike), share(g.blocks, g.last-g.first+1),
	)
}

// ofNeighbours tells of the blocks before and after.
func (v *View) ofNeighbours(out []float32, i int) []float32 {
	for _, k := range [...]int{-2, -1, 1, 2} {
		k += i
		if k < 0 || k >= len(v.Blocks) {
			out = append(out, -1, -1, -1, -1, -1)
			continue
		}
		c := &v.Blocks[k].Counts
		out = append(out, log(c.Words), float32(c.LinkDensity()), log(c.Stops), is(v.kin[k] == v.kin[i]), float32(v.looks[k].low))
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
	return append(out, share(prose, words), log(prose), share(links, words))
}

// ofPosition tells where on the page a block stands.
func (v *View) ofPosition(out []float32, i int, before float32) []float32 {
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
	home := d.Contains(v.Home, b.First)
	var after, until float32
	if b.First >= d.End(v.Home) {
		after = log(d.WordsBetween(d.End(v.Home), b.First)) + 1
	} else if b.First < v.Home {
		until = log(d.WordsBetween(b.First, v.Home)) + 1
	}
	return append(out,
		float32(i), float32(i)/float32(len(v.Blocks)), share(d.WordsBetween(0, b.First), v.total.Words),
		before/float32(max(v.prose, 1)), from, between, common, v.title[i],
		is(home), after, until, float32(d.Depth(b.Owner)-d.Depth(v.Home)), float32(d.Depth(d.CommonAncestor(b.Owner, v.Home))-d.Depth(v.Home)),
		is(d.ImagesBetween(0, b.First) == 0), is(d.ImagesBetween(max(0, b.First-6), b.First) > 0),
		log(v.total.Words-d.WordsBetween(0, b.First)),
	)
}

// ofMethods tells what the published methods chose.
func (v *View) ofMethods(out []float32, i int, s Signals) []float32 {
	b := &v.Blocks[i]
	for _, mask := range [...][]bool{s.NCE, s.CoreEx} {
		out = append(out, is(mask != nil && mask[b.First]))
	}
	return out
}

// lastRow is what the row before was of. Blocks after one another mostly stand in
// the same boxes and under the same heading, and then what the features tell of
// those is copied: it is a fourth of all of them.
type lastRow struct {
	boxes         [levels]dom.Node
	card          dom.Node
	heading, next int
}

// again adds n features that are the same as in the row before.
func again(out []float32, n int) []float32 {
	from := len(out) - len(Features)
	return append(out, out[from:from+n]...)
}

// levels is how many boxes around a block are looked at.
const levels = 4

// ofBoxes tells what the elements around a block hold.
func (v *View) ofBoxes(out []float32, i int, last *lastRow) []float32 {
	d, b := v.Doc, &v.Blocks[i]
	n := b.Owner
	for level := range levels {
		if p := d.Parent(n); p > 0 {
			n = p
		}
		before := share(d.WordsBetween(n, b.First), int32(d.Words(n)))
		if i > 0 && last.boxes[level] == n {
			const features, ofBefore = 10, 8
			out = again(out, features)
			out[len(out)-features+ofBefore] = before
			continue
		}
		last.boxes[level] = n
		c, g := d.Counts(n), &v.ground[n]
		out = append(out,
			log(c.Words), share(c.Words, v.total.Words), float32(c.LinkDensity()), share(c.Stops, c.Words), log(c.Paras),
			log(c.Images), log(g.alike), float32(g.own), before, share(c.Elements, c.Words),
		)
	}
	return v.ofCard(out, i, last)
}

// ofCard looks for the innermost box around a block that has three or more
// siblings like it, such as a teaser or a comment.
func (v *View) ofCard(out []float32, i int, last *lastRow) []float32 {
	d, b := v.Doc, &v.Blocks[i]
	box := d.Parent(b.Owner)
	if i > 0 && last.card == box {
		const features = 7
		return again(out, features)
	}
	last.card = box
	const high = 8 // boxes
	for n, up := box, 0; n > 0 && up < high; n, up = d.Parent(n), up+1 {
		g := &v.ground[n]
		if g.alike >= 3 && d.Tag(n) != dom.Tr && d.Tag(n) != dom.Td {
			c, all := d.Counts(n), d.Counts(d.Parent(n))
			return append(out, log(g.alike), log(c.Words), float32(c.LinkDensity()), log(c.Images),
				share(c.Words*g.alike, all.Words), log(c.Stops), float32(d.Depth(b.Owner)-d.Depth(n)))
		}
	}
	return append(out, 0, 0, 0, 0, 0, 0, 0)
}

// ofSection tells of the last heading before a block, and of what stands
// between it and the next.
func (v *View) ofSection(out []float32, i, heading int, last *lastRow) []float32 {
	d := v.Doc
	distance := float32(-1)
	if heading >= 0 {
		distance = float32(i - heading)
	}
	next := int(v.headings[i])
	if i > 0 && last.heading == heading && last.next == next {
		const features = 9
		out = again(out, features)
		out[len(out)-features] = distance
		return out
	}
	last.heading, last.next = heading, next
	from, to := dom.Node(0), dom.Node(d.Len())
	if next >= 0 {
		to = v.Blocks[next].First
	}
	if heading >= 0 {
		h, l := &v.Blocks[heading], &v.looks[heading]
		from = h.Last + 1
		out = append(out, distance, float32(l.low), float32(l.high), log(h.Counts.Words), rank(d.Tag(h.Owner)), float32(h.Counts.LinkDensity()))
	} else {
		out = append(out, distance, 0, 0, -1, -1, 0)
	}
	c := d.Between(from, to)
	return append(out, log(c.Words), float32(c.LinkDensity()), share(c.Stops, c.Words))
}
