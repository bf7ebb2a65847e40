// Package stadynot is StaDyNoT:
//
//	Jayendra Barua, Dhaval Patel and Ankur Kumar Agrawal (Indian Institute of
//	Technology, Roorkee), "Removing Noise Content from Online News Articles",
//	20th International Conference on Management of Data (COMAD), 2014.
//
// StaDyNoT does not look for the story; it takes the noise off the page, and
// what is left is the story. Static noise is what stands on all neighbours of
// the page, other pages of its site. Dynamic noise is where links stand close
// together. Both are only marked, so that the tree stays whole for both stages,
// and removed at the end with some elements that never hold a story.
//
// What the paper leaves open is read like this:
//
//   - The key of a node (section 3.1) is told at [Keys]. The data of an element
//     is all the text in it: by its direct text alone, a <div> with nothing but
//     the story in it would be static, for its data is empty on every page.
//   - The least common ancestors (3.2) are those of links that follow each
//     other, and of its two a link counts for the closer one. Else the first
//     link of the menu and the last of the imprint make <body> a candidate.
//     <html> and <body> are never noise.
//   - Candidates are judged from the smallest up, and what a smaller one has
//     marked is no text of those around it: a story beside a list of links does
//     not go for the links. What stage 1 has marked does count, for it was not
//     removed, and may be marked again.
//   - β = 20 is a share in percent. A link is an <a href>; its text and all
//     others are counted as a reader sees them, in characters.
//   - When static noise leaves next to nothing of a page, its neighbours are
//     copies of it and say nothing of what is noise.
//
// Preset("paper") is that. [Default] goes beyond the paper for the sake of
// precision, where Config says so. Without neighbours there is stage 2 alone.
package stadynot

import (
	"context"
	"slices"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// StaDyNoT is the method. It is safe for concurrent use.
type StaDyNoT struct{ cfg Config }

// New makes the method.
func New(c Config) *StaDyNoT { return &StaDyNoT{c} }

// Name is "stadynot", and for a preset "stadynot:paper".
func (m *StaDyNoT) Name() string {
	if m.cfg.Preset != "" {
		return "stadynot:" + m.cfg.Preset
	}
	return "stadynot"
}

// Site is what neighbours tell of a page, as this method's settings have it.
func (m *StaDyNoT) Site(s *Support, d *dom.Document) *method.Site {
	static := s.Static(d)
	if m.cfg.Pages > 0 {
		static = s.Shared(d, m.cfg.Pages)
	}
	return &method.Site{
		Pages: s.Pages(), Static: static,
		Headline: dom.None, Body: dom.None, Byline: dom.None, Date: dom.None,
	}
}

// Select takes the noise off the page. A page that holds no words but those of
// links after that is method.ErrNoContent.
func (m *StaDyNoT) Select(ctx context.Context, p *method.Page) (*method.Selection, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r := newRun(&m.cfg, p.Doc)
	if m.cfg.CountStatic {
		// Marks of stage 1 that stage 2 does not see may as well come after it.
		r.dynamic()
		r.static(p.Site)
	} else {
		r.static(p.Site)
		r.furniture()
		r.dynamic()
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r.around()
	r.nonInformative()
	r.between()
	return r.selection()
}

// selection is the page without its noise (section 3.3).
func (r *run) selection() (*method.Selection, error) {
	d := r.doc
	s := &method.Selection{Title: dom.None, Keep: []dom.Node{r.top}}
	s.Reasons = append(s.Reasons, method.Reason{Node: r.top, Kept: true, Why: "no noise"})
	for n := r.top + 1; n < d.End(r.top); {
		if why := r.marks[n]; why != 0 {
			s.Drop = append(s.Drop, n)
			s.Reasons = append(s.Reasons, r.reasons[why-1])
			n = d.End(n)
			continue
		}
		n++
	}
	kept := r.tally(s.Drop)
	if kept.plain == 0 {
		return nil, method.ErrNoContent
	}
	s.Type, s.Confidence = kept.judge()
	return s, nil
}

// around marks the parents of noise that hold hardly anything else, such as
// the headline over a list of links.
func (r *run) around() {
	d := r.doc
	for n := d.End(r.top) - 1; n > r.top && r.cfg.Around > 0; n-- {
		p := d.Parent(n)
		if r.marks[n] == 0 || p == r.top || r.marks[p] != 0 || !mayBeNoise(d.Tag(p)) || isInline(d.Tag(p)) {
			continue
		}
		if text, links := r.left(p); text-links < r.cfg.Around && text < r.gone[p] {
			r.noise(p, 0, "hardly anything beside noise")
		}
	}
}

// between marks short text with noise before and behind it.
func (r *run) between() {
	d := r.doc
	var words []dom.Node // since the last noise
	chars, safe := 0, false
	flush := func() {
		if chars < r.cfg.Between && !safe {
			for _, n := range words {
				r.noise(n, 0, "a few words between noise")
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

// isInline tells the elements that stand in a row with words.
func isInline(t dom.Tag) bool {
	return t.IsFormatting() || slices.Contains([]dom.Tag{dom.Span, dom.A, dom.Abbr, dom.Time, dom.Q, dom.Sub, dom.Sup}, t)
}

// ReadsSite says that static noise is marked here already (section 3.1).
func (m *StaDyNoT) ReadsSite() bool { return true }

// Config holds the settings. Start from Default or Preset. Those below Beta
// go beyond the paper.
type Config struct {
	// Preset is "paper", or empty. It only names the method.
	Preset string

	Alpha int     `param:"alpha" about:"α: a candidate with fewer characters outside links is dynamic noise"`
	Beta  float64 `param:"beta" about:"β: a candidate with a higher share of characters in links is dynamic noise"`

	Pages       int     `param:"pages" about:"neighbours, or half of them if that is less, on which static noise must stand; 0 means all, as in the paper"`
	CountStatic bool    `param:"count-static" about:"static noise counts as text in stage 2, as in the paper"`
	Row         int     `param:"row" about:"static noise stays in a row with so many characters or more, most of the row, that are not static; 0 for none"`
	Furniture   bool    `param:"furniture" about:"nav, footer, aside and their like are noise, and a form around the whole page is none"`
	Home        float64 `param:"home" about:"a candidate with a higher share of the text outside links is the home of the story and no noise; 1 for none"`
	List        int     `param:"list" about:"a list of so many like items with a link in each is dynamic noise; 0 for none"`
	Around      int     `param:"around" about:"a parent of noise with fewer other characters outside links is noise; 0 for none"`
	Between     int     `param:"between" about:"fewer characters than this between noise are noise, unless in <p> or <h1>; 0 for none"`
	Pictures    bool    `param:"pictures" about:"keep <img>, which the paper removes"`
}

// Default is the best reading. A story's text stands on its own page and on no
// other, so that what two neighbours share is noise; the rest of the settings
// was chosen on the site groups of two corpora, daniel and cleanportaleval.
func Default() Config {
	return Config{
		Alpha: 50, Beta: 0.2,
		Pages: 2, Row: 100, Furniture: true, Home: 0.5, List: 3, Around: 50, Between: 100, Pictures: true,
	}
}

// Preset gives the settings of the paper (section 3.2), "paper".
func Preset(name string) (Config, bool) {
	if name != "paper" {
		return Config{}, false
	}
	return Config{Preset: name, Alpha: 50, Beta: 0.2, CountStatic: true, Home: 1}, true
}
