package coreex

import (
	"iter"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
)

// id is a node of the scored tree: the number of a node of the document or, from
// Len() on, of a run.
type id int32

// noID is no node. It is the parent of what is not in the tree.
const noID id = -1

// tree is the page's tree with the counts of section 2.1 at every node.
type tree struct {
	doc *dom.Document
	cfg *Config
	top id // <body>

	mem        []int32 // of the counts
	up         []id    // parent in the tree, or noID
	text, link []int32 // textCnt and linkCnt
	// The counts of the set S, section 2.2.2. Without subset selection S is the
	// node itself.
	setText, setLink []int32
	weightText       float64
	scriptWords      int32 // of scripts that count in the text of the page only

	runs      []run // added by normalise, in page order
	readForms bool  // although IgnoreForms is set
}

// run is a sequence of inline nodes that normalise has made a block of.
type run struct{ first, last dom.Node }

// build builds the tree of a page and counts, in the memory of another tree.
func (t *tree) build(d *dom.Document, c *Config) {
	*t = tree{doc: d, cfg: c, top: id(d.First(dom.Body)), mem: t.mem, up: t.up, runs: t.runs[:0]}
	if t.top == noID {
		t.top = id(d.Root())
	}
	if left, inForms := t.count(); float64(left) < c.MinFormShare*float64(left+inForms) {
		// If the whole page is in a form, CoreEx finds nothing (section 6.1).
		t.readForms = true
		t.count()
	}
	if c.Normalise {
		t.normalise()
	}
	t.sum()
	t.weightText = c.WeightText
	if isIdeographic(d) {
		t.weightText *= c.Ideographs
	}
}

// isIdeographic reports whether most words of a page are single characters.
func isIdeographic(d *dom.Document) bool {
	c := d.Counts(d.Root())
	return c.Chars < 2*c.Words
}

// count finds the terminal nodes and counts their words and links. It returns the
// number of words outside links that it found, and of those it ignored in forms.
func (t *tree) count() (found, inForms int) {
	d := t.doc
	t.reset()
	t.scriptWords = 0
	for n, end := dom.Node(t.top), d.End(dom.Node(t.top)); n < end; {
		tag := d.Tag(n)
		if t.ignores(n) != "" {
			if tag == dom.Form {
				inForms += t.wordsOf(n)
			}
			n = d.End(n)
			continue
		}
		t.up[n] = id(d.Parent(n))
		switch {
		case tag == dom.Text:
			words := d.Words(n)
			t.text[n] = int32(words)
			found += words
		case t.isLink(n):
			t.text[n], t.link[n] = 1, 1 // section 2.1, "If T is a link node"
			n = d.End(n)
			continue
		case tag == dom.Script && !t.cfg.RemoveScripts:
			// A script is neither a text node nor a link node, so by section 2.1
			// it counts nothing. It is part of page_text (section 2.2.1), "the
			// total text the webpage contains".
			words := countFields(d.Raw(n))
			if t.cfg.ScriptNodes {
				t.text[n] = words
			} else {
				t.scriptWords += words
			}
		}
		n++
	}
	t.up[t.top] = noID
	return found, inForms
}

// reset clears the tree.
func (t *tree) reset() {
	n := t.doc.Len()
	if cap(t.up) < n || cap(t.mem) < 4*n {
		t.up, t.mem = make([]id, n), make([]int32, 4*n)
	}
	t.up = t.up[:n]
	for i := range t.up {
		t.up[i] = noID
	}
	counts := t.mem[:4*n]
	clear(counts)
	t.text, t.link = counts[:n:n], counts[n:2*n:2*n]
	t.setText, t.setLink = counts[2*n:3*n:3*n], counts[3*n:4*n:4*n]
}

// ignores returns why n is not part of the tree, or "".
func (t *tree) ignores(n dom.Node) string {
	tag := t.doc.Tag(n)
	switch {
	case t.cfg.IgnoreForms && (isField(tag) || tag == dom.Form && !t.readForms): // section 3.2
		return "a form"
	case t.cfg.DropCaptions && isCaption(t.doc, n):
		return "a caption"
	}
	return ""
}

// isLink reports whether n is a link node, with text or a picture in it.
func (t *tree) isLink(n dom.Node) bool {
	d := t.doc
	return d.Tag(n) == dom.A && d.InLink(n) && !d.Hidden(n) && d.FirstChild(n) != dom.None
}

