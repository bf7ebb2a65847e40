package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
)

// Profile is what is known about a site. Any number of goroutines may call
// Match as long as none changes the profile.
type Profile struct {
	name      string
	pages     int
	templates []*template
	seen      []visit // the latest pages, the last one at the end
}

// New returns an empty profile.
func New(name string) *Profile { return &Profile{name: clip(name, maxName)} }

// Name returns the name of the site.
func (p *Profile) Name() string { return p.name }

// Pages returns the number of pages that the profile has learned from.
func (p *Profile) Pages() int { return p.pages }

// Add learns from a page, and reports whether it did: an empty page has nothing to
// learn from, and one that was read before adds nothing, since text that is read twice
// is not therefore on all pages. It must not be called concurrently.
func (p *Profile) Add(o *Observation) bool {
	if o == nil || len(o.rows) == 0 {
		return false
	}
	v := visit{o.address, o.story}
	if slices.ContainsFunc(p.seen, v.same) {
		return false
	}
	p.seen = append(p.seen, v)
	p.seen = slices.Delete(p.seen, 0, max(0, len(p.seen)-maxSeen))
	p.pages++
	t := p.find(o.shape, o.rows)
	if t == nil {
		t = p.newTemplate()
	}
	t.add(o)
	t.Used = p.pages
	return true
}

const maxSeen = 64

// visit identifies a page that was read.
type visit struct {
	Address key   `json:"address"`
	Story   []key `json:"story"`
}

// same reports whether two visits were to the same story: by its address, or by
// three quarters of its text, as stories are corrected.
func (v visit) same(w visit) bool {
	if v.Address != 0 && v.Address == w.Address {
		return true
	}
	n := max(len(v.Story), len(w.Story))
	return n > 0 && 4*common(v.Story, w.Story) >= 3*n
}

// minFamiliarity is the share of the rows on all pages of a template that a page of
// the same site has at least.
const minFamiliarity = 0.3

// find returns the template of a page, or nil.
func (p *Profile) find(s shape, rows []key) (best *template) {
	most := minSimilarity
	for _, t := range p.templates {
		if share, ok := t.familiarity(rows); ok && share < minFamiliarity {
			continue // the same tags, but another site or design
		}
		if l := t.similarity(&s); l >= most {
			best, most = t, l
		}
	}
	return best
}

// newTemplate adds a template. If there are too many, it replaces the one that
// was not used for the longest time.
func (p *Profile) newTemplate() *template {
	if len(p.templates) >= maxTemplates {
		oldest := 0
		for i, t := range p.templates {
			if t.Used < p.templates[oldest].Used {
				oldest = i
			}
		}
		p.templates = slices.Delete(p.templates, oldest, oldest+1)
	}
	t := &template{Words: map[key]string{}}
	p.templates = append(p.templates, t)
	return t
}

// profileJSON is the form in which a profile is stored and exported. People may edit
// it.
type profileJSON struct {
	Site      string      `json:"site"`
	Pages     int         `json:"pages"`
	Templates []*template `json:"templates"`
	Seen      []visit     `json:"seen"`
}

// MarshalJSON implements [json.Marshaler]. Nothing is lost: a profile that is stored
// and read again finds and learns the same.
func (p *Profile) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // places have ">" in their names
	err := e.Encode(profileJSON{p.name, p.pages, p.templates, p.seen})
	return bytes.TrimSpace(b.Bytes()), err
}

// UnmarshalJSON implements [json.Unmarshaler].
func (p *Profile) UnmarshalJSON(b []byte) error {
	var in profileJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	for _, t := range in.Templates {
		if t == nil {
			return errors.New("a template of the profile is null")
		}
		if t.Words == nil {
			t.Words = map[key]string{}
		}
	}
	*p = Profile{name: clip(in.Site, maxName), pages: in.Pages, templates: in.Templates, seen: in.Seen}
	return nil
}
