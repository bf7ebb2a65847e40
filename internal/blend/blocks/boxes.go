package blocks

import "github.com/lede-news/lede/dom"

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
