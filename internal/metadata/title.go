package metadata

import (
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// chooseTitle is the headline. The one that readers see is the editors' own;
// the others are made for search engines, cut to their length and carry the
// name of the site. So those serve to find the visible one, and are taken
// only where there is none.
func (p *page) chooseTitle() (text, source string) {
	claims := p.titleClaims()
	if n, t := p.visibleHeadline(claims); n != dom.None {
		p.headline = n
		if c := p.filed(t, claims); c != nil {
			return c.text, c.from
		}
		return p.withKicker(n, t, claims), fromHTML
	}
	if len(claims) == 0 {
		return "", ""
	}
	best := claims[0]
	for _, c := range claims[1:] {
		if cut, ok := truncated(best.text); ok && strings.HasPrefix(fold(c.text), fold(cut)) {
			best = c
		}
	}
	p.headline = p.locate(best.text)
	return best.text, best.from
}

// filed is the headline under which a newsroom keeps its story, where the
// visible one is a line of the moment that no other source knows: a live page
// changes it by the hour. JSON-LD and <title> must agree on it.
func (p *page) filed(visible string, claims []claim) *claim {
	key := fold(visible)
	var head, title *claim
	for i := range claims {
		c := &claims[i]
		if strings.Contains(c.key, key) || strings.Contains(key, c.key) {
			return nil
		}
		switch {
		case c.from == fromJSONLD && c.rank == headlineRank && head == nil:
			head = c
		case c.from == fromHTML:
			title = c
		}
	}
	if head == nil || title == nil || head.key != title.key || !p.isNews() {
		return nil
	}
	return head
}

// isNews reports whether the page calls its story news.
func (p *page) isNews() bool {
	for _, c := range p.found[ofType] {
		if strings.HasSuffix(c.text, "NewsArticle") {
			return true
		}
	}
	return false
}

// trimSite cuts the name of the site, and what stands between it and the
// headline, off both ends of a title.
func (p *page) trimSite(title string) string {
	joints := seams(title)
	if len(joints) == 0 {
		return title
	}
	if row := p.rowOf(title, joints); row != "" {
		return row
	}
	for len(joints) > 0 {
		first, last := joints[0], joints[len(joints)-1]
		switch {
		case p.isSite(title[last.to:]) && !p.isSite(title[:last.from]):
			title, joints = title[:last.from], joints[:len(joints)-1]
		case p.isSite(title[:first.from]) && !p.isSite(title[first.to:]):
			title = title[first.to:]
			joints = seams(title)
		default:
			return title
		}
	}
	return title
}

// rowOf is the longest part of a title that stands on the page as a row of
// its own: that is the headline, whatever the rest is. It is empty if there
// is none.
func (p *page) rowOf(title string, joints []seam) string {
	const mostJoints = 8
	joints = joints[:min(len(joints), mostJoints)]
	best := ""
	for i := -1; i < len(joints); i++ {
		from := 0
		if i >= 0 {
			from = joints[i].to
		}
		for j := i + 1; j <= len(joints); j++ {
			to := len(title)
			if j < len(joints) {
				to = joints[j].from
			}
			part := title[from:max(from, to)]
			// A colon may well be a part of the headline: what is cut there
			// must leave a headline that stands by itself.
			if (i >= 0 && joints[i].weak || j < len(joints) && joints[j].weak) && countWords(part, 4) < 4 {
				continue
			}
			if len(part) > len(best) && len(part) < len(title) && enough(part) && !p.isSite(part) && p.ownRow(part) {
				best = part
			}
		}
	}
	return best
}

// enough reports whether a text has the words that a headline needs.
func enough(s string) bool {
	n := countWords(s, 3)
	return n == 3 || n == 2 && len(s) >= 14
}

// ownRow reports whether a text stands on the page as a row of its own, and
// is not a link to somewhere else.
func (p *page) ownRow(s string) bool {
	all := p.d.AllText()
	for at := 0; ; {
		i := strings.Index(all[at:], s)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(s)
		if (from == 0 || all[from-1] == '\n') && (to == len(all) || all[to] == '\n') && !p.d.InLink(p.nodeAt(from)) {
			return true
		}
		at = to
	}
}

// truncated reports whether a title was cut, and what is left of it.
func truncated(s string) (string, bool) {
	if t, ok := strings.CutSuffix(s, "…"); ok {
		return t, true
	}
	return strings.CutSuffix(s, "...")
}

// locate finds the element that shows a title which no heading shows.
func (p *page) locate(title string) dom.Node {
	from := strings.Index(p.d.AllText(), title)
	if from < 0 || utf8.RuneCountInString(title) < 8 {
		return dom.None
	}
	return p.nodeAt(from)
}

// nodeAt is the node that shows the text at a position of AllText. The text
// of nodes is in the order of the nodes, so it is found by halves.
func (p *page) nodeAt(at int) dom.Node {
	lo, hi := dom.Node(0), dom.Node(p.d.Len()-1)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if from, _ := p.d.Span(mid); from <= at {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo
}

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
