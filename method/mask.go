package method

import (
	"slices"

	"github.com/lede-news/lede/dom"
)

// Mask tells for every node of the document whether the selection keeps it.
func (s *Selection) Mask(d *dom.Document) []bool {
	mask := make([]bool, d.Len())
	type mark struct {
		node dom.Node
		kept bool
	}
	marks := make([]mark, 0, len(s.Keep)+len(s.Drop))
	for _, n := range s.Keep {
		marks = append(marks, mark{n, true})
	}
	for _, n := range s.Drop {
		marks = append(marks, mark{n, false})
	}
	// In preorder an inner subtree comes after the one around it, so that it
	// has the last word; on the same node, dropping has.
	slices.SortStableFunc(marks, func(a, b mark) int { return int(a.node - b.node) })
	for _, m := range marks {
		for n := m.node; n < d.End(m.node); n++ {
			mask[n] = m.kept
		}
	}
	return mask
}

// Text is the text of the kept nodes, a row of the page a line.
func (s *Selection) Text(d *dom.Document) string {
	mask := s.Mask(d)
	all := d.AllText()
	var out []byte
	last := -1
	for n := range mask {
		if !mask[n] || !d.IsText(dom.Node(n)) {
			continue
		}
		from, to := d.Span(dom.Node(n))
		if from == to {
			continue
		}
		if last >= 0 && from > last {
			// What parts the two on the page parts them here.
			sep := byte(' ')
			for _, c := range []byte(all[last:from]) {
				if c == '\n' {
					sep = '\n'
				}
			}
			out = append(out, sep)
		}
		out = append(out, all[from:to]...)
		last = to
	}
	return string(out)
}
