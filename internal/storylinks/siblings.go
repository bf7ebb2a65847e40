package storylinks

import "strings"

// A page is the links that are judged together.
type page struct {
	base  target // of the page
	links []candidate
}

// markSite finds out which links are of the same site: those of the domain of the
// page, and those of the domain that most links lead to, since the page may have been
// saved from a mirror or an archive.
func (p *page) markSite() {
	count := map[string]int{}
	total := 0
	for i := range p.links {
		if l := &p.links[i]; l.ok && l.host != p.base.host {
			count[l.domain]++
			total++
		}
	}
	own, most := "", 0
	for i := range p.links {
		if d := p.links[i].domain; count[d] > most {
			own, most = d, count[d]
		}
	}
	if most < 2 || most*3 < total {
		own = ""
	}
	for i := range p.links {
		l := &p.links[i]
		switch {
		case l.host == p.base.host || l.host == own:
			l.same = 1
		case p.base.domain != "" && l.domain == p.base.domain || own != "" && l.domain == own || sameName(l.domain, p.base.domain):
			l.same = 0.5
			if strings.Count(l.host, ".") <= 1 {
				l.same = 1
			}
		}
	}
}

// sameName reports whether two domains differ only in their endings, as those of
// editions of a paper do.
func sameName(a, b string) bool {
	a, _, _ = strings.Cut(a, ".")
	b, _, _ = strings.Cut(b, ".")
	return len(a) > 4 && a == b
}

// The influence of links of the same form: how much their mean score counts, the
// number of them that halves it, and the largest score that each has.
const (
	siblingWeight = 0.8
	siblingHalf   = 2
	siblingMost   = 3
)

// family is what the links of one form are like.
type family struct {
	count int
	sum   float32
	story int
}

func clip(x, most float32) float32 { return max(-most, min(most, x)) }

// spread adds to each score what the other links of the same form are like.
func (p *page) spread(scores []float32) (families []*family) {
	byShape := map[string]*family{}
	families = make([]*family, len(scores))
	for i := range p.links {
		shape := p.links[i].shape()
		f := byShape[shape]
		if f == nil {
			f = new(family)
			byShape[shape] = f
		}
		families[i] = f
		f.count++
		f.sum += clip(scores[i], siblingMost)
	}
	for i, f := range families {
		others := float32(f.count - 1)
		if others > 0 {
			mean := (f.sum - clip(scores[i], siblingMost)) / others
			scores[i] += siblingWeight * mean * others / (others + siblingHalf)
		}
	}
	for i, f := range families {
		if scores[i] > 0 {
			f.story++
		}
	}
	return families
}
