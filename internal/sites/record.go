package sites

import (
	"encoding/json"
	"math"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// record is what was known about the site of a page when it was extracted, so that the
// page can be extracted in the same way when more is known.
type record struct {
	Page        uint64      `json:"page"` // checksum
	Pages       int         `json:"pages"`
	Static      []int       `json:"static"` // begin and end of each run of nodes
	Tail        []int       `json:"tail"`   // likewise
	Headline    dom.Node    `json:"headline"`
	Body        dom.Node    `json:"body"`
	Byline      dom.Node    `json:"byline"`
	Date        dom.Node    `json:"date"`
	TitleSuffix string      `json:"title_suffix"`
	Rows        []recordRow `json:"rows"`
}

// recordRow is the first and last node of a row, its repeats and the numbers of its
// clues. It is shorter than a method.SiteRow.
type recordRow [3 + 2*method.Clues]float64

// maxRecord is the size of the longest record. A metadata record may have a megabyte.
const maxRecord = 500_000

// encode returns what is known about the site of a page as one line, or "" if that is
// nothing or too much.
func encode(f *site.Fingerprint, s *method.Site) string {
	if s == nil {
		return ""
	}
	r := record{Page: f.Checksum(), Pages: s.Pages, Static: runs(s.Static), Tail: runs(s.Tail),
		Headline: s.Headline, Body: s.Body, Byline: s.Byline, Date: s.Date, TitleSuffix: s.TitleSuffix}
	for _, row := range s.Rows {
		x := recordRow{float64(row.First), float64(row.Last), float64(row.Repeats)}
		for i, e := range row.Clues {
			x[3+2*i], x[4+2*i] = float64(e.Pages), float64(e.Kept)
		}
		r.Rows = append(r.Rows, x)
	}
	b, err := json.Marshal(r)
	if err != nil || len(b) > maxRecord {
		return ""
	}
	return string(b)
}

// runs returns where runs of marks begin and end. It is nil if the marks are.
func runs(marks []bool) (list []int) {
	if marks == nil {
		return nil
	}
	list = []int{}
	for i, m := range marks {
		if m != (len(list)%2 == 1) {
			list = append(list, i)
		}
	}
	if len(list)%2 == 1 {
		list = append(list, len(marks))
	}
	return list
}

// marks is the reverse of runs.
func marks(list []int, n int) []bool {
	if list == nil {
		return nil
	}
	m := make([]bool, n)
	for i := 0; i+1 < len(list); i += 2 {
		for j := max(list[i], 0); j < min(list[i+1], n); j++ {
			m[j] = true
		}
	}
	return m
}

// isValid reports whether the nodes are those of a page with n nodes, since archives
// may come from anywhere.
func (r *record) isValid(n int) bool {
	isNode := func(x float64) bool { return x >= 0 && x < float64(n) && x == math.Trunc(x) }
	for _, x := range []dom.Node{r.Headline, r.Body, r.Byline, r.Date} {
		if x != dom.None && !isNode(float64(x)) {
			return false
		}
	}
	if r.Pages < 0 || len(r.Rows) > n {
		return false
	}
	last := -1.0
	for _, x := range r.Rows {
		if !isNode(x[0]) || !isNode(x[1]) || x[0] > x[1] || x[0] <= last {
			return false
		}
		last = x[1]
		for _, number := range x[2:] {
			if number < 0 || number > math.MaxFloat32 {
				return false
			}
		}
	}
	return true
}

// Recorded returns the site of a page as [Known.Record] has described it. It knows
// nothing about other pages, nor about the page if another version of lede parses it
// in another way.
func Recorded(text string) lede.Site { return recorded(text) }

type recorded string

// Match implements lede.Site.
func (text recorded) Match(f *site.Fingerprint) *method.Site {
	var r record
	if json.Unmarshal([]byte(text), &r) != nil || r.Page != f.Checksum() || !r.isValid(f.Nodes()) {
		return nil
	}
	n := f.Nodes()
	s := &method.Site{Pages: r.Pages, Static: marks(r.Static, n), Tail: marks(r.Tail, n),
		Headline: r.Headline, Body: r.Body, Byline: r.Byline, Date: r.Date, TitleSuffix: r.TitleSuffix}
	for _, x := range r.Rows {
		row := method.SiteRow{First: dom.Node(x[0]), Last: dom.Node(x[1]), Repeats: float32(x[2])}
		for i := range row.Clues {
			row.Clues[i] = method.Evidence{Pages: float32(x[3+2*i]), Kept: float32(x[4+2*i])}
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}
