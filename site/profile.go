package site

import (
	"slices"
)

// MaxBytes bounds the binary form of a profile.
const MaxBytes = 256 << 10

// Profile is what is known of a site. Any number of goroutines may Read it as
// long as none changes it.
type Profile struct {
	name      string
	pages     int
	templates []*template
	seen      []visit // the last pages, the latest at the end
}

// visit is by what a page that was read before is known again.
type visit struct {
	address key
	story   []key
}

const maxSeen = 64

// New makes an empty profile.
func New(name string) *Profile { return &Profile{name: clip(name, maxName)} }

// Name is the site's.
func (p *Profile) Name() string { return p.name }

// Pages is how many pages the profile has learned from.
func (p *Profile) Pages() int { return p.pages }

// Add learns from a page, and says what came of it. It is for one goroutine at
// a time.
func (p *Profile) Add(o *Observation) Event {
	if o == nil || len(o.rows) == 0 {
		return Ignored
	}
	if p.again(o) {
		return SamePage
	}
	p.pages++
	strange := p.strange(o)
	t := p.find(o.shape, o.rows)
	event := Learned
	if t == nil {
		t, event = p.open(), NewTemplate
	}
	t.add(o)
	t.used = p.pages
	if p.redesigned(t, strange) {
		p.templates = []*template{t}
		return Restarted
	}
	return event
}

// again tells whether a page was read before, and notes that it is now.
func (p *Profile) again(o *Observation) bool {
	v := visit{o.address, o.story}
	i := slices.IndexFunc(p.seen, v.same)
	if i >= 0 {
		p.seen = slices.Delete(p.seen, i, i+1)
	}
	p.seen = append(p.seen, v)
	if n := len(p.seen) - maxSeen; n > 0 {
		p.seen = slices.Delete(p.seen, 0, n)
	}
	return i >= 0
}

// same tells whether two visits were to the same story: by its address, or by
// three quarters of its text, as stories are corrected.
func (v visit) same(w visit) bool {
	if v.address != 0 && v.address == w.address {
		return true
	}
	n := max(len(v.story), len(w.story))
	return n > 0 && 4*common(v.story, w.story) >= 3*n
}

// find is the template that a page is made by, or nil.
func (p *Profile) find(s shape, rows []key) (best *template) {
	most := alike
	for _, t := range p.templates {
		if share, ok := t.familiar(rows); ok && share < foreign {
			continue // made of the same tags, but not by the same site
		}
		if l := t.likeness(&s); l >= most {
			best, most = t, l
		}
	}
	return best
}

// open makes a template; where there are too many, that goes which was not
// used for the longest time.
func (p *Profile) open() *template {
	if len(p.templates) >= maxTemplates {
		oldest := 0
		for i, t := range p.templates {
			if t.used < p.templates[oldest].used {
				oldest = i
			}
		}
		p.templates = slices.Delete(p.templates, oldest, oldest+1)
	}
	t := &template{}
	p.templates = append(p.templates, t)
	return t
}

// Event is what adding a page did to a profile.
type Event uint8

const (
	// Ignored means that the page has nothing to learn from.
	Ignored Event = iota
	// Learned means that the page went to a template that was known.
	Learned
	// NewTemplate means that the page is of a make that was not seen before.
	NewTemplate
	// SamePage means that the page was read before. It adds nothing: what is
	// read twice is not yet the same on all pages.
	SamePage
	// Restarted means that the site has a new design: what was known of the
	// old one is forgotten.
	Restarted
)

var eventNames = [...]string{"ignored", "learned", "new template", "same page again", "restarted after a redesign"}

func (e Event) String() string {
	if int(e) < len(eventNames) {
		return eventNames[e]
	}
	return "unknown event"
}

// foreign is the share of what all pages of a template have below which a page
// looks as if it came from another site.
const foreign = 0.3

// redesign is how many pages in a row must look foreign, and like one another,
// before the old design is forgotten. One odd page is an odd page.
const redesign = 5

// strange tells whether a page looks foreign to all that is known of the site.
func (p *Profile) strange(o *Observation) bool {
	known := false
	for _, t := range p.templates {
		if t.strangers > 0 {
			continue // a stranger itself
		}
		share, ok := t.familiar(o.rows)
		if ok && share >= foreign {
			return false
		}
		known = known || ok
	}
	return known
}

// redesigned counts the strangers in a row, and tells when they are the site.
func (p *Profile) redesigned(t *template, strange bool) bool {
	if !strange {
		for _, t := range p.templates {
			t.strangers = 0
		}
		return false
	}
	t.strangers++
	if t.strangers < redesign {
		return false
	}
	t.strangers = 0
	return true
}
