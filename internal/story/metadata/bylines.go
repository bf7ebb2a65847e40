package metadata

import (
	"slices"
	"sort"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// bylineElement is an element whose attributes mark it as a byline.
type bylineElement struct {
	node dom.Node
	rank uint8 // a lower rank is more specific
}

// Ranks of byline elements: the last that contains nothing but a name, the lowest of bylines,
// and that of the logins of users.
const certainRank, lowestRank, loginRank = 2, 4, 5

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
		if !p.isThirdParty(n) && !p.followsHelper(n) {
			out = append(out, bylineElement{n, best})
		}
	}
	slices.SortStableFunc(out, func(a, b bylineElement) int { return int(a.rank) - int(b.rank) })
	return out
}

// isEmpty reports whether an element has no text. This is cheaper to test than its
// attributes.
func (p *page) isEmpty(n dom.Node) bool {
	from, to := p.d.Span(n)
	return from == to
}

// bylineRank returns how certainly an attribute marks a byline, from 1 (the most) to
// loginRank, or 0 if it does not.
func bylineRank(tag dom.Tag, key, value string) uint8 {
	switch key {
	case "rel":
		if tag == dom.A && strings.Contains(value, "author") {
			return 1
		}
	case "href":
		if tag != dom.A {
			return 0
		}
		folder, last := lastParts(value)
		switch kinds := kindsOf(folder); {
		case kinds&pathWord != 0:
			return certainRank
		case kinds&userWord != 0 || isKind(last, userWord) || isUserQuery(value):
			return loginRank
		}
	case "class", "id", "data-testid", "data-qa":
		return nameRank(tag, value)
	}
	return 0
}

// nameRank is bylineRank for a class or id.
func nameRank(tag dom.Tag, value string) uint8 {
	const maxLen = 400
	if len(value) > maxLen || !containsAny(value, "uthor", "yline", "riter", "reator", "sername") {
		return 0
	}
	rank, named := uint8(0), false
	for w := range words.InName(value) {
		switch {
		case strings.HasPrefix(w, "comment"), w == "description", w == "role", w == "job", w == "jobtitle":
			return 0
		case w == "name" || w == "link":
			named = true
		case w == "authorname" || w == "creatorname":
			rank, named = certainRank, true
		case strings.HasPrefix(w, "author") && !strings.HasPrefix(w, "authori"): // authority, authorization
			rank = 3
			if tag == dom.A {
				named = true
			}
		case strings.Contains(w, "byline"), w == "creator" && rank == 0:
			rank = 3
		case strings.HasPrefix(w, "writer") && rank == 0:
			rank = lowestRank
		case strings.HasSuffix(w, "username") && rank == 0:
			rank = loginRank
		}
	}
	if rank == 3 && named {
		return certainRank
	}
	return rank
}

// lastParts returns the last two parts of the path of an address: "author" and "ann-lee" for
// /author/ann-lee, "" and "user" for user?id=ann.
func lastParts(href string) (folder, last string) {
	href, _, _ = strings.Cut(href, "?")
	href = strings.TrimRight(href, "/")
	i := strings.LastIndexByte(href, '/')
	if i <= 0 {
		return "", href[i+1:]
	}
	return href[strings.LastIndexByte(href[:i], '/')+1 : i], href[i+1:]
}

var thirdPartyNames = words.NewSet(`comment comments commentlist reply replies testimonial testimonials customer
	caption tweet related recommended`)

// isThirdParty reports whether a node is in comments, customer reviews, a figure, navigation, an
// embedded post or the card of another story.
func (p *page) isThirdParty(n dom.Node) bool {
	const maxLevels = 8 // of a card
	level := 0
	for a := range p.d.Ancestors(n) {
		if p.headline != dom.None && p.d.Contains(a, p.headline) || p.opts.Body != dom.None && p.d.Contains(a, p.opts.Body) {
			return false // the headline may be the caption of the main picture, the story a comment
		}
		switch p.d.Tag(a) {
		case dom.Figure, dom.Figcaption, dom.Nav, dom.Blockquote:
			return true
		case dom.Body:
			return false
		}
		if thirdPartyNames.IsInName(p.d.Attr(a, "class")) || thirdPartyNames.IsInName(p.d.Attr(a, "id")) {
			return true
		}
		if level++; level <= maxLevels && p.isCard(a) {
			return true
		}
	}
	return false
}

