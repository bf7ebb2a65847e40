package lede

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/story/compose"
	"github.com/lede-news/lede/internal/story/metadata"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// Candidate is a value that a page offers for a fact.
type Candidate = metadata.Candidate

// Explanation is an article with the decisions that led to it.
type Explanation struct {
	Article *Article
	// Sources names the source of each piece of metadata, such as "json-ld" or
	// "og", under "title", "authors", "published" and others.
	Sources map[string]string
	// Candidates are the values that the page offers for a fact, those that lost included, by
	// fact and then by score.
	Candidates []Candidate

	doc         *dom.Document
	sel         *method.Selection
	raw         *method.Selection   // before the correction by the site profile
	fingerprint *site.Fingerprint   // nil if no site is known
	body        compose.Body        // with the lead picture, if the page shows it
	places      map[string]dom.Node // see Places
}

// Document returns the page of the article.
func (x *Explanation) Document() *dom.Document { return x.doc }

// Selection returns the nodes of the page that the method selected, after the
// correction by what is known about the site. It must not be changed.
func (x *Explanation) Selection() *method.Selection { return x.sel }

// Nodes returns the nodes of the page that the body of the article and its lead
// picture are made of, in page order: texts and rules, pictures and players, and
// captions, of which it has the element and the texts.
func (x *Explanation) Nodes() []dom.Node { return x.body.Nodes() }

// MethodTitle returns the headline that the method itself found, or "" if it
// found none. Article.Title may differ: it is chosen from the page's metadata and
// headings, and the method's headline is only one of the candidates.
func (x *Explanation) MethodTitle() string { return x.raw.TitleText(x.doc) }

// Observe returns what the page shows about its site, to be added to a
// *site.Profile. It uses the selection of the method before the correction by
// the profile, so that a profile does not learn from itself.
func (x *Explanation) Observe() *site.Observation {
	f := x.fingerprint
	if f == nil {
		f = site.NewFingerprint(x.doc)
	}
	a := *x.Article
	a.Type, a.Confidence = x.raw.Type, x.raw.Confidence
	return f.Observe(a.URL, x.raw, &a)
}

// Places returns the nodes of the page that show the "title", the "authors", the
// date "published" and the "standfirst", also if the values came from elsewhere,
// such as JSON-LD. It has no entry for what the page does not show, and none without reasons.
func (x *Explanation) Places() map[string]dom.Node { return x.places }

// Decision is the outcome for one block of text.
type Decision struct {
	// Role is "title", "kept", "dropped" or "hidden".
	Role string
	// Path is the tag path of the block, such as html>body>div>p.
	Path string
	// Score is the score that the method gave the block. Its scale depends on
	// the method.
	Score float64
	// Why is the method's reason, in words for readers, such as "98 %: in the main
	// part of the page, several sentences".
	Why  string
	Text string
	// First and Last are the first and the last text node of the block. All text
	// nodes between them belong to it.
	First, Last dom.Node
}

// Decisions returns what became of every block of text, in the order of the
// page.
func (x *Explanation) Decisions() []Decision {
	d, mask, why := x.doc, x.sel.Mask(x.doc), x.reasons()
	var out []Decision
	owner, role := dom.None, ""
	var parts []string // of the last block
	endText := func() {
		if len(out) > 0 {
			out[len(out)-1].Text = strings.Join(parts, " ")
		}
	}
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
			parts, out[len(out)-1].Last = append(parts, text), n
			continue
		}
		endText()
		owner, role, parts = o, r, append(parts[:0], text)
		v := Decision{Role: r, Path: d.PathName(d.Path(o)), First: n, Last: n}
		if i := why[n]; i >= 0 {
			v.Score, v.Why = x.sel.Reasons[i].Score, x.sel.Reasons[i].Why
		}
		out = append(out, v)
	}
	endText()
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

// reasons returns, for every node, the index of the innermost reason that
// covers it, or -1.
func (x *Explanation) reasons() []int32 {
	why := slices.Repeat([]int32{-1}, x.doc.Len())
	for i, r := range x.sel.Reasons { // in page order, so the inner ones come later
		for n := r.Node; n < x.doc.End(r.Node); n++ {
			why[n] = int32(i)
		}
	}
	return why
}
