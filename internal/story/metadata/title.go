package metadata

import (
	"html"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// Scores of the candidates for the title. A heading that is similar to a declared title has
// its similarity, from minSimilar to 1.
const (
	minSimilar     = 0.5
	filedScore     = 1    // JSON-LD and <title> agree, but not the page: live pages change the visible headline by the hour
	selectedScore  = 0.49 // the method's headline, a little similar to a title
	loneScore      = 0.48 // the only <h1>, of three words or more, or two if the title is not about the story
	crumbScore     = 0.47 // an <h1> in breadcrumbs that is a title
	declaredScore  = 0.46 // the best declared title
	otherScore     = 0.25 // such headings that are neither
	firstScore     = 0.15 // the first heading of the page
	onlySiteScore  = 0.1  // a title that is only the name of the site
	laterCandidate = 0.01 // the sources of later candidates are less reliable
)

// maxHeadlineChars is more than any headline has.
const maxHeadlineChars = 400

// chooseTitle returns the headline. The visible one is the editors' own. The
// others are written for search engines, may be truncated and contain the name
// of the site, so they are used to find the visible one, and replace it only if
// there is none.
func (p *page) chooseTitle() (text, source string) {
	titles, list := p.declaredTitles()
	declared := len(list)
	list = p.appendHeadings(list, titles)
	shown := best(list[declared:])
	if shown != nil && p.isNews() && !isKnown(words.Fold(shown.text), titles) {
		for i := range list[:declared] {
			c := &list[i]
			agrees := func(t declaredTitle) bool { return t.source == sourceHTML && t.text == c.text }
			if c.source == sourceJSONLD && slices.ContainsFunc(titles, agrees) {
				c.score = filedScore
			}
		}
	}
	p.offer("title", list)
	won := best(list)
	if won == nil {
		return "", ""
	}
	switch {
	case won.node > 0:
		p.headline = won.node
	case won.score == filedScore:
		p.headline = shown.node
	default:
		p.headline = p.findTitle(won.text, list[declared:])
	}
	return won.text, won.source
}

// isNews reports whether the page declares a news article.
func (p *page) isNews() bool {
	return slices.ContainsFunc(p.candidates[factType], func(c candidate) bool { return strings.HasSuffix(c.text, "NewsArticle") })
}

// isKnown reports whether a folded heading is part of a title, or has one.
func isKnown(key string, titles []declaredTitle) bool {
	return slices.ContainsFunc(titles, func(t declaredTitle) bool { return strings.Contains(t.key, key) || strings.Contains(key, t.key) })
}

// findTitle returns the node that shows a declared title, or dom.None.
func (p *page) findTitle(title string, headings []candidate) dom.Node {
	key := words.Fold(title)
	for i := range headings {
		if words.Fold(headings[i].text) == key {
			return headings[i].node
		}
	}
	from := strings.Index(p.d.AllText(), title)
	if from < 0 || utf8.RuneCountInString(title) < 8 {
		return dom.None
	}
	return p.nodeAt(from)
}

// declaredTitle is a title that the page declares, without the name of the site.
type declaredTitle struct {
	text, source string
	key          string   // folded
	parts        []string // those that may be a heading of their own, folded; the first is the title
	words        []uint32
}

// declaredTitles returns the titles that the page declares, the best first, and all of them as
// candidates. What is only the name of the site is a candidate, but not a title.
func (p *page) declaredTitles() (titles []declaredTitle, list []candidate) {
	for _, c := range p.candidates[factTitle] {
		c.text = p.trimTitle(strings.TrimSuffix(cleanText(truncate(c.text, 1000)), p.opts.TitleSuffix))
		key := words.Fold(c.text)
		if key == "" {
			continue
		}
		if c.score = onlySiteScore; !p.isSiteName(c.text) {
			c.score = declaredScore - laterCandidate*float32(min(len(titles), 5))
			titles = append(titles, declaredTitle{c.text, c.source, key, titleParts(c.text), bag(c.text)})
		}
		list = append(list, c)
	}
	return titles, list
}

// appendHeadings appends the headings of the page as candidates for the title. The headline
// that a method selected is treated like an <h1>.
func (p *page) appendHeadings(list []candidate, titles []declaredTitle) []candidate {
	first, lone, h1s := true, 0, 0
	nodes := p.headings
	if p.opts.Title != dom.None {
		nodes = append([]dom.Node{p.opts.Title}, p.headings...)
	}
	vague := sync.OnceValue(func() bool { return len(titles) == 0 || !p.isInBody(titles[0].text) })
	for i, n := range nodes {
		c := candidate{text: p.headingText(n), node: n, source: sourceHTML}
		if c.text == "" || p.d.Chars(n) > maxHeadlineChars {
			continue
		}
		c.text = p.titlePart(n, c.text, titles)
		tag, similar := p.d.Tag(n), similarity(c.text, titles)
		if similar < minSimilar && (!first && tag != dom.H1 && n != p.opts.Title || p.isSiteName(c.text)) || p.isLogo(n) {
			continue
		}
		crumb := p.isBreadcrumb(n)
		switch {
		case crumb:
			if tag == dom.H1 && similar >= 0.8 {
				c.score = crumbScore
			}
		case n == p.opts.Title && i == 0:
			switch {
			case similar >= minSimilar:
				c.score = similar - 0.001 // an <h1> that is as similar wins
			case similar >= 0.3 || tag == dom.H1 && isLongEnough(c.text) && vague():
				c.score = selectedScore
			default:
				c.score = otherScore
			}
		case tag == dom.H1:
			if lone, h1s = len(list), h1s+1; similar >= minSimilar {
				c.score = similar
			}
		default:
			level := float32(tag - dom.H1)
			if similar -= 0.03 * level; similar >= 0.7 {
				c.score = min(similar, 0.8-0.001*level)
			}
		}
		if first && c.score == 0 && isLongEnough(c.text) {
			c.score, first = firstScore, false
		}
		if c.score > 0 || tag == dom.H1 {
			c.text = p.withKicker(n, c.text, titles)
		}
		list = append(list, c)
	}
	if h1s == 1 {
		score := float32(otherScore)
		if words.Count(list[lone].text, 3) == 3 || isLongEnough(list[lone].text) && vague() {
			score = loneScore
		}
		list[lone].score = max(list[lone].score, score)
	}
	return list
}

// isInBody reports whether half of the long words of a title are in the body. Those of a title
// that a site has on all its pages are not.
func (p *page) isInBody(title string) bool {
	const minLen = 4
	if p.opts.Body == dom.None || p.opts.End == dom.None {
		return true
	}
	from, _ := p.d.Span(p.opts.Body)
	_, to := p.d.Span(p.opts.End)
	body, in, all := words.Fold(p.d.AllText()[from:max(from, to)]), 0, 0
	for w := range words.All(title) {
		if w = words.Fold(w); len(w) >= minLen {
			if all++; strings.Contains(body, w) {
				in++
			}
		}
	}
	return 2*in >= all
}

// withKicker prepends the kicker above a headline if a declared title has it
// too: "Harbour strike: Cranes stand still".
func (p *page) withKicker(n dom.Node, text string, titles []declaredTitle) string {
	key := words.Fold(text)
	from, _ := p.d.Span(n)
	above := words.Fold(p.d.AllText()[max(0, from-200):from])
	for i := range titles {
		t := &titles[i]
		if kicker, ok := strings.CutSuffix(t.key, key); ok && kicker != "" && strings.HasSuffix(above, kicker) &&
			slices.ContainsFunc(separators(t.text), func(s separator) bool { return s.colon && words.Fold(t.text[s.to:]) == key }) {
			return t.text
		}
	}
	return text
}

// isLogo reports whether a heading is a link to the front page.
func (p *page) isLogo(n dom.Node) bool {
	link := p.d.Closest(n, dom.A)
	if link == dom.None {
		for a := range p.d.All(n, dom.A) {
			if p.d.Text(a) == p.d.Text(n) {
				link = a
			}
			break
		}
	}
	if link == dom.None {
		return false
	}
	href := strings.TrimSpace(p.d.Attr(link, "href"))
	u := parseWebURL(p.resolve(href))
	return href == "/" || u != nil && strings.Trim(u.Path, "/") == "" && u.RawQuery == "" && u.Fragment == ""
}

// similarity returns how similar a heading is to the most similar title, from 0 to 1.
func similarity(heading string, titles []declaredTitle) float32 {
	if len(titles) == 0 {
		return 0
	}
	key, heads, best := words.Fold(heading), bag(heading), 0.0
	for i := range titles {
		t := &titles[i]
		best = max(best, dice(heads, t.words))
		// One of them may be truncated.
		short, long := key, t.key
		if len(short) > len(long) {
			short, long = long, short
		}
		switch {
		case utf8.RuneCountInString(short) < 12:
		case strings.HasPrefix(long, short):
			best = max(best, 0.85)
		case strings.Contains(long, short):
			best = max(best, 0.75)
		}
	}
	return float32(best)
}

// headingText returns the text of a heading. Some pages escape it twice, so
// entities are decoded, but what looks like a tag is text.
func (p *page) headingText(n dom.Node) string {
	return collapseSpace(html.UnescapeString(truncate(p.d.Text(n), 4*maxHeadlineChars)))
}

// titleParts returns a title and what stands before and after each of its separators, folded. What
// is too short for a headline is "".
func titleParts(title string) []string {
	parts := []string{title}
	for _, s := range separators(title) {
		parts = append(parts, title[:s.from], title[s.to:])
	}
	for i, part := range parts {
		if parts[i] = ""; isLongEnough(part) {
			parts[i] = words.Fold(part)
		}
	}
	return parts
}

// titlePart returns the element or line of a heading that equals a declared title, or a part of one
// if no title equals the heading, or all of its text. The rest may be a kicker, a date or a
// comment count.
func (p *page) titlePart(n dom.Node, text string, titles []declaredTitle) string {
	key, whole := words.Fold(text), false
	for i := range titles {
		if t := &titles[i]; t.source != sourceMicrodata && t.key == key { // microdata may be this heading itself
			if i == 0 {
				return text
			}
			whole = true
		}
	}
	for _, t := range titles {
		for i, part := range t.parts {
			if part == "" || part == key || !strings.Contains(key, part) || i > 0 && (whole || !strings.HasSuffix(key, part)) {
				continue
			}
			for c := n + 1; c < p.d.End(n); c++ {
				if inner := p.d.Text(c); inner != "" && words.Fold(inner) == part {
					return collapseSpace(inner)
				}
			}
			for line := range strings.SplitSeq(p.d.Text(n), "\n") {
				if words.Fold(line) == part {
					return line
				}
			}
		}
	}
	return text
}

// isBreadcrumb reports whether a heading is among breadcrumb links. Such a heading is written
// for search engines; the headline is below it.
func (p *page) isBreadcrumb(n dom.Node) bool {
	const levels = 4
	up := 0
	for a := n; a > 0 && up < levels; a, up = p.d.Parent(a), up+1 {
		for k, v := range p.d.Attrs(a) {
			if k == "class" || k == "id" || strings.HasPrefix(k, "data-") || k == "itemtype" || k == "aria-label" {
				if containsAny(k+v, "crumb", "Crumb", "CRUMB") {
					return true
				}
			}
		}
	}
	return false
}

// trimTitle removes the name of the site, and the separators next to it, from both ends of a
// title.
func (p *page) trimTitle(title string) string {
	seps := separators(title)
	if part := p.shownPart(title, seps); part != "" {
		return part
	}
	for len(seps) > 0 {
		first, last := seps[0], seps[len(seps)-1]
		switch {
		case p.isSiteName(title[last.to:]) && !p.isSiteName(title[:last.from]):
			title = p.trimSection(title[:last.from])
			seps = separators(title)
		case p.isSiteName(title[:first.from]) && !p.isSiteName(title[first.to:]):
			title = title[first.to:]
			seps = separators(title)
		default:
			return title
		}
	}
	return title
}

// trimSection removes the name of a section that the page declares, and the signs before it, from the
// end of a title.
func (p *page) trimSection(title string) string {
	for _, c := range p.candidates[factSection] {
		rest, ok := strings.CutSuffix(title, cleanText(c.text))
		if bare := strings.TrimRight(rest, " -–—|/·:>_"); ok && len(bare) < len(rest) && isLongEnough(bare) && c.text != "" {
			return bare
		}
	}
	return title
}

// shownPart returns the longest part of a title that is a line of its own on the page, or "". That
// part is the headline, whatever the rest is.
func (p *page) shownPart(title string, seps []separator) (best string) {
	const maxSeparators = 8
	seps = seps[:min(len(seps), maxSeparators)]
	ends := append(slices.Clone(seps), separator{from: len(title)})
	starts := append([]separator{{}}, seps...)
	for i, start := range starts {
		for _, end := range ends[i:] {
			part := title[start.to:max(start.to, end.from)]
			// A colon may be part of the headline: a part that ends there must
			// be a complete headline.
			if len(part) == len(title) || len(part) <= len(best) || !isLongEnough(part) ||
				(start.colon || end.colon) && words.Count(part, 4) < 4 || p.isSiteName(part) {
				continue
			}
			if p.isOwnLine(part) {
				best = part
			}
		}
	}
	return best
}

// isLongEnough reports whether a text has enough words for a headline.
func isLongEnough(s string) bool {
	n := words.Count(s, 3)
	return n == 3 || n == 2 && len(s) >= 14
}

// isOwnLine reports whether a text is a line of its own on the page, outside of links and above
// the end of the body, below which the name of the site may stand again.
func (p *page) isOwnLine(s string) bool {
	all := p.d.AllText()
	for at := 0; ; {
		i := strings.Index(all[at:], s)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(s)
		if (from == 0 || all[from-1] == '\n') && (to == len(all) || all[to] == '\n') {
			if n := p.nodeAt(from); !p.d.InLink(n) && !p.isBelow(n) {
				return true
			}
		}
		at = to
	}
}

// isBelow reports whether a node is below the body, where the name of the site may stand again.
func (p *page) isBelow(n dom.Node) bool {
	if p.opts.End != dom.None && n >= p.d.End(p.opts.End) {
		return true
	}
	for a := n; a != dom.None; a = p.d.Parent(a) {
		if p.d.Tag(a) == dom.Footer || footerNames.IsInName(p.d.Attr(a, "class")) || footerNames.IsInName(p.d.Attr(a, "id")) {
			return true
		}
	}
	return false
}

var footerNames = words.NewSet("footer foot copyright")

// cutEllipsis returns a title without the ellipsis at its end, and whether it
// had one.
func cutEllipsis(s string) (string, bool) {
	if t, ok := strings.CutSuffix(s, "…"); ok {
		return t, true
	}
	return strings.CutSuffix(s, "...")
}

// separator is what separates two parts of a title.
type separator struct {
	from, to int
	colon    bool // which may as well be part of the headline
}

// separators returns what sites put between headline, section and site name.
func separators(title string) (out []separator) {
	for i := 0; i < len(title); {
		r, n := utf8.DecodeRuneInString(title[i:])
		from, to := i, i+n
		i = to
		before, _ := utf8.DecodeLastRuneInString(title[:from])
		after, _ := utf8.DecodeRuneInString(title[to:])
		spaced, colon := before == ' ' && after == ' ', false
		switch r {
		case '|', '｜', '│', '┃', 'ㅣ':
		case '»', '«', '›', '‹', '•', '·', '►', '→', '←', '¦', '–', '—', '-', '/', '>', '<', '~', '*', '―', '−':
			// Chinese titles have no spaces around separators.
			if han := before != ' ' && after != ' ' && (words.IsIdeograph(before) || words.IsIdeograph(after)); !spaced && !han {
				continue
			}
		case '_':
			if !words.IsIdeograph(before) && !spaced {
				continue
			}
		case ':', '：':
			for to < len(title) && title[to] == ':' {
				to++
			}
			if r == ':' && after != ' ' && to == from+1 {
				continue
			}
			colon = r == ':' && before != ' '
		default:
			continue
		}
		from = len(strings.TrimRight(title[:from], " "))
		to = len(title) - len(strings.TrimLeft(title[to:], " "))
		if n := len(out); n > 0 && out[n-1].to >= from {
			out[n-1].to, out[n-1].colon = to, out[n-1].colon && colon
		} else {
			out = append(out, separator{from, to, colon})
		}
		i = max(i, to)
	}
	return out
}
