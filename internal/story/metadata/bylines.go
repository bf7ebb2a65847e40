package metadata

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
)

// shownAuthors returns the byline near the headline or at the end of the body that
// is certain: its elements contain nothing else, or a word such as "by"
// introduces it.
func (p *page) shownAuthors() byline {
	before, after := p.nearHeadline()
	for _, in := range [...]textRange{after, before} {
		if list := p.bylineInElements(p.bylineElements(in), certainRank); list.full > 0 {
			list.source = sourceHTML
			return list
		}
	}
	list := p.bylineInText(after, strict)
	if list.full == 0 {
		list = p.bylineInText(p.endOfBody(), withLabels)
	}
	if list.full == 0 {
		// Elsewhere only a single link that is marked as one to the author.
		list = p.bylineInElements(p.bylineElements(p.text()), 1)
		if len(list.authors) != 1 {
			list = byline{}
		}
	}
	list.source = sourceHTML
	return list
}

// visibleByline returns the byline near the headline that the markup or a word
// such as "by" identifies. If another source names an author, if only by a
// login, the byline must be certain. If no source names one, the whole page is
// searched for a single author.
func (p *page) visibleByline(fallback byline) byline {
	before, after := p.nearHeadline()
	noAuthors := len(fallback.authors) == 0
	isUser := func(list byline) bool { // "DPA" beside a publisher is a news agency
		return len(list.authors) > 0 && (fallback.isEmpty() || hasLower(list.authors[0].Name))
	}
	var publisher, group byline
	for _, in := range [...]textRange{after, before} {
		elements := p.bylineElements(in)
		list := p.bylineInElements(elements, certainRank)
		if !noAuthors && list.full == 0 && len(list.authors) > 0 && list.includes(&fallback) {
			return byline{} // the page shows the one word that it declares
		}
		if noAuthors && len(list.authors) == 0 {
			if list := p.loginInElements(elements, certainRank); isUser(list) {
				return list
			}
		}
		if list.full == 0 {
			list = p.bylineInElements(elements, lowestRank)
		}
		switch {
		case noAuthors && list.persons > 0, list.full == 1 && list.persons == 1:
			return list
		case noAuthors && list.full > 0:
			if group.isEmpty() {
				group = list
			}
		case !noAuthors:
		case fallback.isEmpty() && len(list.authors) > 0:
			return list
		case len(list.publishers) > 0 && publisher.isEmpty():
			publisher = list
		}
		if noAuthors {
			if list := p.loginInElements(elements, loginRank); isUser(list) {
				return list
			}
		}
	}
	mode := strict
	if noAuthors {
		mode = withLogins
	}
	for _, in := range [...]textRange{after, before} {
		if list := p.bylineInText(in, mode); list.full > 0 && (list.persons > 0 || group.isEmpty()) || noAuthors && group.isEmpty() && isUser(list) {
			return list
		}
	}
	if list := p.bylineInText(p.endOfBody(), withLabels); list.alone {
		return list
	}
	if list := p.signatureInParentheses(); list.persons > 0 {
		return list
	}
	whole := p.text()
	if !noAuthors || !group.isEmpty() {
		if list := p.bylineInText(textRange{after.to, whole.to}, withColons); list.alone {
			return list
		}
		return group
	}
	if list := p.loginAtEnd(); isUser(list) {
		return list
	}
	if list := p.bylineWithRole(after); len(list.authors) > 0 {
		return list
	}
	if list := p.bylineBesideDate(before, after); list.persons > 0 {
		return list
	}
	if list := p.signature(); list.persons > 0 {
		return list
	}
	if !fallback.isEmpty() || !publisher.isEmpty() {
		return publisher
	}
	elements := p.bylineElements(whole)
	for _, worst := range [...]uint8{certainRank, lowestRank} {
		if list := p.bylineInElements(elements, worst); len(list.authors) == 1 || p.isOneByline(elements, &list) {
			return list
		}
	}
	if list := p.bylineInText(textRange{after.to, whole.to}, withLabels); list.full == 1 || list.alone {
		return list
	}
	return p.loginInElements(elements, 1)
}

// isOneByline reports whether the first element that names an author names all
// of the list: the others repeat it.
func (p *page) isOneByline(elements []bylineElement, list *byline) bool {
	if list.persons < 2 || list.persons != len(list.authors) {
		return false
	}
	for _, e := range elements {
		if p.d.Chars(e.node) == 0 || p.d.Chars(e.node) > maxByline || p.followsHelper(e.node) {
			continue
		}
		if first := p.bylineInElement(e.node); len(first.authors) > 0 {
			return first.includes(list) && isNameList(p.d.Text(e.node), len(first.authors))
		}
	}
	return false
}