// isField reports whether a tag is ignored with <form> (section 3.2).
func isField(t dom.Tag) bool {
	switch t {
	case dom.Select, dom.Option, dom.Input, dom.Textarea:
		return true
	}
	return false
}

// wordsOf returns the number of words of an ignored form, without links and fields.
func (t *tree) wordsOf(form dom.Node) (words int) {
	d := t.doc
	for n := form; n < d.End(form); {
		tag := d.Tag(n)
		if isField(tag) || t.isLink(n) {
			n = d.End(n)
			continue
		}
		if tag == dom.Text {
			words += d.Words(n)
		}
		n++
	}
	return words
}

// countFields counts words separated by white space.
func countFields(s string) (words int32) {
	in := false
	for i := range len(s) {
		space := s[i] <= ' '
		if !space && !in {
			words++
		}
		in = !space
	}
	return words
}

// sum walks up the tree (section 2.1) and adds the counts of every node to
// those of its parent, and to its parent's set if the ratio allows it.
func (t *tree) sum() {
	r := len(t.runs)
	for n := id(t.doc.Len() - 1); n >= t.top; n-- {
		t.add(n)
		// A run is complete when the first of its nodes is.
		if r > 0 && n == id(t.runs[r-1].first) {
			r--
			t.add(id(t.doc.Len() + r))
		}
	}
}

func (t *tree) add(n id) {
	text, link := t.text[n], t.link[n]
	if text == 0 {
		return
	}
	if !t.cfg.Subset || t.isTerminal(n) {
		t.setText[n], t.setLink[n] = text, link
	}
	p := t.up[n]
	if p == noID {
		return
	}
	t.text[p] += text
	t.link[p] += link
	if t.cfg.Subset && t.inSet(n) {
		t.setText[p] += text
		t.setLink[p] += link
	}
}

// isTerminal reports whether n is a text node, a link node or a script.
func (t *tree) isTerminal(n id) bool {
	if t.isRun(n) {
		return false
	}
	tag := t.doc.Tag(dom.Node(n))
	return tag == dom.Text || tag == dom.Script || tag == dom.A && t.isLink(dom.Node(n))
}

func (t *tree) isRun(n id) bool { return int(n) >= t.doc.Len() }

// ratio returns the basic score of section 2.1.1, which section 2.2.2 compares
// with the threshold.
func ratio(text, link int32) float64 {
	if text == 0 {
		return 0
	}
	return float64(text-link) / float64(text)
}

// inSet reports whether n belongs to the set S of its parent.
func (t *tree) inSet(n id) bool {
	return t.text[n] > 0 && ratio(t.text[n], t.link[n]) > t.cfg.Threshold
}

// score returns the score of section 2.1.1 or 2.2.1, for the set if there is one.
func (t *tree) score(n id) float64 {
	text, link := t.setText[n], t.setLink[n]
	if text == 0 {
		return 0
	}
	r := ratio(text, link)
	if !t.cfg.Weighted {
		return r
	}
	share := float64(text) / float64(t.text[t.top]+t.scriptWords)
	// The conversions prevent fused multiply-add, which rounds differently: the
	// choice must not depend on the machine.
	return float64(t.cfg.WeightRatio*r) + float64(t.weightText*share)
}

// best returns the Main Content Node, the one with the highest score. Among equals
// it is the highest in the tree and then the first, where the paper chooses at
// random.
func (t *tree) best() id {
	best, most, height := noID, 0.0, 0
	for n := range t.setText {
		if t.setText[n] == 0 {
			continue
		}
		s := t.score(id(n))
		if s < most {
			continue
		}
		if h := t.depth(id(n)); s > most || h < height {
			best, most, height = id(n), s, h
		}
	}
	return best
}

// depth counts in halves, as a run is between a node and its children.
func (t *tree) depth(n id) int {
	if t.isRun(n) {
		return 2*t.doc.Depth(dom.Node(t.up[n])) + 1
	}
	return 2 * t.doc.Depth(dom.Node(n))
}

// span returns the range of nodes that n covers.
func (t *tree) span(n id) (from, to dom.Node) {
	if t.isRun(n) {
		r := t.runs[int(n)-t.doc.Len()]
		return r.first, t.doc.End(r.last)
	}
	return dom.Node(n), t.doc.End(dom.Node(n))
}

