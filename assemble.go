package lede

import (
	"slices"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/comments"
	"github.com/lede-news/lede/internal/compose"
	"github.com/lede-news/lede/internal/metadata"
	"github.com/lede-news/lede/method"
)

// assemble makes the article of what was chosen and what the page says.
func (s settings) assemble(page *method.Page, sel *method.Selection) *Explanation {
	doc := page.Doc
	if s.tables {
		sel = withTables(doc, sel)
	}
	first := dom.None
	if len(sel.Keep) > 0 {
		first = sel.Keep[0]
	}
	opts := metadata.Options{URL: s.url, Title: sel.Title, Body: first, Now: time.Now()}
	if page.Site != nil {
		opts.TitleSuffix = page.Site.TitleSuffix
	}
	facts := metadata.Read(doc, opts)
	base := s.url
	if base == "" {
		base = facts.Canonical
	}
	mask := sel.Mask(doc)
	if sel.Title != dom.None { // the headline is not part of the body
		clear(mask[sel.Title:doc.End(sel.Title)])
	}
	set := compose.Options{URL: base, Pictures: s.pictures, Captions: s.captions}
	body := compose.Blocks(doc, mask, set)
	if !s.captions && 2*article.TextLen(body) < chosen(doc, mask) {
		// A gallery tells its story in captions.
		set.Captions = true
		body = compose.Blocks(doc, mask, set)
	}
	a := &Article{
		URL: s.url, Canonical: facts.Canonical,
		Title: facts.Title, Standfirst: facts.Standfirst, Authors: facts.Authors,
		Published: facts.Published, Modified: facts.Modified,
		Lang: facts.Lang, Site: facts.Site, Section: facts.Section, Tags: facts.Tags,
		Body: compose.DropByline(compose.DropHeadline(body, facts.Title), facts.Authors),
		Type: sel.Type, Confidence: sel.Confidence, Method: s.method.Name(), Partial: doc.Truncated(),
	}
	if s.pictures {
		a.Lead = facts.Lead
	}
	if s.comments {
		a.Comments = comments.Find(doc, mask)
	}
	if a.Type == "" { // the method does not tell, but it found a story
		a.Type = article.TypeArticle
	}
	a.Paywalled = facts.Paywalled || endsInWall(doc, mask)
	a.Form = formOf(&facts, a)
	return &Explanation{Article: a, Sources: facts.Sources, doc: doc, sel: sel}
}

// chosen is how much text was chosen, in bytes.
func chosen(d *dom.Document, mask []bool) (n int) {
	for k, kept := range mask {
		if m := dom.Node(k); kept && d.IsText(m) && !d.Hidden(m) {
			from, to := d.Span(m)
			n += to - from
		}
	}
	return n
}

// withTables keeps the data tables inside the story as well.
func withTables(d *dom.Document, sel *method.Selection) *method.Selection {
	tables := compose.DataTables(d, sel.Mask(d))
	if len(tables) == 0 {
		return sel
	}
	more := *sel
	more.Keep = append(slices.Clone(sel.Keep), tables...)
	slices.Sort(more.Keep)
	more.Drop = slices.DeleteFunc(slices.Clone(sel.Drop), func(n dom.Node) bool {
		return slices.ContainsFunc(tables, func(t dom.Node) bool { return d.Contains(t, n) })
	})
	more.Reasons = slices.DeleteFunc(slices.Clone(sel.Reasons), func(r method.Reason) bool {
		return slices.ContainsFunc(tables, func(t dom.Node) bool { return d.Contains(t, r.Node) })
	})
	for _, t := range tables {
		more.Reasons = append(more.Reasons, method.Reason{Node: t, Kept: true, Why: "a data table inside the story"})
	}
	slices.SortStableFunc(more.Reasons, func(a, b method.Reason) int { return int(a.Node - b.Node) })
	return &more
}
