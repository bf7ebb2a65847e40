package stadynot

import (
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// static marks what stage 1 has found (section 3.1).
func (r *run) static(site *method.Site) {
	d := r.doc
	if site == nil || len(site.Static) != d.Len() || isVoid(d, site.Static) {
		return
	}
	var mixed []bool
	if r.cfg.Row > 0 {
		mixed = mixedRows(d, site.Static, r.cfg.Row)
	}
	for n := r.top + 1; n < d.End(r.top); {
		if !site.Static[n] || d.Chars(n) == 0 {
			n++
			continue
		}
		if mixed == nil || !mixed[n] {
			r.noise(n, 0, "static noise")
		}
		n = d.End(n)
	}
}

// mixedRows tells which nodes stand in a row of the page that is for the most
// part not static, and long. A name that half of the stories link to is no noise
// in the middle of a sentence.
func mixedRows(d *dom.Document, static []bool, long int) []bool {
	mixed := make([]bool, d.Len())
	text := d.AllText()
	var row []dom.Node
	same, size, last := 0, 0, 0
	flush := func() {
		if other := size - same; other > same && other >= long {
			for _, n := range row {
				mixed[n] = true
				// An inline element is one with the words that it begins with.
				for p := d.Parent(n); p == n-1 && isInline(d.Tag(p)); n, p = p, d.Parent(p) {
					mixed[p] = true
				}
			}
		}
		row, same, size = row[:0], 0, 0
	}
	for n := range static {
		id := dom.Node(n)
		from, to := d.Span(id)
		if !d.IsText(id) || from == to {
			continue
		}
		if strings.Contains(text[last:from], "\n") {
			flush()
		}
		row, size, last = append(row, id), size+d.Chars(id), to
		if static[n] {
			same += d.Chars(id)
		}
	}
	flush()
	return mixed
}
