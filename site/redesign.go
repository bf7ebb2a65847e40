package site

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
