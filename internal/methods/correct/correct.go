// Package correct improves the selection of any method by what is known about
// the site of the page.
package correct

import (
	"slices"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

const (
	// minBodyWords is how many words the body at the site's usual place must have
	// before it can replace a selection.
	minBodyWords = 40
	// minBodyShare is the share of that body below which a selection is about
	// something else, such as comments or a list of links.
	minBodyShare = 1.0 / 3
)

// Selection returns a corrected copy of sel. It drops what is static or in places
// that are never part of a story, except for the headline. A selection with
// hardly anything of the body at the site's usual place is replaced by that body.
// If s is nil, it returns sel.
func Selection(d *dom.Document, sel *method.Selection, s *method.Site) *method.Selection {
	if s == nil {
		return sel
	}
	c := correction{d: d, sel: sel, site: s}
	mask := sel.Mask(d)
	c.clean(mask)
	if s.Body != dom.None {
		body := make([]bool, d.Len())
		for n := s.Body; n < d.End(s.Body); n++ {
			body[n] = true
		}
		c.clean(body)
		all, both := c.words(body), 0
		for n := s.Body; n < d.End(s.Body); n++ {
			if mask[n] && body[n] && d.IsText(n) {
				both += d.Words(n)
			}
		}
		if all >= minBodyWords && float64(both) < minBodyShare*float64(all) {
			return c.replace(body)
		}
	}
	if c.words(mask) == 0 {
		return sel // all of it is boilerplate; the method knows no less than the site
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

// reason returns why a node is no part of a story on this site, or "".
func (c *correction) reason(n dom.Node) string {
	switch {
	case c.site.Tail != nil && c.site.Tail[n]:
		return "never part of a story on this site"
	case c.site.Static != nil && c.site.Static[n]:
		return "on every page of this site"
	}
	return ""
}

// clean removes from mask what is no part of a story on this site.
func (c *correction) clean(mask []bool) {
	d, title := c.d, c.sel.Title
	for n, kept := range mask {
		if kept && c.reason(dom.Node(n)) != "" {
			mask[n] = title != dom.None && d.Contains(title, dom.Node(n))
		}
	}
	// Elements with nothing left to show go with their text.
	shows := make([]bool, d.Len())
	for n := dom.Node(d.Len() - 1); n > 0; n-- {
		if mask[n] && !shows[n] {
			if d.IsText(n) {
				shows[n] = d.Chars(n) > 0
			} else if d.Words(n) == 0 {
				shows[n] = d.Tag(n) != dom.Br // a picture or a video
			} else {
				mask[n] = false
			}
		}
		shows[d.Parent(n)] = shows[d.Parent(n)] || shows[n]
	}
}

// selection converts a mask of nodes into roots of subtrees.
func (c *correction) selection(mask []bool) *method.Selection {
	out := *c.sel
	out.Keep, out.Drop = nil, nil
	before := c.sel.Mask(c.d)
	out.Reasons = slices.DeleteFunc(slices.Clone(c.sel.Reasons), func(r method.Reason) bool {
		return r.Kept == before[r.Node] && r.Kept != mask[r.Node] // the correction reverses it
	})
	for n := range dom.Node(c.d.Len()) {
		parent := c.d.Parent(n)
		around := parent != dom.None && mask[parent]
		switch {
		case mask[n] == around:
		case mask[n]:
			out.Keep = append(out.Keep, n)
		default:
			out.Drop = append(out.Drop, n)
			why := ""
			for m := n; m < c.d.End(n) && why == ""; m++ {
				why = c.reason(m)
			}
			if why != "" {
				out.Reasons = append(out.Reasons, method.Reason{Node: n, Why: why})
			}
		}
	}
	sortReasons(out.Reasons)
	return &out
}

// replace selects the body of the site instead.
func (c *correction) replace(body []bool) *method.Selection {
	out := c.selection(body)
	out.Type = article.TypeArticle
	out.Reasons = slices.DeleteFunc(out.Reasons, func(r method.Reason) bool { return r.Kept })
	out.Reasons = append(out.Reasons,
		method.Reason{Node: c.d.Root(), Why: "outside the place where this site has its stories"},
		method.Reason{Node: c.site.Body, Kept: true, Why: "where this site has its stories"})
	sortReasons(out.Reasons)
	if out.Title == dom.None {
		out.Title = c.site.Headline
	}
	return out
}

func sortReasons(reasons []method.Reason) {
	slices.SortStableFunc(reasons, func(a, b method.Reason) int { return int(a.Node - b.Node) })
}
