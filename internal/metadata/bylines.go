package metadata

import (
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// shownAuthors returns the byline near the headline that is certain: its
// elements contain nothing else, or a word such as "by" introduces it.
func (p *page) shownAuthors() byline {
	before, after := p.nearHeadline()
	for _, in := range [...]textRange{after, before} {
		if list := p.bylineInElements(p.bylineElements(in), certainRank); list.full > 0 {
			list.source = sourceHTML
			return list
		}
	}
	list := p.bylineInText(after, false)
	list.source = sourceHTML
	return list
}

// addCoAuthors adds the names that follow the last declared author in the byline
// near the headline, separated by nothing but commas or "and".
func (p *page) addCoAuthors(declared *byline) {
	last := declared.authors[len(declared.authors)-1].Name
	_, in := p.nearHeadline()
	if in.from >= in.to {
		return
	}
	at := strings.Index(p.d.AllText()[in.from:in.to], last)
	if at < 0 {
		return
	}
	first := p.nodeAt(in.from+at) + 1
	p.readNames(first, p.within(first), declared, false)
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
	var publisher byline
	for _, in := range [...]textRange{after, before} {
		elements := p.bylineElements(in)
		list := p.bylineInElements(elements, lowestRank)
		switch {
		case noAuthors && list.full > 0, list.full == 1 && list.persons == 1:
			return list
		case !noAuthors:
		case fallback.isEmpty() && len(list.authors) > 0:
			return list
		case len(list.publishers) > 0 && publisher.isEmpty():
			publisher = list
		}
		if noAuthors {
			if list := p.loginInElements(elements); isUser(list) {
				return list
			}
		}
	}
	for _, in := range [...]textRange{after, before} {
		if list := p.bylineInText(in, noAuthors); list.full > 0 || noAuthors && isUser(list) {
			return list
		}
	}
	if !noAuthors {
		return byline{}
	}
	if list := p.bylineWithRole(after); len(list.authors) > 0 {
		return list
	}
	if !fallback.isEmpty() || !publisher.isEmpty() {
		return publisher
	}
	whole := p.text()
	elements := p.bylineElements(whole)
	for _, worst := range [...]uint8{certainRank, lowestRank} {
		if list := p.bylineInElements(elements, worst); len(list.authors) == 1 {
			return list
		}
	}
	if list := p.bylineInText(textRange{after.to, whole.to}, false); list.full == 1 {
		return list
	}
	return byline{}
}

// loginInElements returns the author in the first element that has nothing but a
// login, such as "ann_lee7".
func (p *page) loginInElements(elements []bylineElement) (list byline) {
	for _, e := range elements {
		if e.rank <= certainRank || e.rank == loginRank {
			text := strings.TrimSpace(p.d.Text(e.node))
			if isLogin(text) && !p.followsHelper(e.node) {
				list.addName(article.Author{Name: text, URL: p.resolve(p.linkAt(e.node))}, false)
				return list
			}
		}
	}
	return list
}

// Ranks of byline elements: the last that contains nothing but a name, the
// lowest of bylines, and that of the logins of users.
const certainRank, lowestRank, loginRank = 2, 4, 5

// bylineInElements returns the byline in the most specific elements that name an
// author, down to the rank worst.
func (p *page) bylineInElements(elements []bylineElement, worst uint8) byline {
	var list byline
	rank := uint8(0)
	for _, e := range elements {
		if e.rank > worst {
			break
		}
		if p.d.Chars(e.node) == 0 || p.d.Chars(e.node) > 200 {
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
	if list := p.namesInLinks(n); list.full > 0 {
		return list
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
		break
	}
	list = byline{}
	for text := range strings.SplitSeq(p.d.Text(n), "\n") {
		if list.add(p, &candidate{text: text, url: p.linkAt(n)}, true); !list.isEmpty() {
			break
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
		if p.d.Tag(a) != dom.A || p.d.Chars(a) == 0 {
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

// followsHelper reports whether the text before an element says that somebody
// only helped: "Reviewed by".
func (p *page) followsHelper(n dom.Node) bool {
	const reach = 40
	from, _ := p.d.Span(n)
	text := p.d.AllText()[max(0, from-reach):from]
	text = strings.TrimRight(text, " \n:：")
	if i := strings.LastIndexAny(text, "\n.,;|"); i >= 0 {
		text = text[i+1:]
	}
	return endsWithHelper(strings.ToLower(strings.TrimSpace(text)))
}

// bylineInText returns the authors of a line such as "By Ann Lee". The word may
// follow a date, and the name may be in the next element. With logins, a name may
// be a single word in lower case.
func (p *page) bylineInText(in textRange, logins bool) byline {
	for at, line := range in.lines(p.d) {
		const maxLine = 120
		if isLonger(line, maxLine) {
			continue
		}
		name, ok := afterBy(line)
		if !ok {
			continue
		}
		n := p.nodeAt(at)
		if p.d.InLink(n) || p.d.Closest(n, dom.Nav, dom.Footer, dom.Figure) != dom.None {
			continue // "By product" and "By topic" are menu items
		}
		var list byline
		if name != "" {
			list.add(p, &candidate{text: cutAfterNames(name)}, true)
		}
		if list.full == 0 {
			list = p.namesAfterBy(n)
		}
		if list.full > 0 || len(list.authors) > 0 && name == "" {
			return list
		}
		if logins {
			if list := p.loginAfterBy(n, name); len(list.authors) > 0 {
				return list
			}
		}
	}
	return byline{}
}

// namesAfterBy returns the names in the text nodes after "by": links, separated
// by commas or "and".
func (p *page) namesAfterBy(n dom.Node) (list byline) {
	if isCertainBy(strings.TrimSpace(p.d.Text(n))) {
		p.readNames(n+1, p.within(n), &list, true)
	}
	return list
}

// loginAfterBy returns the login after "by": the whole line, the next text, or
// the link that follows.
func (p *page) loginAfterBy(n dom.Node, name string) (list byline) {
	url := ""
	if !isLogin(name) {
		word, _, _ := strings.Cut(name, " ")
		for end := p.within(n); n < end && name != ""; n++ {
			if p.d.Tag(n) == dom.A && strings.TrimSpace(p.d.Text(n)) == word {
				name, url = word, p.d.Attr(n, "href")
				break
			}
		}
	}
	if isLogin(name) {
		list.addName(article.Author{Name: name, URL: p.resolve(url)}, false)
	}
	return list
}

// readNames adds the names in the text nodes from n to end, which are separated
// by commas or "and". If expected is not set, such a separator comes first, and
// only full names of persons are added.
func (p *page) readNames(n, end dom.Node, list *byline, expected bool) {
	const maxNames = 12
	personsOnly, start := !expected, len(list.authors)
	for ; n < end && len(list.authors)-start < maxNames; n++ {
		if !p.d.IsText(n) || p.d.Chars(n) == 0 {
			continue
		}
		text := strings.TrimSpace(p.d.Text(n))
		if isConjunction(text) {
			expected = expected || strings.Trim(text, "/|") != ""
			continue
		}
		if !expected {
			return
		}
		c := candidate{text: text, url: p.linkAt(n)}
		var more byline
		if more.add(p, &c, true); len(more.authors) == 0 || personsOnly && more.persons < len(more.authors) {
			return
		}
		list.merge(more)
		expected = false
	}
}

// within returns the end of the nodes that may continue a byline from n on.
func (p *page) within(n dom.Node) dom.Node {
	const reach = 48
	return min(dom.Node(p.d.Len()), n+reach)
}

// isConjunction reports whether a text only separates two names.
func isConjunction(s string) bool {
	s = strings.Trim(s, " ,;&/|")
	return s == "" || bylineWords().and[strings.ToLower(s)]
}

// bylineWithRole returns the author of a line such as "Ann Lee | Senior writer",
// or of two lines with the name and the role.
func (p *page) bylineWithRole(in textRange) byline {
	const maxLines = 8
	last, seen := "", 0
	for _, line := range in.lines(p.d) {
		if seen++; seen > maxLines {
			break
		}
		name, role, split := strings.Cut(line, "|")
		if !split {
			name, role = last, line
		}
		last = line
		name, role = strings.TrimSpace(name), strings.TrimSpace(role)
		if role, _, _ = strings.Cut(role, "|"); len(name) > 40 || len(role) > 40 || !isJobTitle(role) || !looksLikeName(name) || hasRole(name) {
			continue
		}
		var list byline
		if list.add(p, &candidate{text: name}, true); list.full > 0 {
			return list
		}
	}
	return byline{}
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
			if rank := bylineRank(tag, k, v); rank > 0 && (best == 0 || rank < best) {
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
		if tag == dom.A && isAuthorPath(value) {
			return 2
		}
		return 0
	case "class", "id", "data-testid", "data-qa":
	default:
		return 0
	}
	if len(value) > 400 || !containsAny(value, "uthor", "yline", "riter", "reator", "sername") {
		return 0
	}
	value = strings.ToLower(value)
	switch {
	case containsAny(value, "comment", "authori"): // authority, authorization
		return 0
	case containsWord(value, "author-name", "author_name", "authorname", "byline-name", "byline__name", "author__name", "author-link", "author_link", "creator-name"):
		return 2
	case containsWord(value, "author"), strings.Contains(value, "byline"):
		return 3
	case containsWord(value, "writer"):
		return lowestRank
	case containsWord(value, "username", "bigusername"):
		return loginRank
	}
	return 0
}

// isAuthorPath reports whether an address is that of an author's page, such as
// /author/ann-lee.
func isAuthorPath(href string) bool {
	href, _, _ = strings.Cut(href, "?")
	href = strings.TrimRight(href, "/")
	i := strings.LastIndexByte(href, '/')
	if i <= 0 || i == len(href)-1 {
		return false
	}
	folder := href[strings.LastIndexByte(href[:i], '/')+1 : i]
	return len(folder) <= bylineWords().longPath && bylineWords().path[strings.ToLower(folder)]
}
