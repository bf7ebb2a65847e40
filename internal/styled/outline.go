package styled

import (
	"golang.org/x/net/html/atom"
)

var headings = [...]atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}

// outline numbers the headings anew, so that none skips a level: pages choose
// them by their size, but a screen reader walks them as a table of contents.
func (p *page) outline() {
	var open []int // the levels, as the page had them, of the headings around
	for _, h := range all(p.article, headings[:]...) {
		level := int(h.Data[1] - '0')
		for len(open) > 0 && open[len(open)-1] >= level {
			open = open[:len(open)-1]
		}
		open = append(open, level)
		a := headings[len(open)-1]
		h.DataAtom, h.Data = a, a.String()
	}
}

// tables puts each table into a frame that scrolls by itself, also with the
// keyboard, so that a wide one does not widen the page.
func (p *page) tables() {
	for _, t := range all(p.article, atom.Table) {
		name := p.words.table
		for c := range elements(t) {
			if c.DataAtom == atom.Caption {
				if s := content(c); s != "" {
					name = s
				}
			}
		}
		wrap(t, element(atom.Div, "class", "table", "role", "region", "aria-label", name, "tabindex", "0"))
	}
}
