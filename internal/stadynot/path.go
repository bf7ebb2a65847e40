package stadynot

import (
	"strconv"

	"github.com/lede-news/lede/dom"
)

// PathString is the path-string of an element (section 3.2): the way to it
// from the root, each element with its position among those of its parent, as
// in
//
//	0(html)-1(body)-12(div)-0(div)-3(p)
//
// The longest path that those of two links begin with is that of their least
// common ancestor.
func PathString(d *dom.Document, n dom.Node) string {
	var path string
	for ; n != dom.None && n != d.Root(); n = d.Parent(n) {
		if d.IsText(n) {
			continue
		}
		position := 0
		for s := d.Prev(n); s != dom.None; s = d.Prev(s) {
			if !d.IsText(s) {
				position++
			}
		}
		step := strconv.Itoa(position) + "(" + d.Name(n) + ")"
		if path != "" {
			step += "-"
		}
		path = step + path
	}
	return path
}
