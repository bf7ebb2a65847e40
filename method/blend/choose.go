package blend

import (
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// choose marks the blocks of home that are the story: its prose, and what
// stands between prose and looks as if it belongs.
func (v *view) choose(home dom.Node) {
	d := v.doc
	paths := places{} // where the prose of the story stands
	first, last := -1, -1
	for i := range v.blocks {
		b := &v.blocks[i]
		if !d.Contains(home, b.first) || !b.prose || b.outside() {
			continue
		}
		if v.isAround(b) {
			continue
		}
		b.kept = true
		paths[v.place(b)] = true
		if first < 0 {
			first = i
		}
		last = i
	}
	for i := first + 1; i < last; i++ {
		v.belongs(i, paths)
	}
	last = v.tail(home, last, paths)
	first = v.lead(home, first, paths)
	v.dropBehindLinks(home)
	v.dropLooseHeadings(first, last)
}

// place is where a block stands: the names of the elements around it, and what
// the page calls the nearest.
type place struct {
	path  dom.Path
	class string
}

type places map[place]bool

func (v *view) place(b *block) place {
	return place{v.doc.Path(b.owner), v.doc.AttrOr(b.owner, "class")}
}

// belongs decides on a block that is no prose but stands among it.
func (v *view) belongs(i int, paths places) bool {
	b := &v.blocks[i]
	density := b.counts.LinkDensity()
	if b.kept || b.outside() || v.isAround(b) {
		return b.kept
	}
	switch tag := v.doc.Tag(b.owner); {
	case tag.IsHeading():
		b.kept, b.why = density < 0.5, "heading inside the story"
	case paths[v.place(b)] && density < 0.5:
		b.kept, b.why = true, "short, but stands like the paragraphs around it"
	case density < 0.4 && v.doc.Closest(b.owner, dom.Li, dom.Td, dom.Th, dom.Caption, dom.Dd, dom.Dt, dom.Blockquote, dom.Pre) != dom.None:
		b.kept, b.why = true, "list, table or quotation inside the story"
	}
	return b.kept
}

// tail goes on behind the last prose as long as blocks belong: a story may end
// with a list or a short line.
func (v *view) tail(home dom.Node, last int, paths places) int {
	for i := last + 1; i < len(v.blocks) && v.doc.Contains(home, v.blocks[i].first); i++ {
		if !v.belongs(i, paths) {
			break
		}
		last = i
	}
	return last
}

// lead goes back before the first prose for short lines that open the story. A
// byline stands there too; a sentence tells them apart.
func (v *view) lead(home dom.Node, first int, paths places) int {
	if v.isFirstHeading(home, first-1) {
		first--
		v.blocks[first].kept, v.blocks[first].why = true, "first of the headings inside the story"
	}
	for i := first - 1; i >= 0 && v.doc.Contains(home, v.blocks[i].first); i-- {
		b := &v.blocks[i]
		if b.outside() || b.counts.Stops == 0 || !paths[v.place(b)] || b.counts.LinkDensity() >= 0.4 {
			break
		}
		b.kept, b.why = true, "short, but opens the story"
		first = i
	}
	return first
}

// isFirstHeading reports whether a block is a heading like others further on in
// the story: the first entry of a live report has one too.
func (v *view) isFirstHeading(home dom.Node, i int) bool {
	if i < 0 || !v.doc.Contains(home, v.blocks[i].first) || !v.doc.Tag(v.blocks[i].owner).IsHeading() {
		return false
	}
	b := &v.blocks[i]
	for k := i + 1; k < len(v.blocks); k++ {
		if o := &v.blocks[k]; o.kept && v.doc.Tag(o.owner).IsHeading() && v.place(o) == v.place(b) {
			return !b.outside() && b.counts.LinkDensity() < 0.5
		}
	}
	return false
}

// dropLooseHeadings drops headings that nothing of the story follows: they
// belong to boxes that are gone.
func (v *view) dropLooseHeadings(first, last int) {
	follows := false
	for i := last; i >= max(first, 0); i-- {
		b := &v.blocks[i]
		if v.doc.Tag(b.owner).IsHeading() {
			if b.kept && !follows {
				b.kept, b.why = false, "heading of something that is not the story"
			}
			follows = false
			continue
		}
		follows = follows || b.kept
		if !b.kept && !b.outside() {
			follows = follows && b.words() < 4
		}
	}
}

// drop lists the subtrees of home that hold nothing of the story.
func (v *view) drop(s *method.Selection, home dom.Node) {
	d := v.doc
	kept := make([]int32, d.Len()+1)
	text := make([]int32, d.Len()+1)
	i := 0
	for n := range kept[1:] {
		kept[n+1], text[n+1] = kept[n], text[n]
		for i < len(v.blocks) && dom.Node(n) > v.blocks[i].last {
			i++
		}
		if i < len(v.blocks) && dom.Node(n) >= v.blocks[i].first && d.IsText(dom.Node(n)) {
			text[n+1]++
			if v.blocks[i].kept {
				kept[n+1]++
			}
		}
	}
	for n := home + 1; n < d.End(home); {
		end := d.End(n)
		hasText, hasKept := text[end] > text[n], kept[end] > kept[n]
		switch {
		case hasText && !hasKept && kept[len(kept)-1] > kept[n] && v.holdsPicture(n):
			n++ // the words go, the picture stays
		case hasText && !hasKept, !hasText && !d.IsText(n) && v.isOutside(n):
			s.Drop = append(s.Drop, n)
			n = end
		default:
			n++
		}
	}
}

// explain gives every block its reason.
func (v *view) explain(s *method.Selection, home dom.Node) {
	for i := range v.blocks {
		b := &v.blocks[i]
		why := b.why
		if !v.doc.Contains(home, b.first) {
			why = "outside the heaviest part: " + why
		}
		for n := b.first; n <= b.last; n++ {
			if v.doc.IsText(n) && !v.doc.Hidden(n) {
				s.Reasons = append(s.Reasons, method.Reason{Node: n, Kept: b.kept, Score: b.weight, Why: why})
			}
		}
	}
}
