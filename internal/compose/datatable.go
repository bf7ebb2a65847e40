package compose

import "github.com/lede-news/lede/dom"

// DataTables finds the tables of figures that stand inside the story and of
// which the mask does not keep all.
func DataTables(d *dom.Document, mask []bool) []dom.Node {
	first, last := dom.None, dom.None
	for n := range mask {
		if mask[n] && d.IsText(dom.Node(n)) {
			if first == dom.None {
				first = dom.Node(n)
			}
			last = dom.Node(n)
		}
	}
	if first == dom.None {
		return nil
	}
	var out []dom.Node
	for n := range d.All(d.Root(), dom.Table) {
		inside := n > first && n < last || besideStory(d, mask, n)
		if inside && !d.Hidden(n) && isData(d, n) && !isLinks(d, n) && !allKept(d, mask, n) {
			out = append(out, n)
		}
	}
	return out
}

// besideStory reports whether a table, or a box that holds nothing else, is
// the sibling of a paragraph of the story. So may one at its end be.
func besideStory(d *dom.Document, mask []bool, n dom.Node) bool {
	p := d.Parent(n)
	for p != dom.None && d.Chars(p) == d.Chars(n) {
		n, p = p, d.Parent(p)
	}
	if p == dom.None {
		return false
	}
	for k := range d.Children(p) {
		if d.Tag(k) == dom.P && mask[k] && d.Words(k) > 0 {
			return true
		}
	}
	return false
}

// isLinks tells a table that leads elsewhere, such as one of further stories.
func isLinks(d *dom.Document, n dom.Node) bool {
	const most = 0.5
	return d.LinkDensity(n) > most
}

func allKept(d *dom.Document, mask []bool, n dom.Node) bool {
	for m := n; m < d.End(n); m++ {
		if d.IsText(m) && !mask[m] && d.Words(m) > 0 {
			return false
		}
	}
	return true
}