// children returns the children of n in page order.
func (t *tree) children(n id) iter.Seq[id] {
	return func(yield func(id) bool) {
		if t.isTerminal(n) {
			return
		}
		from, to := t.span(n)
		r, _ := slices.BinarySearchFunc(t.runs, from, func(r run, n dom.Node) int { return int(r.first - n) })
		for k := from; k < to; k++ {
			if r < len(t.runs) && t.runs[r].first == k {
				if run := id(t.doc.Len() + r); t.up[run] == n && !yield(run) {
					return
				}
				r++
			}
			if t.up[k] == n && !yield(id(k)) {
				return
			}
		}
	}
}

// normalise does to the tree what strict XHTML requires beyond being well-formed,
// which the tree is already:
//
//   - Elements that only change the look or the language of words, such as <b>,
//     <font> and <span>, are replaced by their content.
//   - Where inline nodes are siblings of blocks, every run of them becomes a block
//     of its own, with its links.
//   - Elements without words and links are left out, as they do not affect any
//     score.
func (t *tree) normalise() {
	d := t.doc
	mixed := make([]bool, d.Len()) // has children that are blocks
	for n := t.top; int(n) < d.Len(); n++ {
		p := t.up[n]
		if p == noID {
			continue
		}
		if t.isUnwrapped(p) {
			p = t.up[p]
			t.up[n] = p
		}
		if !isInline(d.Tag(dom.Node(n))) && shows(d, dom.Node(n)) {
			mixed[p] = true
		}
	}
	open := make([]id, d.Len()) // by node: its unfinished run, or 0
	for n := t.top; int(n) < d.Len(); n++ {
		p := t.up[n]
		switch {
		case p == noID || !mixed[p]:
		case t.isUnwrapped(n):
		case !isInline(d.Tag(dom.Node(n))):
			if shows(d, dom.Node(n)) {
				open[p] = 0
			}
		default:
			if open[p] == 0 && t.text[n] > 0 {
				open[p] = t.newRun(dom.Node(n), p)
			}
			if r := open[p]; r != 0 {
				t.up[n] = r
				t.runs[int(r)-d.Len()].last = dom.Node(n)
			}
		}
	}
	for n := t.top; int(n) < d.Len(); n++ {
		if t.up[n] != noID && t.isUnwrapped(n) {
			t.up[n] = noID
		}
	}
}

func (t *tree) newRun(first dom.Node, parent id) id {
	t.runs = append(t.runs, run{first, first})
	t.up = append(t.up, parent)
	t.text, t.link = append(t.text, 0), append(t.link, 0)
	t.setText, t.setLink = append(t.setText, 0), append(t.setLink, 0)
	return id(len(t.up) - 1)
}

// isUnwrapped reports whether n is replaced by its content.
func (t *tree) isUnwrapped(n id) bool {
	tag := t.doc.Tag(dom.Node(n))
	switch tag {
	case dom.A:
		return !t.doc.InLink(dom.Node(n)) // an anchor without a target
	case dom.Span, dom.Abbr, dom.Bdi, dom.Bdo, dom.Data, dom.Del, dom.Dfn, dom.Ins, dom.Kbd,
		dom.Label, dom.Nobr, dom.Q, dom.Samp, dom.Sub, dom.Sup, dom.Time:
		return true
	}
	return tag.IsFormatting()
}

// isInline reports whether a tag may be part of a line of text.
func isInline(t dom.Tag) bool {
	return !t.IsBlock() && t != dom.Unknown && t != dom.Script || t == dom.Br
}

// shows reports whether n has words or links.
func shows(d *dom.Document, n dom.Node) bool {
	c := d.Counts(n)
	return c.Words > 0 || c.Links > 0
}

// isCaption reports whether n is the caption of a picture (section 6.1, "Content
// in image captions"): a <figcaption>, or a short text beside a picture that is
// named as its caption.
func isCaption(d *dom.Document, n dom.Node) bool {
	const maxWords, maxLevels = 100, 2
	switch d.Tag(n) {
	case dom.Figcaption:
		return true
	case dom.Text, dom.Body, dom.Caption: // the caption of a table has no picture
		return false
	}
	if !isNamedCaption(d.Attr(n, "class")) && !isNamedCaption(d.Attr(n, "id")) {
		return false
	}
	if d.Words(n) == 0 || d.Words(n) > maxWords || d.Counts(n).Images > 0 {
		return false
	}
	for p, up := d.Parent(n), 0; p != dom.None && up < maxLevels; p, up = d.Parent(p), up+1 {
		if d.Counts(p).Images > 0 {
			return true
		}
	}
	return false
}

func isNamedCaption(names string) bool {
	return strings.Contains(strings.ToLower(names), "caption")
}
