package metadata

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// chooseTitle returns the headline. The visible one is the editors' own. The
// others are written for search engines, may be truncated and contain the name
// of the site, so they are used to find the visible one, and replace it only if
// there is none.
func (p *page) chooseTitle() (text, source string) {
	titles := p.titleCandidates()
	p.titles = make([]string, 0, len(titles))
	for i := range titles {
		if c := &titles[i]; !c.duplicate && !c.siteOnly {
			p.titles = append(p.titles, c.text)
		}
	}
	if n, t := p.visibleHeadline(titles); n != dom.None {
		p.headline = n
		if c := p.filedHeadline(t, titles); c != nil {
			return c.text, c.source
		}
		return p.withKicker(n, t, titles), sourceHTML
	}
	if len(titles) == 0 {
		return "", ""
	}
	best := titles[0]
	for _, c := range titles[1:] {
		if cut, ok := cutEllipsis(best.text); ok && strings.HasPrefix(fold(c.text), fold(cut)) {
			best = c
		}
	}
	p.headline = p.findTitle(best.text)
	return best.text, best.source
}

// filedHeadline returns the title on which JSON-LD and <title> agree if no
// source knows the visible headline, or nil. Live pages change the visible
// headline by the hour.
func (p *page) filedHeadline(visible string, titles []titleCandidate) *titleCandidate {
	key := p.fold(visible)
	var head, title *titleCandidate
	for i := range titles {
		c := &titles[i]
		if strings.Contains(c.key, key) || strings.Contains(key, c.key) {
			return nil
		}
		switch {
		case c.source == sourceJSONLD && c.rank == headlineRank && head == nil:
			head = c
		case c.source == sourceHTML:
			title = c
		}
	}
	if head == nil || title == nil || head.key != title.key || !p.isNews() {
		return nil
	}
	return head
}

// isNews reports whether the page declares a news article.
func (p *page) isNews() bool {
	return slices.ContainsFunc(p.candidates[factType], func(c candidate) bool {
		return strings.HasSuffix(c.text, "NewsArticle")
	})
}

// trimSiteName removes the name of the site and the separators next to it from
// both ends of a title.
func (p *page) trimSiteName(title string) string {
	var room [maxSeparators]separator
	seps := appendSeparators(room[:0], title)
	if len(seps) == 0 {
		return title
	}
	if part := p.visiblePart(title, seps); part != "" {
		return part
	}
	for len(seps) > 0 {
		first, last := seps[0], seps[len(seps)-1]
		switch {
		case p.isSiteName(title[last.to:]) && !p.isSiteName(title[:last.from]):
			title, seps = title[:last.from], seps[:len(seps)-1]
		case p.isSiteName(title[:first.from]) && !p.isSiteName(title[first.to:]):
			title = title[first.to:]
			seps = appendSeparators(room[:0], title)
		default:
			return title
		}
	}
	return title
}

// visiblePart returns the longest part of a title that is a line of its own on
// the page, or "". That part is the headline, whatever the rest is.
func (p *page) visiblePart(title string, seps []separator) string {
	const maxSeparators = 8
	seps = seps[:min(len(seps), maxSeparators)]
	best := ""
	for i := -1; i < len(seps); i++ {
		from := 0
		if i >= 0 {
			from = seps[i].to
		}
		for j := i + 1; j <= len(seps); j++ {
			to := len(title)
			if j < len(seps) {
				to = seps[j].from
			}
			part := title[from:max(from, to)]
			// A colon may be part of the headline: a part that ends there must
			// be a complete headline.
			if (i >= 0 && seps[i].weak || j < len(seps) && seps[j].weak) && countWords(part, 4) < 4 {
				continue
			}
			if len(part) > len(best) && len(part) < len(title) && isLongEnough(part) && !p.isSiteName(part) && p.isOwnLine(part) {
				best = part
			}
		}
	}
	return best
}

// isLongEnough reports whether a text has enough words for a headline.
func isLongEnough(s string) bool {
	n := countWords(s, 3)
	return n == 3 || n == 2 && len(s) >= 14
}

