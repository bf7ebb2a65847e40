package coreex

import (
	"iter"
	"strings"

	"github.com/lede-news/lede/dom"
)

// tree is the page's tree with the counts of section 2.1 at every node. What is
// ignored, and what is inside a link, counts nothing.
type tree struct {
	doc *dom.Document
	cfg *Config
	top dom.Node // <body>

	text, link []int32 // textCnt and linkCnt
	// The counts of the set S, section 2.2.2. Without subset selection S is the
	// node itself.
	setText, setLink []int32
	weightText       float64
	scriptWords      int32 // which count in the text of the page only
	readForms        bool  // although they should be ignored
}

// newTree counts the words and links of a page.
func newTree(d *dom.Document, c *Config) *tree {
	t := &tree{doc: d, cfg: c, top: max(d.First(dom.Body), d.Root()), weightText: c.WeightText}
	t.readForms = c.MinFormShare > 0 && d.First(dom.Form) != dom.None
	if all := t.count(); t.readForms {
		t.readForms = false
		if float64(t.count()) < c.MinFormShare*float64(all) {
			// If the whole page is in a form, CoreEx finds nothing (section 6.1).
			t.readForms = true
			t.count()
		}
	}
	t.sum()
	if all := d.Counts(d.Root()); c.own && all.Chars < 2*all.Words { // most words are single characters
		t.weightText /= 2
	}
	return t
}

// count finds the terminal nodes and counts their words and links. It returns the
// number of words outside links.
func (t *tree) count() (found int) {
	d := t.doc
	t.text, t.link = make([]int32, d.Len()), make([]int32, d.Len())
	t.setText, t.setLink = make([]int32, d.Len()), make([]int32, d.Len())
	t.scriptWords = 0
	for n, end := t.top, d.End(t.top); n < end; {
		switch {
		case t.ignores(n):
			n = d.End(n)
			continue
		case d.IsText(n):
			t.text[n] = int32(d.Words(n))
			found += d.Words(n)
		case t.isLink(n):
			t.text[n], t.link[n] = 1, 1 // section 2.1, "If T is a link node"
			n = d.End(n)
			continue
		case d.Tag(n) == dom.Script && t.cfg.Steps < removeScripts:
			// A script is neither a text node nor a link node, so by section 2.1
			// it counts nothing. It is part of page_text (section 2.2.1), "the
			// total text the webpage contains".
			for range strings.FieldsSeq(d.Raw(n)) {
				t.scriptWords++
			}
		}
		n++
	}
	return found
}

// ignores reports whether n is a form or a field, which are not part of the tree
// (section 3.2).
func (t *tree) ignores(n dom.Node) bool {
	if t.cfg.Steps < ignoreForms {
		return false
	}
	switch t.doc.Tag(n) {
	case dom.Select, dom.Option, dom.Input, dom.Textarea:
		return true
	case dom.Form:
		return !t.readForms
	}
	return false
}

// isLink reports whether n is a link node, with text or a picture in it.
func (t *tree) isLink(n dom.Node) bool {
	d := t.doc
	return d.Tag(n) == dom.A && d.InLink(n) && !d.Hidden(n) && d.FirstChild(n) != dom.None
}

// sum walks up the tree (section 2.1) and adds the counts of every node to
// those of its parent, and to its parent's set if the ratio allows it.
func (t *tree) sum() {
	for n := t.doc.End(t.top) - 1; n >= t.top; n-- {
		text, link := t.text[n], t.link[n]
		if text == 0 {
			continue
		}
		if t.cfg.Steps < subsetSelection || t.isTerminal(n) {
			t.setText[n], t.setLink[n] = text, link
		}
		if n == t.top {
			break
		}
		p := t.doc.Parent(n)
		t.text[p] += text
		t.link[p] += link
		if t.cfg.Steps >= subsetSelection && t.inSet(n) {
			t.setText[p] += text
			t.setLink[p] += link
		}
	}
}

// isTerminal reports whether n is a text node or a link node.
func (t *tree) isTerminal(n dom.Node) bool { return t.doc.IsText(n) || t.isLink(n) }

// ratio returns the basic score of section 2.1.1, which section 2.2.2 compares
// with the threshold.
func ratio(text, link int32) float64 { return float64(text-link) / float64(max(text, 1)) }

// inSet reports whether n belongs to the set S of its parent.
func (t *tree) inSet(n dom.Node) bool {
	return t.text[n] > 0 && ratio(t.text[n], t.link[n]) > t.cfg.Threshold
}

// score returns the score of section 2.1.1 or 2.2.1, for the set if there is one.
func (t *tree) score(n dom.Node) float64 {
	text, link := t.setText[n], t.setLink[n]
	if text == 0 {
		return 0
	}
	share := float64(text) / float64(t.text[t.top]+t.scriptWords)
	// The conversions prevent fused multiply-add, which rounds differently: the
	// choice must not depend on the machine.
	return float64((1-t.weightText)*ratio(text, link)) + float64(t.weightText*share)
}

// best returns the Main Content Node, the one with the highest score. Among equals
// it is the highest in the tree and then the first, where the paper chooses at
// random.
func (t *tree) best() dom.Node {
	best, most := dom.None, -1.0
	for i, text := range t.setText {
		n := dom.Node(i)
		if text == 0 {
			continue
		}
		if s := t.score(n); s > most || s == most && t.doc.Depth(n) < t.doc.Depth(best) {
			best, most = n, s
		}
	}
	return best
}

// children returns the children of n that are in the tree.
func (t *tree) children(n dom.Node) iter.Seq[dom.Node] {
	return func(yield func(dom.Node) bool) {
		for k := range t.doc.Children(n) {
			if !t.ignores(k) && !yield(k) {
				return
			}
		}
	}
}
