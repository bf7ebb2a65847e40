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
	total, home := 0, 0
	for i := range p.links {
		switch l := &p.links[i]; {
		case !l.ok:
		case l.host == p.base.host:
			home++
		default:
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
	if most < 2 || most*3 < total || most*5 < home {
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

// What headlines add to the log-odds of links with opaque addresses, such as /node/855,
// which say nothing: the labels have few of them. If the links of a form mostly have
// headlines, all of them are stories.
const (
	opaqueFamily    = 5
	opaqueAlone     = 2.5
	headlineWords   = 6
	headlineMean    = 4.5
	headlineSupport = 3 // links of one form
)

// isOpaque reports whether an address of the site has a number or an identifier but no
// words of a story.
func (c *candidate) isOpaque() bool {
	n := len(c.segments)
	if n == 0 || c.same == 0 || c.text == "" {
		return false
	}
	w := loadWords()
	for _, s := range c.segments {
		if s.kind == kindSlug || w.isService(s) {
			return false
		}
	}
	last := c.segments[n-1].kind
	return (last == kindID || last == kindNumber || queryID(c.query) != "") && !w.isListing(c.segments) && !w.isPaid(c)
}

// addOpaque adds what headlines say about links with opaque addresses.
func (p *page) addOpaque(scores []float32, families []*family) {
	words := make([]int, len(scores)) // of links with opaque addresses
	for i := range p.links {
		if l := &p.links[i]; l.isOpaque() {
			words[i] = min(measure(l.text).words, 12)
			families[i].words += words[i]
			families[i].opaque++
		}
	}
	for i, f := range families {
		switch {
		case words[i] == 0:
		case f.opaque >= headlineSupport && float32(f.words) >= headlineMean*float32(f.opaque):
			scores[i] += opaqueFamily
		case words[i] >= headlineWords:
			scores[i] += opaqueAlone
		}
	}
}

// family is what the links of one form are like.
type family struct {
	count int
	sum   float32
	story int

	opaque, words int // links with opaque addresses, and the words of their texts
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
	}
	p.addOpaque(scores, families)
	for i, f := range families {
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
