package blocks

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// LowName returns the class or id around block i that articles are found under
// least, or "".
func (v *View) LowName(i int) string {
	name, _ := v.extremeName(v.elements[v.Blocks[i].First].worst, func(r *nameReader) int16 { return -r.low })
	return name
}

// HighName returns the class or id around block i that articles are found under
// most, or "".
func (v *View) HighName(i int) string {
	name, _ := v.extremeName(v.elements[v.Blocks[i].First].best, func(r *nameReader) int16 { return r.high })
	return name
}

// extremeName returns the class or id of an element with the largest score above 0.
func (v *View) extremeName(n dom.Node, score func(*nameReader) int16) (name string, most int16) {
	for _, names := range [...]string{v.Doc.Attr(n, "class"), v.Doc.Attr(n, "id")} {
		for s := range strings.FieldsSeq(names) {
			r := nameReader{names: &v.tables.Names}
			eachToken(s, r.read)
			if x := score(&r); x > most {
				name, most = s, x
			}
		}
	}
	return name, most
}
