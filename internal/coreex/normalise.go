package coreex

import "github.com/lede-news/lede/dom"

// normalise stands for the conversion to XHTML of section 3.2. The document
// is a clean HTML5 tree already, so what is left to do is what strict XHTML
// asks for beyond that:
//
//   - elements that only change the look or the language of words, such as
//     <b>, <font> and <span>, give way to what is in them;
//   - where inline nodes stand loose beside blocks, every run of them becomes
//     a block of its own, with its links;
//   - elements that show nothing are gone: they have neither words nor links,
//     and so no part in any score.
func (t *tree) normalise() {
	d := t.doc
	mixed := make([]bool, d.Len()) // has children that are blocks
	for n := t.top; int(n) < d.Len(); n++ {
		p := t.up[n]
		if p == nobody {
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
	open := make([]id, d.Len()) // the run that goes on in a node; 0 for none
	for n := t.top; int(n) < d.Len(); n++ {
		p := t.up[n]
		switch {
		case p == nobody || !mixed[p]:
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
		if t.up[n] != nobody && t.isUnwrapped(n) {
			t.up[n] = nobody
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

// isUnwrapped tells the elements that give way to their content.
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

// isInline tells what may stand in a row with words.
func isInline(t dom.Tag) bool {
	return !t.IsBlock() && t != dom.Unknown && t != dom.Script || t == dom.Br
}

// shows reports whether there are words or links in n.
func shows(d *dom.Document, n dom.Node) bool {
	c := d.Counts(n)
	return c.Words > 0 || c.Links > 0
}
