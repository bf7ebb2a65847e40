package twcem

import (
	"strconv"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// selection is the answer.
func (v *view) selection() *method.Selection {
	s := &method.Selection{Title: v.title.node, Confidence: v.confidence()}
	v.keep(s)
	if !v.brief {
		v.explain(s)
	}
	return s
}

// keep lists the text nodes of the rows that are kept. The pictures between
// two rows go with the one before them.
func (v *view) keep(s *method.Selection) {
	d, next := v.doc, dom.Node(0)
	for i := range v.rows {
		r := &v.rows[i]
		if !r.fate.kept() {
			continue
		}
		for n := max(r.first, next); n <= r.last; n++ {
			if d.IsText(n) && !d.Hidden(n) {
				s.Keep = append(s.Keep, n)
			}
		}
		next = r.last + 1
		if i+1 == len(v.rows) {
			break
		}
		for n := next; n < v.rows[i+1].first; n++ {
			if isPicture(d, n) {
				s.Keep = append(s.Keep, n)
			}
		}
	}
}

func isPicture(d *dom.Document, n dom.Node) bool {
	switch d.Tag(n) {
	case dom.Img, dom.Video, dom.Audio, dom.Iframe, dom.Embed:
		return true
	case dom.Unknown:
		return d.Name(n) == "amp-img"
	}
	return false
}

// confidence is the share of the title that the row closest to it has, less
// for each end that the title did not show.
func (v *view) confidence() float64 {
	if v.size == 0 {
		return 0
	}
	var most int32
	for i := range v.rows {
		if r := &v.rows[i]; r.fate.kept() {
			most = max(most, r.lcs)
		}
	}
	c := float64(most) / float64(v.size)
	for _, found := range [...]bool{v.opens, v.closes} {
		if !found {
			c *= 0.7
		}
	}
	return c
}

// explain gives every row its reason, on its first text node; rows of one text
// node share one.
func (v *view) explain(s *method.Selection) {
	s.Reasons = make([]method.Reason, 0, len(v.rows))
	ends := make([]int, 1, len(v.rows)+1)
	buf := make([]byte, 0, 64*len(v.rows))
	for i := range v.rows {
		r := &v.rows[i]
		if k := len(s.Reasons); k > 0 && s.Reasons[k-1].Node == r.first {
			if s.Reasons[k-1].Kept || !r.fate.kept() {
				continue
			}
			s.Reasons, ends, buf = s.Reasons[:k-1], ends[:k], buf[:ends[k-1]]
		}
		buf = v.why(buf, r)
		ends = append(ends, len(buf))
		s.Reasons = append(s.Reasons, method.Reason{Node: r.first, Kept: r.fate.kept(), Score: float64(r.lcs)})
	}
	all := string(buf)
	for i := range s.Reasons {
		s.Reasons[i].Why = all[ends[i]:ends[i+1]]
	}
}

func (v *view) why(b []byte, r *row) []byte {
	if r.fate == isTitle {
		b = append(b, "the title, by "...)
		return append(b, v.title.from...)
	}
	b = counted(b, r.length, "character")
	if r.fate == tooShort {
		b = append(b, ", fewer than "...)
		return strconv.AppendInt(b, int64(v.config.D1), 10)
	}
	b = counted(append(b, ", "...), r.marks, "mark")
	if r.fate == tooBare {
		b = append(b, ", fewer than "...)
		return strconv.AppendInt(b, int64(v.config.D2), 10)
	}
	b = counted(append(b, ", "...), r.lcs, "word")
	b = append(b, " of the title: "...)
	switch r.fate {
	case before:
		b = append(b, "before the first block that matches the title"...)
	case behind:
		b = append(b, "behind the last block that matches the title"...)
	case extended:
		b = append(b, "behind the last block that matches the title, but goes on like the story"...)
	default:
		b = append(b, "in the story"...)
	}
	return b
}

func counted(b []byte, n int32, what string) []byte {
	b = strconv.AppendInt(b, int64(n), 10)
	b = append(append(b, ' '), what...)
	if n != 1 {
		b = append(b, 's')
	}
	return b
}
