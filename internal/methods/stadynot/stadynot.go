// Package stadynot is StaDyNoT:
//
//	Jayendra Barua, Dhaval Patel and Ankur Kumar Agrawal (Indian Institute of
//	Technology, Roorkee), "Removing Noise Content from Online News Articles",
//	20th International Conference on Management of Data (COMAD), 2014.
//
// StaDyNoT removes the noise from a page; what is left is the article. Static
// noise is what all neighbours of the page have as well, other pages of the same
// category of its site. Dynamic noise is where links are close together. Both are
// only marked at first, so that both stages see the whole tree, and removed at the
// end with some elements that never contain an article.
//
// [Paper] returns the settings of the paper; docs/papers.md says how they read it where it
// leaves a choice, and what [Default] adds to gain precision.
package stadynot

import (
	"context"
	"slices"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// StaDyNoT is the method. It is safe for concurrent use.
type StaDyNoT struct{ cfg Config }

// New returns the method.
func New(c Config) *StaDyNoT { return &StaDyNoT{c} }

// Name returns "stadynot", or "stadynot:paper" for the settings of the paper.
func (m *StaDyNoT) Name() string {
	if m.cfg.own {
		return "stadynot"
	}
	return "stadynot:paper"
}

// Site returns what the neighbours of a page show about its site.
func (m *StaDyNoT) Site(s *Support, d *dom.Document) *method.Site {
	return &method.Site{Pages: s.Pages(), Static: s.static(d, m.cfg.Pages), Headline: dom.None, Body: dom.None}
}

// Select selects the page without its noise. It returns method.ErrNoContent if no
// words outside links are left.
func (m *StaDyNoT) Select(ctx context.Context, p *method.Page) (*method.Selection, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r := newRun(&m.cfg, p.Doc)
	if m.cfg.own {
		r.static(p.Site)
		r.boilerplate()
		r.dynamic()
	} else { // stage 2 must not see the marks of stage 1
		r.dynamic()
		r.static(p.Site)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r.around()
	r.nonInformative()
	r.between()
	return r.selection()
}

// selection returns the page without its noise (section 3.3).
func (r *run) selection() (*method.Selection, error) {
	d := r.doc
	s := &method.Selection{Title: dom.None, Keep: []dom.Node{r.top}}
	const why = "what is left without links, menus and forms, and without what other pages have too"
	s.Reasons = append(s.Reasons, method.Reason{Node: r.top, Kept: true, Why: why})
	for n := r.top + 1; n < d.End(r.top); {
		if why := r.marks[n]; why != 0 {
			s.Drop = append(s.Drop, n)
			s.Reasons = append(s.Reasons, r.reasons[why-1])
			n = d.End(n)
			continue
		}
		n++
	}
	plain, prose := r.keptWords(s.Drop)
	if plain == 0 {
		return nil, method.ErrNoContent
	}
	s.Type, s.Confidence = pageType(plain, prose, int(d.Counts(r.top).Links))
	return s, nil
}

// around marks the parents of noise that contain hardly anything else, such as
// the heading of a list of links.
func (r *run) around() {
	d := r.doc
	for n := d.End(r.top) - 1; n > r.top && r.cfg.Around > 0; n-- {
		p := d.Parent(n)
		if r.marks[n] == 0 || p == r.top || r.marks[p] != 0 || !mayBeNoise(d.Tag(p)) || isInline(d.Tag(p)) {
			continue
		}
		if text, links := r.unmarked(p); text-links < r.cfg.Around && text < r.marked[p] {
			r.mark(p, 0, "around something that is left out, with hardly any text of its own")
		}
	}
}

// between marks short text with noise before and after it.
func (r *run) between() {
	d := r.doc
	var words []dom.Node // since the last noise
	chars, safe := 0, false
	flush := func() {
		if chars < r.cfg.Between && !safe {
			for _, n := range words {
				r.mark(n, 0, "a few words between what is left out")
			}
		}
		words, chars, safe = words[:0], 0, false
	}
	for n := r.top + 1; n < d.End(r.top) && r.cfg.Between > 0; {
		switch {
		case r.marks[n] != 0:
			if d.Chars(n) > 0 {
				flush()
			}
			n = d.End(n)
			continue
		case d.IsText(n):
			words = append(words, n)
			if !d.InLink(n) {
				chars += d.Chars(n)
			}
		case d.Tag(n) == dom.P || d.Tag(n) == dom.H1:
			safe = safe || d.Chars(n) > 0
		}
		n++
	}
	flush()
}

// isInline reports whether elements with this tag are part of a line of text.
func isInline(t dom.Tag) bool {
	return t.IsFormatting() || slices.Contains([]dom.Tag{dom.Span, dom.A, dom.Abbr, dom.Time, dom.Q, dom.Sub, dom.Sup}, t)
}

// ReadsSite returns true: Select uses Page.Site to find static noise (section 3.1).
func (m *StaDyNoT) ReadsSite() bool { return true }

// Config holds the settings. Start from Default or Paper. The fields after Beta go beyond the
// paper.
type Config struct {
	Alpha int     `param:"alpha" about:"α: a candidate with fewer characters outside links is dynamic noise" range:"5 400 5"`
	Beta  float64 `param:"beta" about:"β: a candidate with a higher share of characters in links is dynamic noise" range:"0.02 0.9 0.02"`

	Pages     int     `param:"pages" about:"neighbours that must share static noise, or half of them if that is less; 0 means all"`
	MainShare float64 `param:"main-share" about:"a candidate with more of the plain text is not noise; 1 for none" range:"0.1 0.95 0.05"`
	List      int     `param:"list" about:"a list of this many similar items with a link in each is dynamic noise; 0 for none" range:"2 12 1"`
	Around    int     `param:"around" about:"a parent of noise with fewer other characters outside links is noise; 0 for none" range:"5 400 5"`
	Between   int     `param:"between" about:"fewer characters between noise are noise, unless in <p> or <h1>; 0 for none" range:"5 500 5"`

	// own turns on the rest: menus, footers and the like are noise, but not a form around the
	// whole page, and pictures are none; stage 2 does not count static noise; and static noise
	// that would leave hardly any text is ignored.
	own bool
}

// Default returns the best settings. The text of an article is on no other page,
// so what two neighbours share is noise; the other settings were chosen on the
// sites of two corpora, daniel and cleanportaleval.
func Default() Config {
	return Config{Alpha: 50, Beta: 0.2, Pages: 2, MainShare: 0.5, List: 3, Around: 50, Between: 100, own: true}
}

// Paper returns the settings of the paper (section 3.2).
func Paper() Config { return Config{Alpha: 50, Beta: 0.2, MainShare: 1} }