// isOwnLine reports whether a text is a line of its own on the page, outside of
// links.
func (p *page) isOwnLine(s string) bool {
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

// cutEllipsis returns a title without the ellipsis at its end, and whether it
// had one.
func cutEllipsis(s string) (string, bool) {
	if t, ok := strings.CutSuffix(s, "…"); ok {
		return t, true
	}
	return strings.CutSuffix(s, "...")
}

// findTitle returns the node that shows a title outside of headings, or
// dom.None.
func (p *page) findTitle(title string) dom.Node {
	from := strings.Index(p.d.AllText(), title)
	if from < 0 || utf8.RuneCountInString(title) < 8 {
		return dom.None
	}
	return p.nodeAt(from)
}

// nodeAt returns the node that shows the text at a position of AllText. The
// positions of nodes ascend, so it searches by bisection.
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

// titleCandidate is a candidate without the name of the site. Its keys are
// folded.
type titleCandidate struct {
	text          string
	raw           string // as given by the source
	source        string
	rank          uint8
	words         []uint32
	key           string
	fullKey       string // including the name of the site
	afterKicker   string // key of what follows a kicker, or empty
	beforeSection string // key of what precedes a section, or empty
	siteOnly      bool   // nothing but the name of the site
	duplicate     bool   // equal to an earlier candidate
}

// titleCandidates returns the candidates for the title, the best first. Those
// that are only the name of the site come last.
func (p *page) titleCandidates() []titleCandidate {
	titles := make([]titleCandidate, 0, len(p.candidates[factTitle]))
	var siteOnly []titleCandidate
	for i := range p.candidates[factTitle] {
		c := &p.candidates[factTitle][i]
		t := p.newTitleCandidate(c.text, titles, siteOnly)
		t.source, t.rank = c.source, c.rank
		switch {
		case t.key == "":
		case t.siteOnly:
			siteOnly = append(siteOnly, t)
		default:
			titles = append(titles, t)
		}
	}
	return append(titles, siteOnly...)
}

// newTitleCandidate cleans a title. Most sources of a page agree, so it reuses
// the result for an earlier candidate if it can.
func (p *page) newTitleCandidate(raw string, earlier ...[]titleCandidate) titleCandidate {
	for _, list := range earlier {
		for _, c := range list {
			if c.raw == raw {
				c.duplicate = true
				return c
			}
		}
	}
	full := cleanText(truncate(raw, 1000))
	t := p.trimSiteName(strings.TrimSuffix(full, p.opts.TitleSuffix))
	c := titleCandidate{text: t, raw: raw, words: p.bag(t), key: p.fold(t)}
	if c.fullKey = c.key; len(full) > len(t) {
		c.fullKey = p.fold(full)
	}
	if _, rest, ok := strings.Cut(t, ": "); ok && isLongEnough(rest) {
		c.afterKicker = p.fold(rest)
	}
	var room [maxSeparators]separator
	if seps := appendSeparators(room[:0], t); len(seps) > 0 {
		last := seps[len(seps)-1]
		if head := t[:last.from]; !last.weak && isLongEnough(head) {
			c.beforeSection = p.fold(head)
		}
	}
	c.siteOnly = c.key != "" && p.isSiteName(t)
	return c
}

// separator is what separates two parts of a title.
type separator struct {
	from, to int
	weak     bool // a colon, which may as well be part of the headline
}

// maxSeparators is enough for most titles.
const maxSeparators = 8

// appendSeparators appends the separators that sites put between headline, section
// and site name.
func appendSeparators(out []separator, title string) []separator {
	for i := 0; i < len(title); {
		r, n := utf8.DecodeRuneInString(title[i:])
		from, to := i, i+n
		i = to
		spaceBefore := from > 0 && title[from-1] == ' '
		spaceAfter := to < len(title) && title[to] == ' '
		weak := false
		switch r {
		case '|', '»', '«', '›', '‹', '•', '·', '｜', '►', '→', '←', '¦', '–', '—', '-', '/', '>', '<', '~', '*', '―', '−':
			han := false
			if !spaceBefore && !spaceAfter {
				// Chinese titles have no spaces around separators.
				a, _ := utf8.DecodeLastRuneInString(title[:from])
				b, _ := utf8.DecodeRuneInString(title[to:])
				han = isIdeograph(a) || isIdeograph(b)
			}
			if r != '|' && r != '｜' && !han && !(spaceBefore && spaceAfter) {
				continue
			}
		case '_':
			a, _ := utf8.DecodeLastRuneInString(title[:from])
			if !isIdeograph(a) && !(spaceBefore && spaceAfter) {
				continue
			}
		case ':', '：':
			for to < len(title) && title[to] == ':' {
				to++
			}
			if r == ':' && !spaceAfter && to == from+1 {
				continue
			}
			weak = r == ':' && !spaceBefore
		default:
			continue
		}
		i = to
		for from > 0 && title[from-1] == ' ' {
			from--
		}
		for to < len(title) && title[to] == ' ' {
			to++
		}
		if n := len(out); n > 0 && out[n-1].to >= from {
			out[n-1].to = to
		} else {
			out = append(out, separator{from, to, weak})
		}
		i = max(i, to)
	}
	return out
}
