package site

import (
	"slices"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// The least that must stand in the body of the site, and the share of it that
// a selection has at most when it is about something else.
const (
	bodyWords  = 40
	bodyMissed = 1.0 / 3
)

// Correct improves a selection by what is known of the site, whatever method
// made it. What is static, or stands in places that are never part of a story,
// is taken out, but for the headline. A selection that has hardly anything of
// where the site's stories stand is replaced by that: it is comments, or a
// list of links. The selection itself is not changed.
func Correct(d *dom.Document, sel *method.Selection, s *method.Site) *method.Selection {
	if s == nil {
		return sel
	}
	c := correction{d: d, sel: sel, site: s}
	mask := sel.Mask(d)
	c.clean(mask)
	left := c.words(mask)
	if s.Body != dom.None {
		home := make([]bool, d.Len())
		for n := s.Body; n < d.End(s.Body); n++ {
			home[n] = true
		}
		c.clean(home)
		all, both := c.words(home), 0
		for n := s.Body; n < d.End(s.Body); n++ {
			if mask[n] && home[n] && d.IsText(n) {
				both += d.Words(n)
			}
		}
		if all >= bodyWords && float64(both) < bodyMissed*float64(all) {
			return c.replace(home)
		}
	}
	if left == 0 {
		return sel // a page of furniture; the method knows no less than the site
	}
	return c.selection(mask)
}

type correction struct {
	d    *dom.Document
	sel  *method.Selection
	site *method.Site
}

func (c *correction) words(mask []bool) (n int) {
	for i, kept := range mask {
		if kept && c.d.IsText(dom.Node(i)) {
			n += c.d.Words(dom.Node(i))
		}
	}
	return n
}

// clean takes out what the site says is no story.
func (c *correction) clean(mask []bool) {
	d, s := c.d, c.site
	for n := range mask {
		if s.Static != nil && s.Static[n] || s.Tail != nil && s.Tail[n] {
			mask[n] = mask[n] && c.headline(dom.Node(n))
		}
	}
	// An element that has nothing left to show goes with its text.
	shows := make([]bool, d.Len())
	for n := dom.Node(d.Len() - 1); n > 0; n-- {
		if mask[n] && !shows[n] {
			if d.IsText(n) {
				shows[n] = d.Chars(n) > 0
			} else if d.Words(n) == 0 {
				shows[n] = d.Tag(n) != dom.Br // a picture, or a film
			} else {
				mask[n] = false
			}
		}
		shows[d.Parent(n)] = shows[d.Parent(n)] || shows[n]
	}
}

func (c *correction) headline(n dom.Node) bool {
	return c.sel.Title != dom.None && c.d.Contains(c.sel.Title, n)
}

// selection says in roots of subtrees what a mask says node by node.
func (c *correction) selection(mask []bool) *method.Selection {
	out := *c.sel
	out.Keep, out.Drop = nil, nil
	out.Reasons = slices.Clone(c.sel.Reasons)
	for n := range dom.Node(c.d.Len()) {
		around := false
		if up := c.d.Parent(n); up != dom.None {
			around = mask[up]
		}
		switch {
		case mask[n] == around:
		case mask[n]:
			out.Keep = append(out.Keep, n)
		default:
			out.Drop = append(out.Drop, n)
			if why := c.why(n); why != "" {
				out.Reasons = append(out.Reasons, method.Reason{Node: n, Why: why})
			}
		}
	}
	slices.SortStableFunc(out.Reasons, func(a, b method.Reason) int { return int(a.Node - b.Node) })
	return &out
}

// why tells what the site says against a subtree.
func (c *correction) why(n dom.Node) string {
	for i := n; i < c.d.End(n); i++ {
		switch {
		case c.site.Tail != nil && c.site.Tail[i]:
			return "never part of a story on this site"
		case c.site.Static != nil && c.site.Static[i]:
			return "the same on all pages of the site"
		}
	}
	return ""
}

// replace takes the body of the site for the story.
func (c *correction) replace(mask []bool) *method.Selection {
	out := c.selection(mask)
	out.Type = article.TypeArticle
	out.Reasons = slices.DeleteFunc(out.Reasons, func(r method.Reason) bool { return r.Kept })
	out.Reasons = append(out.Reasons, method.Reason{Node: c.site.Body, Kept: true, Why: "where this site has its stories"})
	slices.SortStableFunc(out.Reasons, func(a, b method.Reason) int { return int(a.Node - b.Node) })
	if out.Title == dom.None {
		out.Title = c.site.Headline
	}
	return out
}