// lineBefore returns the text before a node in its line, or the end of it.
func (p *page) lineBefore(n dom.Node) string {
	from, to := p.d.Span(n)
	all := p.d.AllText()
	for from < to && (all[from] == '\n' || all[from] == ' ') {
		from++
	}
	line := all[max(0, from-maxPhrase):from]
	return strings.TrimSpace(line[strings.LastIndexByte(line, '\n')+1:])
}

// Ranks of byline elements: the last that contains nothing but a name, the
// lowest of bylines, and that of the logins of users.
const certainRank, lowestRank, loginRank = 2, 4, 5

// maxByline is the length of the longest byline element in characters.
const maxByline = 200

// bylineInElements returns the byline in the most specific elements that name an
// author, down to the rank worst.
func (p *page) bylineInElements(elements []bylineElement, worst uint8) byline {
	var list byline
	rank := uint8(0)
	for _, e := range elements {
		if e.rank > worst {
			break
		}
		if p.d.Chars(e.node) == 0 || p.d.Chars(e.node) > maxByline {
			continue
		}
		if len(list.authors) > 0 && e.rank != rank {
			break
		}
		rank = e.rank
		if p.followsHelper(e.node) {
			continue
		}
		more := p.bylineInElement(e.node)
		if rank > certainRank && more.full == 0 {
			continue // a single word is too vague
		}
		list.merge(more)
	}
	return list
}

// bylineInElement returns the names in an element: the texts of its links, or the
// first text that is a name and what follows it after a comma or "and", or else
// the first line that names an author.
func (p *page) bylineInElement(n dom.Node) byline {
	links := p.namesInLinks(n)
	if links.persons > 0 {
		return links
	}
	var list byline
	for t := n; t < p.d.End(n); t++ {
		if !p.d.IsText(t) || p.d.Chars(t) == 0 {
			continue
		}
		text := strings.TrimSpace(p.d.Text(t))
		if isConjunction(text) || isBy(text) {
			continue
		}
		if list.add(p, &candidate{text: text, url: p.linkAt(t)}, true); list.persons > 0 {
			p.readNames(t+1, p.d.End(n), &list, false)
			return list
		}
		if list = p.nameAfterDate(text); list.persons > 0 {
			return list
		}
		break
	}
	if links.full > 0 {
		return links
	}
	list = byline{}
	for text := range strings.SplitSeq(p.d.Text(n), "\n") {
		if list.add(p, &candidate{text: text, url: p.linkAt(n)}, true); !list.isEmpty() {
			break
		}
	}
	return list
}

// nameAfterDate returns the authors in a text such as "3 May 2024 · Ann Lee".
func (p *page) nameAfterDate(text string) (list byline) {
	if !hasDigit(text) {
		return list
	}
	for part := range splitParts(text) {
		if names := plainNames(part); names != "" {
			return p.authorsIn(names)
		}
	}
	return list
}

// linkAt returns the address of the link that a node is in, or "".
func (p *page) linkAt(n dom.Node) string {
	if link := p.d.Closest(n, dom.A); link != dom.None {
		return p.d.Attr(link, "href")
	}
	return ""
}

// namesInLinks returns the names in the links of a byline. A second link must
// be to the same folder as the first, because a byline may link to its topic as
// well.
func (p *page) namesInLinks(n dom.Node) (list byline) {
	folder := ""
	for a := n + 1; a < p.d.End(n); a++ {
		if p.d.Tag(a) != dom.A || p.d.Chars(a) == 0 || containsAny(p.d.Attr(a, "rel"), "tag", "category") {
			continue
		}
		href := p.d.Attr(a, "href")
		if list.full > 0 && linkFolder(href) != folder {
			continue
		}
		var more byline
		if more.add(p, &candidate{text: p.d.Text(a), url: href}, true); more.full > 0 && !p.followsHelper(a) {
			list.merge(more)
			folder = linkFolder(href)
		}
	}
	return list
}

// linkFolder returns an address up to its last slash.
func linkFolder(href string) string {
	href, _, _ = strings.Cut(href, "?")
	href = strings.TrimRight(href, "/")
	return href[:strings.LastIndexByte(href, '/')+1]
}

// maxPhrase bounds the phrases before names in bytes.
const maxPhrase = 40

