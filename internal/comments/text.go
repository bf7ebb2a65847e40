package comments

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// text is the words of a comment, a row of the page a line, without what is
// pressed and without the answers inside it.
func (f *finder) text(it item, ends map[dom.Node]dom.Node) string {
	d := f.doc
	all := d.AllText()
	var rows []string
	var row strings.Builder
	end := -1
	flush := func() {
		if s := strings.TrimSpace(row.String()); s != "" && !isPhrase(s) {
			rows = append(rows, s)
		}
		row.Reset()
	}
	for m := it.from; m < it.to; {
		if to := ends[m]; to > 0 && m > it.from {
			m = to
			continue
		}
		if !d.IsText(m) {
			if d.Hidden(m) || m > it.from && isToolBox(d, m) {
				m = d.End(m)
				continue
			}
			m++
			continue
		}
		from, to := d.Span(m)
		m++
		if from == to || f.told(m-1) > 0 || isPhrase(all[from:to]) && d.InLink(m-1) {
			continue
		}
		if end >= 0 && strings.Contains(all[end:from], "\n") {
			flush()
		} else if row.Len() > 0 && end < from {
			row.WriteByte(' ')
		}
		row.WriteString(all[from:to])
		end = to
	}
	flush()
	return strings.Join(rows, "\n")
}
