package metadata

import "strings"

// claim is a title without the name of the site.
type claim struct {
	text  string
	from  string
	rank  uint8
	words []string
	key   string // folded
	whole string // folded, with the name of the site
	rest  string // folded, what follows a kicker
	head  string // folded, what stands before a section
	bare  bool   // nothing but the name of the site
	told  string // as the source has it
	twin  bool   // an earlier claim is the same, word for word
}

// titleClaims cleans what the sources say, the most believable first.
// The bare name of the site comes last.
func (p *page) titleClaims() []claim {
	var claims, bare []claim
	for i := range p.found[ofTitle] {
		c := &p.found[ofTitle][i]
		cl := p.titleClaim(c.text, claims, bare)
		cl.from, cl.rank = c.from, c.rank
		switch {
		case cl.key == "":
		case cl.bare:
			bare = append(bare, cl)
		default:
			claims = append(claims, cl)
		}
	}
	return append(claims, bare...)
}

// titleClaim cleans one title. Most sources of a page say the same, so that
// the work of an earlier claim will often do.
func (p *page) titleClaim(told string, earlier ...[]claim) claim {
	for _, list := range earlier {
		for _, c := range list {
			if c.told == told {
				c.twin = true
				return c
			}
		}
	}
	whole := tidy(clip(told, 1000))
	t := p.trimSite(strings.TrimSuffix(whole, p.opts.TitleSuffix))
	c := claim{text: t, told: told, words: words(t), key: fold(t)}
	if c.whole = c.key; len(whole) > len(t) {
		c.whole = fold(whole)
	}
	if _, rest, ok := strings.Cut(t, ": "); ok && enough(rest) {
		c.rest = fold(rest)
	}
	if j := seams(t); len(j) > 0 && !j[len(j)-1].weak && enough(t[:j[len(j)-1].from]) {
		c.head = fold(t[:j[len(j)-1].from])
	}
	c.bare = c.key != "" && p.isSite(t)
	return c
}
