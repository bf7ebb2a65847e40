// Package twcem finds the story by its title: it begins with the first row of
// the page that shares enough words with the title and ends with the last.
//
// It implements Zhen Tan, Chunhui He, Yang Fang, Bin Ge and Weidong Xiao:
// Title-Based Extraction of News Contents for Text Mining, IEEE Access 6, 2018,
// https://doi.org/10.1109/ACCESS.2018.2877592. Sections, definitions and
// algorithms that the comments name are those of that paper.
//
// Where the paper leaves a choice, or its pseudo code has a slip, this is the
// reading here:
//
//   - A row (Definition 1) is a row of the rendered text: block elements and
//     <br> break rows. So a page that is delivered on one line has rows too.
//   - The length that δ1 bounds is in characters without blanks, as in
//     Definition 4. δ2 counts the marks that Unicode calls terminal punctuation.
//   - A plain match costs nothing in the edit distance. Formula (1) lets it
//     cost 1, which is not the distance of Levenshtein that the text names.
//   - A heading that shares no word with the meta title is none: of any
//     headings one is the nearest, be it "Most popular".
//   - The row of the title is no part of the story. But it matches the title,
//     whatever its length and punctuation, so the story begins behind it.
//   - The paper gives no K. It is 1 here: more gains nothing, and 0, which is
//     Algorithm 3 to the letter, loses up to a point of F1.
//   - Algorithm 4 begins to count at 1 and adds the rows before row_end. Here
//     the first row is 0, and the row that the end was found at is in the story.
//   - Words of up to three letters are stop words. So are those of up to five
//     letters, and single characters of scripts without spaces, that stand in
//     more than half of the rows. That needs no list for any language.
//
// The last row that speaks of the title is often not the last of the story.
// Config.Extend goes on from there, and Config.Extend = false is the paper.
package twcem

import (
	"context"
	"strconv"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// Config holds the settings of the method; see Default and Preset.
type Config struct {
	D1     int  `param:"d1" about:"δ1: least characters of a row, blanks aside"`
	D2     int  `param:"d2" about:"δ2: least punctuation marks of a row"`
	D3     int  `param:"d3" about:"δ3: least words of the title in the first and the last block"`
	K      int  `param:"k" about:"K: rows that a block takes in beside its own, up to 16"`
	Extend bool `param:"extend" about:"go on behind the last block that matches the title while rows look like the story"`

	preset string
}

// Default is the preset "news": the δ of the paper, with K and Extend as the
// package says.
func Default() Config {
	return Config{D1: 4, D2: 1, D3: 2, K: 1, Extend: true}
}

// Preset is the settings of a name: "news" or "microblog" (Section IV.A.3).
func Preset(name string) (Config, bool) {
	c := Default()
	switch name {
	case "news":
	case "microblog":
		c.D1, c.D2, c.D3, c.preset = 2, 1, 1, name
	default:
		return Config{}, false
	}
	return c, true
}

// TWCEM is the method. It is safe for concurrent use.
type TWCEM struct{ config Config }

// New makes the method.
func New(c Config) *TWCEM { return &TWCEM{config: c} }

// Name is "twcem", with the preset behind a colon if it is not "news".
func (m *TWCEM) Name() string {
	if m.config.preset != "" {
		return "twcem:" + m.config.preset
	}
	return "twcem"
}

// Select chooses the rows between the first and the last that speak of the title.
func (m *TWCEM) Select(ctx context.Context, p *method.Page) (*method.Selection, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	v := &view{config: m.config, doc: p.Doc, rows: split(p.Doc), brief: p.NoReasons}
	v.title = findTitle(p.Doc, p.LinkText, v.rows)
	if v.find() {
		return v.selection(), nil
	}
	if !v.title.isHeading(p.Doc) {
		// A post may be its own title, so that nothing is left without it.
		v.title.node, v.whole = dom.None, true
		if v.find() {
			return v.selection(), nil
		}
	}
	return nil, method.ErrNoContent
}

// view is the page as the method sees it.
type view struct {
	config Config
	doc    *dom.Document
	rows   []row
	title  title
	whole  bool // the row of the title is part of the story
	brief  bool // without reasons

	// list is the rows that are candidates, the CCL of Algorithms 3 and 4.
	list []int32
	// head is the row of the headline in list, or -1: the last row of the element
	// that shows the title, or else the first that is equal to it.
	head int
	*glossary

	start, end int  // first and last row of the story in list
	last       int  // end before it was extended
	opens      bool // start was found by the title
	closes     bool // end was
}

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