// isCard reports whether an element is the teaser of another story: it is short and has a
// heading that is a link, and longer than a name.
func (p *page) isCard(n dom.Node) bool {
	const maxChars, minWords = 600, 4
	if p.d.Chars(n) > maxChars {
		return false
	}
	for i := sort.Search(len(p.headings), func(i int) bool { return p.headings[i] > n }); i < len(p.headings) && p.headings[i] < p.d.End(n); i++ {
		h := p.headings[i] // the posts of a thread repeat its title
		if (p.d.InLink(h) || p.d.LinkChars(h) > 0) && words.Count(p.d.Text(h), minWords) == minWords &&
			!strings.Contains(words.Fold(p.htmlTitle), strings.TrimPrefix(words.Fold(p.d.Text(h)), "re")) {
			return true
		}
	}
	return false
}

// maxByline is the length of the longest byline element in characters, and maxBox that of the
// longest box about an author.
const maxByline, maxBox = 200, 1500

// namesInElements returns the names in the most specific elements that name an author, down to
// the rank worst.
func (p *page) namesInElements(elements []bylineElement, worst uint8) byline {
	var list byline
	rank := uint8(0)
	for _, e := range elements {
		if e.rank > worst {
			break
		}
		if p.d.Chars(e.node) == 0 {
			continue
		}
		if len(list.authors) > 0 && e.rank != rank {
			break
		}
		rank = e.rank
		var more byline
		if p.d.Chars(e.node) <= maxByline {
			more = p.namesInElement(e.node)
		} else if p.d.Chars(e.node) <= maxBox {
			more = p.nameOfBox(e.node)
		}
		if rank > certainRank && more.full+len(more.publishers) == 0 {
			continue // a single word is too vague
		}
		more.node = e.node
		list.merge(more)
	}
	return list
}

// namesInElement returns the names in an element: the first text that is a name and what follows
// it after a comma or "and", or else the first line that names an author.
func (p *page) namesInElement(n dom.Node) (list byline) {
	for t := n; t < p.d.End(n); t++ {
		if !p.d.IsText(t) || p.d.Chars(t) == 0 {
			continue
		}
		text := strings.TrimSpace(p.d.Text(t))
		if isConjunction(text) || isBy(text) {
			continue
		}
		if whole := p.d.Text(n); endsWithInitial(text) || isOneWord(text) && !strings.Contains(whole, "\n") {
			if whole = collapseSpace(whole); isPlainName(whole) {
				text = whole // in two elements
			}
		}
		if list.add(p, &candidate{text: text, url: p.linkIn(t)}, true); list.persons > 0 {
			p.readNames(t+1, p.d.End(n), &list, false)
			return list
		}
		break
	}
	list = byline{}
	for text := range strings.SplitSeq(p.d.Text(n), "\n") {
		if isBy(text) {
			continue
		}
		if list.add(p, &candidate{text: text, url: p.linkIn(n)}, true); !list.isEmpty() {
			break
		}
	}
	return list
}

// nameOfBox returns the name at the top of a box about the author, below a label such as "About
// the author".
func (p *page) nameOfBox(n dom.Node) (list byline) {
	for line := range strings.SplitSeq(p.d.Text(n), "\n") {
		if isPlainName(line) {
			list.add(p, &candidate{text: line, url: p.linkIn(n)}, true)
			break
		}
		if !isKind(trimWord(line), labelWord|byWord) {
			break
		}
	}
	return list
}

// linkIn returns the address of the link that a node is in, or of the first one that is in it.
func (p *page) linkIn(n dom.Node) string {
	link := p.d.Closest(n, dom.A)
	for a := n; link == dom.None && a < p.d.End(n); a++ {
		if p.d.Tag(a) == dom.A {
			link = a
		}
	}
	if link == dom.None {
		return ""
	}
	return p.d.Attr(link, "href")
}

// lineBefore returns the text before a node in its line, or the end of it.
func (p *page) lineBefore(n dom.Node) string {
	const longest = 160
	from, to := p.d.Span(n)
	all := p.d.AllText()
	for from < to && (all[from] == '\n' || all[from] == ' ') {
		from++
	}
	line := all[max(0, from-longest):from]
	return strings.TrimSpace(line[strings.LastIndexByte(line, '\n')+1:])
}

// followsHelper reports whether the text before an element says that somebody only helped:
// "Reviewed by", or "Contributions from Ann Lee and". It may stand in the line before.
func (p *page) followsHelper(n dom.Node) bool {
	line := p.lineBefore(n)
	if line == "" {
		from, _ := p.d.Span(n)
		before := strings.TrimRight(p.d.AllText()[max(0, from-40):from], " \n")
		line = before[strings.LastIndexByte(before, '\n')+1:]
	}
	const maxNames = 6
	for range maxNames {
		line = strings.TrimRight(line, " :：,&")
		if line == "" {
			return false
		}
		part := strings.TrimSpace(line[strings.LastIndexAny(line, ".,;|:&")+1:])
		if endsWithHelper(part) {
			return true
		}
		if !isPlainName(part) {
			return false
		}
		line = line[:len(line)-len(part)]
	}
	return false
}
