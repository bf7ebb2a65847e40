package metadata

import (
	"html"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// visibleHeadline returns the heading that shows the title, and its text. The
// headline that a method selected is treated like an <h1>.
func (p *page) visibleHeadline(titles []titleCandidate) (dom.Node, string) {
	best, lone, breadcrumb, h1s := noHeading, noHeading, noHeading, 0
	selected := p.selectedHeadline(titles)
	for _, n := range p.headings {
		if p.d.Tag(n) != dom.H1 || p.d.Chars(n) > maxHeadlineChars {
			continue
		}
		h := heading{node: n, text: p.headingText(n)}
		if p.isLogo(n, h.text) {
			continue
		}
		p.rate(&h, titles)
		if p.isBreadcrumb(n) {
			breadcrumb = h
			continue
		}
		lone, h1s = h, h1s+1
		if h.score >= 0.5 && h.score > best.score {
			best = h
		}
	}
	if selected.score >= 0.5 && selected.score > best.score {
		best = selected
	}
	if best.score < 0.8 {
		best = p.lowerHeading(titles, best, lone)
	}
	if best.node != dom.None {
		return best.node, best.text
	}
	hasTitle := len(titles) > 0 && !titles[0].siteOnly
	switch {
	case selected.node != dom.None && (!hasTitle || selected.score >= 0.3):
		return selected.node, selected.text
	case h1s == 1 && (!hasTitle || countWords(lone.text, 3) == 3):
		return lone.node, lone.text
	case breadcrumb.score >= 0.8:
		return breadcrumb.node, breadcrumb.text
	case !hasTitle:
		return p.firstHeading()
	}
	return dom.None, ""
}

// selectedHeadline returns the heading that a method selected, or noHeading.
func (p *page) selectedHeadline(titles []titleCandidate) heading {
	n := p.opts.Title
	if n == dom.None {
		return noHeading
	}
	h := heading{node: n, text: p.headingText(n)}
	if h.text == "" || len(h.text) >= 500 || p.isLogo(n, h.text) || p.isBreadcrumb(n) {
		return noHeading
	}
	p.rate(&h, titles)
	const bullets = "•·●▪■ " // the method may select an item of a list
	if h.text = strings.TrimLeft(h.text, bullets); h.text == "" {
		return noHeading
	}
	return h
}

// lowerHeading returns a better heading among h2 to h6, or else best. A heading
// after the <h1> and a paragraph belongs to a part of the article.
func (p *page) lowerHeading(titles []titleCandidate, best, lone heading) heading {
	for _, n := range p.headings {
		if p.d.Tag(n) == dom.H1 || p.d.Chars(n) > maxHeadlineChars {
			continue
		}
		h := heading{node: n, text: p.headingText(n)}
		p.rate(&h, titles)
		h.score -= 0.03 * float64(p.d.Tag(n)-dom.H1)
		if h.score >= 0.7 && h.score > best.score && !p.isBreadcrumb(n) && !p.proseBetween(lone.node, n) {
			best = h
		}
	}
	return best
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

// firstHeading returns the first plausible headline, for pages without a title.
func (p *page) firstHeading() (dom.Node, string) {
	for _, n := range p.headings {
		t := p.headingText(n)
		if p.d.Chars(n) <= maxHeadlineChars && isLongEnough(t) && !p.isLogo(n, t) && !p.d.InLink(n) &&
			p.d.Closest(n, dom.Nav, dom.Aside, dom.Footer) == dom.None {
			return n, t
		}
	}
	return dom.None, ""
}

// withKicker prepends the kicker above a headline if a title candidate has it
// too: "Harbour strike: Cranes stand still".
func (p *page) withKicker(n dom.Node, text string, titles []titleCandidate) string {
	key := p.fold(text)
	from, _ := p.d.Span(n)
	above := p.d.AllText()[max(0, from-200):from]
	var room [maxSeparators]separator
	for i := range titles {
		c := &titles[i]
		if len(c.key) <= len(key) || !strings.HasSuffix(c.key, key) {
			continue
		}
		for _, j := range appendSeparators(room[:0], c.text) {
			if !j.weak || !isFolded(c.text[j.to:], key) {
				continue
			}
			if kicker := fold(c.text[:j.from]); kicker != "" && strings.HasSuffix(fold(above), kicker) {
				return c.text
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

// similarity returns how similar a heading is to the best candidate, from 0 to 1.
func similarity(heading, key string, titles []titleCandidate) float64 {
	var room [64]uint32
	w := appendBag(room[:0], heading)
	best := 0.0
	for i := range titles {
		c := &titles[i]
		if c.duplicate {
			continue // not more similar than the earlier one
		}
		s := dice(w, c.words)
		// One of them may be truncated.
		short, long := key, c.key
		if len(short) > len(long) {
			short, long = long, short
		}
		if utf8.RuneCountInString(short) >= 12 && strings.Contains(long, short) {
			s = max(s, 0.75)
			if strings.HasPrefix(long, short) {
				s = max(s, 0.85)
			}
		}
		// Earlier candidates are more reliable.
		s -= 0.01 * float64(min(i, 5))
		best = max(best, s)
	}
	return best
}

// maxHeadlineChars is more than any headline has.
const maxHeadlineChars = 400

// heading is a possible headline.
type heading struct {
	node  dom.Node
	text  string
	score float64
}

var noHeading = heading{node: dom.None}

// headingText returns the text of a heading. Some pages escape it twice, so
// entities are decoded, but what looks like a tag is text.
func (p *page) headingText(n dom.Node) string {
	return collapseSpace(html.UnescapeString(truncate(p.d.Text(n), 4*maxHeadlineChars)))
}

// rate sets the score of a heading by its similarity to the title candidates,
// and reduces its text to the title if it contains more.
func (p *page) rate(h *heading, titles []titleCandidate) {
	key := p.fold(h.text)
	if part := p.titlePart(h.node, h.text, key, titles); part != h.text {
		h.text, key = part, p.fold(part)
	}
	h.score = similarity(h.text, key, titles)
	if p.d.Closest(h.node, dom.Nav, dom.Aside, dom.Footer) != dom.None {
		h.score -= 0.2
	}
}

// titlePart returns the part of a heading that equals the best title candidate,
// or all of its text. The rest may be a kicker, a date, a comment count or the
// name of the site. A heading that equals some candidate as a whole is split
// only at its markup.
func (p *page) titlePart(n dom.Node, text, key string, titles []titleCandidate) string {
	whole := false // some candidate equals the whole heading
	for i := range titles {
		c := &titles[i]
		if c.source == sourceMicrodata { // may be this heading itself
			continue
		}
		if c.key == key || c.fullKey == key {
			if i == 0 && c.key == key {
				return text
			}
			whole = true
		}
	}
	for i := range titles {
		c := &titles[i]
		if c.source == sourceMicrodata || len(c.words) < 3 {
			continue
		}
		if c.key != key && strings.Contains(key, c.key) {
			if part := p.partByMarkup(n, c.key); part != "" {
				return part
			}
			if part := partBySeparator(text, c.key); part != "" && !whole {
				return part
			}
		}
		// The candidate may have another kicker than the heading, or a section.
		for _, partKey := range [...]string{c.afterKicker, c.beforeSection} {
			if !whole && partKey != "" && strings.HasSuffix(key, partKey) {
				if part := p.partByMarkup(n, partKey); part != "" {
					return part
				}
			}
		}
	}
	return text
}

// partBySeparator returns the part of text next to a separator that has the
// key, or "".
func partBySeparator(text, key string) string {
	var room [maxSeparators]separator
	for _, j := range appendSeparators(room[:0], text) {
		for _, part := range [...]string{text[:j.from], text[j.to:]} {
			if isFolded(part, key) {
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
		if part := p.d.Text(c); part != "" && isFolded(part, key) {
			return collapseSpace(part)
		}
	}
	for line := range strings.SplitSeq(p.d.Text(n), "\n") {
		if isFolded(line, key) {
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
