package metadata

import (
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// maxHeadlineChars is more than any headline has.
const maxHeadlineChars = 400

// appendHeadings appends the headings of the page as candidates for the title. The headline
// that a method selected is treated like an <h1>.
func (p *page) appendHeadings(list []candidate, titles []declaredTitle) []candidate {
	declared := len(list)
	first, lone, h1s := true, dom.None, 0
	nodes := p.headings
	if p.opts.Title != dom.None {
		nodes = append([]dom.Node{p.opts.Title}, p.headings...)
	}
	for i, n := range nodes {
		c := candidate{text: p.headingText(n), node: n, source: sourceHTML}
		if c.text == "" || p.d.Chars(n) > maxHeadlineChars || p.isLogo(n, c.text) {
			continue
		}
		similar := p.rateHeading(&c, titles)
		crumb, tag := p.isBreadcrumb(n), p.d.Tag(n)
		switch {
		case n == p.opts.Title && i == 0:
			if crumb {
				continue
			}
			c.text = strings.TrimLeft(c.text, "•·●▪■ ") // the method may select an item of a list
			switch {
			case similar >= minSimilar:
				c.score = similar - 0.001 // an <h1> that is as similar wins
			case similar >= 0.3:
				c.score = selectedScore
			default:
				c.score = otherSelected
			}
		case tag == dom.H1 && crumb:
			if similar >= 0.8 {
				c.score = crumbScore
			}
		case tag == dom.H1:
			lone, h1s = n, h1s+1
			if similar >= minSimilar {
				c.score = similar
			}
		case !crumb:
			// A heading after the <h1> and a paragraph belongs to a part of the article.
			level := float32(tag - dom.H1)
			if similar -= 0.03 * level; similar >= 0.7 && !p.proseBetween(lone, n) {
				c.score = min(similar, 0.8-0.001*level)
			}
		}
		if first && c.score == 0 && isLongEnough(c.text) && !p.isAside(n) && !p.d.InLink(n) {
			c.score, first = firstScore, false
		}
		list = append(list, c)
	}
	for i := declared; i < len(list); i++ {
		c := &list[i]
		if c.node == lone && h1s == 1 && c.score < minSimilar {
			if c.score = max(c.score, otherLone); words.Count(c.text, 3) == 3 {
				c.score = loneScore
			}
		}
	}
	return list
}

// proseBetween reports whether there is a paragraph between two nodes.
func (p *page) proseBetween(a, b dom.Node) bool {
	if a == dom.None || a > b {
		return false
	}
	const paragraph = 200
	_, from := p.d.Span(a)
	to, _ := p.d.Span(b)
	for _, line := range (textRange{from, to}).lines(p.d) {
		if len(line) >= paragraph {
			return true
		}
	}
	return false
}

// withKicker prepends the kicker above a headline if a declared title has it
// too: "Harbour strike: Cranes stand still".
func (p *page) withKicker(n dom.Node, text string, titles []declaredTitle) string {
	key := words.Fold(text)
	from, _ := p.d.Span(n)
	above := words.Fold(p.d.AllText()[max(0, from-200):from])
	for i := range titles {
		t := &titles[i]
		if len(t.key) <= len(key) || !strings.HasSuffix(t.key, key) {
			continue
		}
		for _, s := range separators(t.text) {
			kicker := words.Fold(t.text[:s.from])
			if s.kind == weakSign && words.Fold(t.text[s.to:]) == key && kicker != "" && strings.HasSuffix(above, kicker) {
				return t.text
			}
		}
	}
	return text
}

// isLogo reports whether a heading is the name of the site or a link to its
// front page.
func (p *page) isLogo(n dom.Node, text string) bool {
	if p.isSiteName(text) {
		return true
	}
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
	if href == "/" {
		return true
	}
	u := parseWebURL(p.resolve(href))
	return u != nil && strings.Trim(u.Path, "/") == "" && u.RawQuery == "" && u.Fragment == ""
}

// isKnown reports whether a folded heading is part of a title, or has one.
func isKnown(key string, titles []declaredTitle) bool {
	return slices.ContainsFunc(titles, func(t declaredTitle) bool { return strings.Contains(t.key, key) || strings.Contains(key, t.key) })
}

// similarity returns how similar a heading is to the best declared title, from 0 to 1.
func similarity(heading, key string, titles []declaredTitle) float32 {
	heads := bag(heading)
	best := 0.0
	for i := range titles {
		t := &titles[i]
		s := dice(heads, t.words)
		// One of them may be truncated.
		short, long := key, t.key
		if len(short) > len(long) {
			short, long = long, short
		}
		if utf8.RuneCountInString(short) >= 12 && strings.Contains(long, short) {
			s = max(s, 0.75)
			if strings.HasPrefix(long, short) {
				s = max(s, 0.85)
			}
		}
		best = max(best, s-laterCandidate*float64(min(i, 5)))
	}
	return float32(best)
}

// headingText returns the text of a heading. Some pages escape it twice, so
// entities are decoded, but what looks like a tag is text.
func (p *page) headingText(n dom.Node) string {
	return collapseSpace(html.UnescapeString(truncate(p.d.Text(n), 4*maxHeadlineChars)))
}

// rateHeading returns the similarity of a heading to the declared titles, and reduces its text to
// the title if it contains more.
func (p *page) rateHeading(c *candidate, titles []declaredTitle) float32 {
	c.text = p.titlePart(c.node, c.text, titles)
	score := similarity(c.text, words.Fold(c.text), titles)
	if p.isAside(c.node) {
		score -= 0.2
	}
	if score >= 0.3 {
		c.text = p.withKicker(c.node, c.text, titles)
	}
	return score
}

// titlePart returns the part of a heading that equals the best declared title, or all of its
// text. The rest may be a kicker, a date, a comment count or the name of the site. A heading
// that equals some title as a whole is split only at its markup.
func (p *page) titlePart(n dom.Node, text string, titles []declaredTitle) string {
	key, whole := words.Fold(text), false
	for i := range titles {
		if t := &titles[i]; t.source != sourceMicrodata && (t.key == key || t.fullKey == key) { // microdata may be this heading itself
			if i == 0 && t.key == key {
				return text
			}
			whole = true
		}
	}
	for i := range titles {
		t := &titles[i]
		if t.source == sourceMicrodata || len(t.words) < 3 {
			continue
		}
		if t.key != key && strings.Contains(key, t.key) {
			if part := p.partByMarkup(n, t.key); part != "" {
				return part
			}
			if part := partBySeparator(text, t.key); part != "" && !whole {
				return part
			}
		}
		if whole {
			continue
		}
		// The title may have another kicker than the heading, or a section.
		for _, s := range separators(t.text) {
			for _, part := range [...]string{t.text[:s.from], t.text[s.to:]} {
				if partKey := words.Fold(part); isLongEnough(part) && partKey != key && strings.HasSuffix(key, partKey) {
					if part := p.partByMarkup(n, partKey); part != "" {
						return part
					}
				}
			}
		}
	}
	return text
}

// partBySeparator returns the part of text next to a separator that has the
// key, or "".
func partBySeparator(text, key string) string {
	for _, s := range separators(text) {
		for _, part := range [...]string{text[:s.from], text[s.to:]} {
			if words.Fold(part) == key {
				return part
			}
		}
	}
	return ""
}

// partByMarkup returns the element or the line of a heading that has the key,
// or "".
func (p *page) partByMarkup(n dom.Node, key string) string {
	for c := n + 1; c < p.d.End(n); c++ {
		if part := p.d.Text(c); part != "" && words.Fold(part) == key {
			return collapseSpace(part)
		}
	}
	for line := range strings.SplitSeq(p.d.Text(n), "\n") {
		if words.Fold(line) == key {
			return line
		}
	}
	return ""
}

// isBreadcrumb reports whether a heading is the last of a list of breadcrumb
// links. Such a heading is written for search engines; the headline is below it.
func (p *page) isBreadcrumb(n dom.Node) bool {
	const levels = 4
	up := 0
	for a := n; a > 0 && up < levels; a, up = p.d.Parent(a), up+1 {
		for k, v := range p.d.Attrs(a) {
			if k == "class" || k == "id" || strings.HasPrefix(k, "data-") || k == "itemtype" || k == "aria-label" {
				if containsAny(k, "crumb") || containsAny(v, "crumb", "Crumb", "CRUMB") {
					return true
				}
			}
		}
		all, own := p.d.Counts(a), p.d.Counts(n)
		if all.Chars == own.Chars {
			continue
		}
		// At least two links and nothing else precede it, and nothing follows.
		return all.Links-own.Links >= 2 && all.LinkChars-own.LinkChars >= (all.Chars-own.Chars)*8/10 && p.endsWith(a, n)
	}
	return false
}

// endsWith reports whether n is the last text of a.
func (p *page) endsWith(a, n dom.Node) bool {
	_, end := p.d.Span(n)
	_, to := p.d.Span(a)
	return strings.TrimSpace(p.d.AllText()[min(end, to):to]) == ""
}