// followsHelper reports whether the text before an element says that somebody
// only helped: "Reviewed by".
func (p *page) followsHelper(n dom.Node) bool {
	from, _ := p.d.Span(n)
	text := p.d.AllText()[max(0, from-maxPhrase):from]
	text = strings.TrimRight(text, " \n:：")
	if i := strings.LastIndexAny(text, "\n.,;|"); i >= 0 {
		text = text[i+1:]
	}
	return endsWithHelper(strings.ToLower(strings.TrimSpace(text)))
}

// bylineElement is an element whose attributes mark it as a byline.
type bylineElement struct {
	node dom.Node
	rank uint8 // a lower rank is more specific
}

// bylineElements returns the byline elements of a range, the most specific first.
func (p *page) bylineElements(r textRange) []bylineElement {
	var out []bylineElement
	if r.from >= r.to {
		return nil
	}
	const maxElements = 500
	tried := 0
	// The nodes that begin at r.from come after the one at r.from - 1.
	for n, end := p.nodeAt(r.from-1), p.nodeAt(r.to); n <= end; n++ {
		tag := p.d.Tag(n)
		if tag == dom.Text || !r.contains(p.d, n) || p.isEmpty(n) {
			continue
		}
		best := uint8(0)
		for k, v := range p.d.Attrs(n) {
			rank := uint8(0)
			if k == "class" {
				rank = p.classMeaning(n).byline
			} else {
				rank = bylineRank(tag, k, v)
			}
			if rank > 0 && (best == 0 || rank < best) {
				best = rank
			}
		}
		if best == 0 {
			continue
		}
		if tried++; tried > maxElements {
			break
		}
		if !p.isThirdParty(n) {
			out = append(out, bylineElement{n, best})
		}
	}
	slices.SortStableFunc(out, func(a, b bylineElement) int { return int(a.rank) - int(b.rank) })
	return out
}

// isEmpty reports whether an element has no text. This is cheaper to test than
// its attributes.
func (p *page) isEmpty(n dom.Node) bool {
	from, to := p.d.Span(n)
	return from == to
}

// isThirdParty reports whether a node is in comments, customer reviews, a figure
// or navigation.
func (p *page) isThirdParty(n dom.Node) bool {
	for a := range p.d.Ancestors(n) {
		if p.headline != dom.None && p.d.Contains(a, p.headline) {
			return false // the headline may be the caption of the main picture
		}
		switch p.d.Tag(a) {
		case dom.Figure, dom.Figcaption, dom.Nav:
			return true
		case dom.Body:
			return false
		}
		for k, v := range p.d.Attrs(a) {
			if (k == "class" || k == "id") && len(v) < 400 && containsWord(strings.ToLower(v), "comment", "reply", "replies", "testimonial", "customer", "caption") {
				return true
			}
		}
	}
	return false
}

// bylineRank returns how certainly an attribute marks a byline, from 1 (the most)
// to loginRank, or 0 if it does not.
func bylineRank(tag dom.Tag, key, value string) uint8 {
	switch key {
	case "rel":
		if tag == dom.A && strings.Contains(value, "author") {
			return 1
		}
		return 0
	case "href":
		if tag != dom.A {
			return 0
		}
		switch kinds := bylineWords().foldedKinds(lastFolder(value), pathWord|userWord); {
		case kinds&pathWord != 0:
			return certainRank
		case kinds != 0 || isUserQuery(value):
			return loginRank
		}
		return 0
	case "class", "id", "data-testid", "data-qa":
	default:
		return 0
	}
	value = strings.ToLower(value)
	switch {
	case containsAny(value, "comment", "authori", "description", "-role", "_role", "job-title", "job_title", "jobtitle"): // authority, authorization
		return 0
	case containsWord(value, "author-name", "author_name", "authorname", "byline-name", "byline__name", "author__name", "author-link", "author_link", "creator-name"):
		return 2
	case tag == dom.A && containsWord(value, "author"):
		return certainRank
	case containsWord(value, "author"), strings.Contains(value, "byline"):
		return 3
	case containsWord(value, "writer"):
		return lowestRank
	case containsWord(value, "username", "bigusername"):
		return loginRank
	}
	return 0
}

// lastFolder returns the folder of an address: "author" for /author/ann-lee.
func lastFolder(href string) string {
	href, _, _ = strings.Cut(href, "?")
	href = strings.TrimRight(href, "/")
	i := strings.LastIndexByte(href, '/')
	if i <= 0 || i == len(href)-1 {
		return ""
	}
	return href[strings.LastIndexByte(href[:i], '/')+1 : i]
}
