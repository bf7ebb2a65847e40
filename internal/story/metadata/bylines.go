package metadata

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// bylineElement is an element whose attributes mark it as a byline.
type bylineElement struct {
	node dom.Node
	rank bylineRank
}

// bylineRank says how certainly an element is a byline. A lower rank is more specific.
type bylineRank uint8

const (
	unread bylineRank = iota
	noByline
	nameByline // nothing but a name
	anyByline
	userByline // the login of a user
)

// elementsOf iterates over the byline elements of a rank in a range. The first call for a range
// reads those of all ranks.
func (p *page) elementsOf(in textRange, rank bylineRank) iter.Seq[dom.Node] {
	return func(yield func(dom.Node) bool) {
		list, ok := p.bylines[in]
		if !ok {
			list = p.bylineElements(in)
			p.bylines[in] = list
		}
		for _, e := range list {
			if e.rank == rank && !yield(e.node) {
				return
			}
		}
	}
}

func (p *page) bylineElements(in textRange) (out []bylineElement) {
	const maxElements = 500
	tried := 0
	for n := p.firstFrom(in.from); int(n) < p.d.Len() && tried < maxElements; n++ {
		from, to := p.d.Span(n)
		if from >= in.to {
			break
		}
		if from == to || p.d.IsText(n) {
			continue
		}
		rank := p.rankOfClass(p.d.Class(n))
		if rank == noByline {
			rank = rankOfName(p.d.Attr(n, "id"))
		}
		if p.d.Tag(n) == dom.A {
			rank = rankOfLink(rank, p.d.Attr(n, "rel"), p.d.Attr(n, "href"))
		}
		if rank == noByline {
			continue
		}
		if tried++; !p.isThirdParty(n) && !p.followsHelper(n) {
			out = append(out, bylineElement{n, rank})
		}
	}
	return out
}

// rankOfLink returns the rank of a link, of which rank is that of its class: to a page about the
// author such as /author/ann-lee, or about a user.
func rankOfLink(rank bylineRank, rel, href string) bylineRank {
	bare, _, _ := strings.Cut(href, "?")
	dir, last := path.Split(strings.TrimRight(bare, "/"))
	switch folder := kindsOf(path.Base(dir)); {
	case rank == nameByline || rank == anyByline || strings.Contains(rel, "author") || folder&pathWord != 0:
		return nameByline
	case folder&userWord != 0 || isKind(last, userWord) || isUserQuery(href):
		return userByline
	}
	return rank
}

// rankOfClass returns the rank of an element by the number of its class.
func (p *page) rankOfClass(class int) bylineRank {
	if class == 0 {
		return noByline
	}
	if p.classes == nil {
		p.classes = make([]bylineRank, p.d.Classes()+1)
	}
	if p.classes[class] == unread {
		p.classes[class] = rankOfName(p.d.ClassAttr(class))
	}
	return p.classes[class]
}

// rankOfName returns the rank of an element with such a class or id.
func rankOfName(name string) bylineRank {
	rank, named := noByline, false
	for w := range words.InName(name) {
		switch {
		case strings.HasPrefix(w, "comment"), w == "description", w == "role", w == "job", w == "jobtitle":
			return noByline
		case w == "name" || w == "link":
			named = true
		case strings.HasPrefix(w, "author"), strings.Contains(w, "byline"), w == "creator":
			rank = anyByline
		case strings.HasSuffix(w, "username") && rank == noByline:
			rank = userByline
		}
	}
	if rank == anyByline && named {
		return nameByline
	}
	return rank
}

var thirdPartyNames = words.NewSet(`comment comments commentlist reply replies testimonial testimonials customer
	caption tweet related recommended`)

// isThirdParty reports whether a node is in comments, customer reviews, a figure, navigation, an
// embedded post or the card of another story.
func (p *page) isThirdParty(n dom.Node) bool {
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
		if thirdPartyNames.IsInName(p.d.Attr(a, "class")) || thirdPartyNames.IsInName(p.d.Attr(a, "id")) || p.isCard(a) {
			return true
		}
	}
	return false
}

// isCard reports whether an element is the teaser of another story: it is short and has a
// heading that is a link, and longer than a name.
func (p *page) isCard(n dom.Node) bool {
	const maxChars, minWords = 600, 4
	return p.d.Chars(n) <= maxChars && slices.ContainsFunc(p.headings, func(h dom.Node) bool {
		return p.d.Contains(n, h) && (p.d.InLink(h) || p.d.LinkChars(h) > 0) && words.Count(p.d.Text(h), minWords) == minWords &&
			!strings.Contains(words.Fold(p.htmlTitle), strings.TrimPrefix(words.Fold(p.d.Text(h)), "re")) // a thread repeats its title
	})
}

// namesInElements returns the names in the elements of a rank in a range.
func (p *page) namesInElements(in textRange, rank bylineRank) (list byline) {
	const maxByline = 200 // characters
	for n := range p.elementsOf(in, rank) {
		if p.d.Chars(n) > maxByline {
			continue
		}
		more := p.namesInElement(n)
		if rank == anyByline && more.full+len(more.publishers) == 0 {
			continue // a single word is too vague
		}
		more.node = n
		list.merge(more)
	}
	return list
}

// namesInElement returns the names in an element: the first text that is a name and what follows
// it after a comma or "and", or else the first line that names an author.
func (p *page) namesInElement(n dom.Node) (list byline) {
	for t := n; t < p.d.End(n); t++ {
		text := strings.TrimSpace(p.d.Text(t))
		if !p.d.IsText(t) || text == "" || isBy(text) {
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
		if list.add(p, &candidate{text: text, url: p.linkIn(n)}, true); !list.isEmpty() {
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
// "Reviewed by", or "Contributions from Ann Lee and".
func (p *page) followsHelper(n dom.Node) bool {
	line := p.lineBefore(n)
	_, helper := cutBefore("- "+strings.TrimSpace(line[strings.LastIndexAny(line, ".;|")+1:]), startsWithHelper)
	return helper != ""
}
