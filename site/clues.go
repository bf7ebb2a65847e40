package site

import (
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// A clue is a hash of something that a row has in common with rows of other
// pages: where it is on the page, what is above it. A profile
// counts how often rows with the same clue belonged to the story.

// rowClues are the clues that are hashed. The others of method.Clue come from
// the elements around a row.
const rowClues = int(method.ByBox)

// clues has the hashes of a row by method.Clue; 0 means none.
type clues [rowClues]key

// paths holds two hashes of the position of every element.
type paths struct {
	names     []uint64 // the names and classes of the element and all around it
	positions []uint64 // the names of the same elements, and their numbers among their siblings
}

func (f *Fingerprint) findPaths() paths {
	d := f.doc
	p := paths{make([]uint64, d.Len()), make([]uint64, d.Len())}
	// By tag: how many siblings had it, and whose children they are.
	var counts [256]uint64
	var parents [256]dom.Node
	for n := range dom.Node(d.Len()) {
		if d.IsText(n) || d.Words(n) == 0 {
			continue
		}
		for c := range d.Children(n) {
			if d.IsText(c) {
				continue
			}
			tag := uint8(d.Tag(c))
			if parents[tag] != n+1 {
				parents[tag], counts[tag] = n+1, 0
			}
			counts[tag]++
			if d.Words(c) == 0 {
				continue
			}
			step := f.steps[c]
			if t := d.Tag(c); t == dom.Body || t == dom.HTML {
				step = uint64(t) // its classes are those of a section or a story
			}
			p.names[c] = mix(p.names[n], step)
			p.positions[c] = mix(p.positions[n], uint64(d.Tag(c))<<32|counts[tag])
		}
	}
	return p
}

const maxLabel = 8 // words of a row that may say what the next ones are

// findClues computes the clues of all rows.
func (f *Fingerprint) findClues() []clues {
	d := f.doc
	p := f.findPaths()
	out := make([]clues, len(f.rows))
	var before, heading uint64 // of the row before, and of the heading
	for i := range f.rows {
		r := &f.rows[i]
		if r.words == 0 {
			continue
		}
		owner := d.Parent(r.first)
		for !d.Tag(owner).IsBlock() && d.Parent(owner) != dom.None {
			owner = d.Parent(owner)
		}
		tag := uint64(d.Tag(owner))
		c := &out[i]
		c.set(method.ByPath, p.names[owner])
		c.set(method.ByPlace, uint64(f.places[owner]))
		if up := d.Parent(owner); up != dom.None {
			c.set(method.ByPosition, mix(p.positions[up], tag))
		}
		if before != 0 {
			c.set(method.ByLabel, mix(before, tag))
		}
		if heading != 0 {
			c.set(method.ByHeading, heading)
		}
		before = 0
		if r.words <= maxLabel {
			before = uint64(r.key)
			if d.Tag(owner).IsHeading() || strings.HasSuffix(f.text(r), ":") {
				heading = uint64(r.key)
			}
		}
	}
	return out
}

func (c *clues) set(kind method.Clue, h uint64) {
	if h != 0 {
		c[kind] = max(1, fold(mix(h, uint64(kind)+1)))
	}
}

// maxClues is the maximum number of clues that an observation has.
const maxClues = 2000

// observeClues records how many of the words of the rows with each clue belong
// to the story.
func (f *Fingerprint) observeClues(o *Observation, kept []int32) {
	type words struct{ kept, all int32 }
	count := map[key]words{}
	for i, c := range f.findClues() {
		r := &f.rows[i]
		in := kept[r.last+1] - kept[r.first]
		for _, k := range c {
			if k != 0 {
				w := count[k]
				count[k] = words{w.kept + in, w.all + r.words}
			}
		}
	}
	o.clues = make([]key, 0, len(count))
	for k := range count {
		o.clues = append(o.clues, k)
	}
	o.clues = smallest(o.clues, maxClues)
	o.shares = make([]uint8, len(o.clues))
	for i, k := range o.clues {
		w := count[k]
		o.shares[i] = uint8((255*int(w.kept) + int(w.all)/2) / int(w.all))
	}
}

// judgeRows finds what the profile knows about the rows of a page.
func (t *template) judgeRows(f *Fingerprint) []method.SiteRow {
	boxes := t.judgeBoxes(f)
	out := make([]method.SiteRow, 0, len(f.rows))
	for i, c := range f.findClues() {
		r := &f.rows[i]
		if r.words == 0 {
			continue
		}
		row := method.SiteRow{First: r.first, Last: r.last}
		if t.knowsEnough(r) {
			row.Repeats = min(1, t.Rows.get(r.key).count/t.Weight)
		}
		for kind, k := range c {
			if k != 0 {
				e := t.Clues.get(k)
				row.Clues[kind] = method.Evidence{Pages: e.count, Kept: e.kept}
			}
		}
		row.Clues[method.ByBox] = boxes[f.doc.Parent(r.first)]
		out = append(out, row)
	}
	return out
}

// judgeBoxes returns, by element, what is known about the place around it that was
// least often part of a story.
func (t *template) judgeBoxes(f *Fingerprint) []method.Evidence {
	d := f.doc
	out := make([]method.Evidence, d.Len())
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		if d.IsText(n) {
			continue
		}
		out[n] = out[d.Parent(n)]
		if f.places[n]&named == 0 {
			continue
		}
		kept := t.Kept.get(f.places[n]).count
		e := method.Evidence{Pages: kept + t.Dropped.get(f.places[n]).count, Kept: kept}
		if w := out[n]; e.Pages > 0 && (w.Pages == 0 || (e.Kept+0.5)*(w.Pages+1) < (w.Kept+0.5)*(e.Pages+1)) {
			out[n] = e
		}
	}
	return out
}
