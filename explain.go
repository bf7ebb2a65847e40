package lede

import (
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// Explanation is an article with what was decided on the way to it.
type Explanation struct {
	Article *Article
	// Sources tells where each fact around the story came from: for "title",
	// "authors", "published" and others a word such as "json-ld" or "og".
	Sources map[string]string

	doc  *dom.Document
	sel  *method.Selection
	raw  *method.Selection // before it was corrected by what is known of the site
	keys *site.Page        // nil when nobody asked for the site
}

// Document is the page that the article is from.
func (x *Explanation) Document() *dom.Document { return x.doc }

// Observe is what the page teaches about its site, for the Add of a
// *site.Profile. What the method chose counts, not what the profile made of it:
// a profile must not learn from itself.
func (x *Explanation) Observe() *site.Observation {
	if x.keys == nil {
		x.keys = site.NewPage(x.doc)
	}
	a := *x.Article
	a.Type, a.Confidence = x.raw.Type, x.raw.Confidence
	return x.keys.Observe(&site.Extraction{URL: a.URL, Selection: x.raw, Article: &a})
}

// Verdict is what became of one block of the page's text.
type Verdict struct {
	// Role is "title", "kept", "dropped" or "hidden".
	Role string
	// Path is the tag path of the block, such as html>body>div>p.
	Path string
	// Score is the method's own, of the decision that Why belongs to.
	Score float64
	Why   string
	Text  string
}

// Verdicts goes through the text of the page in order and says for every block
// what became of it and why.
func (x *Explanation) Verdicts() []Verdict {
	d, mask, why := x.doc, x.sel.Mask(x.doc), x.reasons()
	var out []Verdict
	owner, role := dom.None, ""
	for n := dom.Node(0); int(n) < d.Len(); n++ {
		if !d.IsText(n) {
			continue
		}
		o := d.Parent(n)
		for !d.Tag(o).IsBlock() && d.Parent(o) != dom.None {
			o = d.Parent(o)
		}
		r, text := x.role(n, mask), d.Text(n)
		if r == "hidden" {
			text = strings.Join(strings.Fields(d.Raw(n)), " ")
		}
		if o == owner && r == role {
			last := &out[len(out)-1]
			last.Text += " " + text
			continue
		}
		owner, role = o, r
		v := Verdict{Role: r, Path: d.PathName(d.Path(o)), Text: text}
		if i := why[n]; i >= 0 {
			v.Score, v.Why = x.sel.Reasons[i].Score, x.sel.Reasons[i].Why
		}
		out = append(out, v)
	}
	return out
}

func (x *Explanation) role(n dom.Node, mask []bool) string {
	switch {
	case x.sel.Title != dom.None && x.doc.Contains(x.sel.Title, n):
		return "title"
	case x.doc.Hidden(n):
		return "hidden"
	case mask[n]:
		return "kept"
	}
	return "dropped"
}

// reasons finds for every node the innermost reason around it, as an index
// into the selection's reasons, or -1.
func (x *Explanation) reasons() []int32 {
	why := make([]int32, x.doc.Len())
	own := make(map[dom.Node]int32, len(x.sel.Reasons))
	for i, r := range x.sel.Reasons {
		own[r.Node] = int32(i)
	}
	for n := range why {
		why[n] = -1
		if i, ok := own[dom.Node(n)]; ok {
			why[n] = i
		} else if p := x.doc.Parent(dom.Node(n)); p != dom.None {
			why[n] = why[p]
		}
	}
	return why
}
