package metadata

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/words"
)

//go:embed data/standfirst.txt
var standfirstFile string

// Scores of the lines that may be the standfirst.
const (
	specificScore = 5 // an element with a name for a standfirst
	nextScore     = 4 // a long heading that follows the headline
	similarScore  = 3 // it resembles what the page declares as its description
	generalScore  = 2 // an element with a name for an introduction
	headingScore  = 1 // more for a heading with a specific name
)

// chooseStandfirst returns the line that the page shows between headline and body, and the
// element that has this line and nothing else. Descriptions are written for search engines;
// they help to find it, but do not replace it.
func (p *page) chooseStandfirst() (text string, node dom.Node) {
	const (
		window   = 5000 // bytes after the headline
		minLen   = 25
		maxLen   = 900
		minWords = 8 // of a line with a general name
		sentence = 60
	)
	if p.headline == dom.None {
		return "", dom.None
	}
	descriptions := p.descriptions()
	_, from := p.d.Span(p.headline)
	body := from
	if p.opts.Body != dom.None {
		body, _ = p.d.Span(p.opts.Body)
	}
	title := words.Fold(truncate(p.d.Text(p.headline), maxLen))
	var list []candidate
	for at, line := range (textRange{from, min(len(p.d.AllText()), from+window)}).lines(p.d) {
		if len(line) > maxLen {
			if at >= body {
				break // it has begun
			}
			continue
		}
		if len(line) < minLen || words.Count(line, 5) < 5 || words.Fold(line) == title {
			continue
		}
		c := candidate{text: line, source: sourceHTML}
		var kind nameKind
		var heading bool
		c.node, kind, heading = p.lineElement(at, len(line))
		if box, named := p.namedBox(c.node, at, maxLen); kind == otherName && named > otherName {
			c.node, c.text, kind = box, p.d.Text(box), named
		}
		if kind == excludedName || c.node != dom.None && p.d.LinkDensity(c.node) > 0.5 {
			continue
		}
		switch {
		case c.node == dom.None:
		case kind == specificName:
			if c.score = specificScore; heading {
				c.score += headingScore
			}
		case heading && len(list) == 0 && (kind == generalName || isWholeSentence(line)):
			c.score = nextScore
		case kind == generalName && words.Count(line, minWords) == minWords:
			c.score = generalScore
		}
		if c.node != dom.None && isLike(line, descriptions) && !p.isOrdinary(c.node) {
			c.score += similarScore
		}
		if c.score > 0 {
			list = append(list, c)
		} else if at >= body && len(line) >= sentence && endsSentence(line) {
			break // likewise
		}
	}
	p.offer("standfirst", list)
	won := best(list)
	if won == nil {
		return "", dom.None
	}
	var lines []string
	for line := range strings.Lines(won.text) {
		if line = collapseSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return p.withoutByline(strings.Join(lines, "\n")), won.node
}

// descriptions returns the words of the summaries that the page declares.
func (p *page) descriptions() (list [][]uint32) {
	const most = 4 // sources mostly agree
	for _, c := range p.candidates[factDescription][:min(len(p.candidates[factDescription]), most)] {
		list = append(list, bag(cleanText(truncate(c.text, 1000))))
	}
	return list
}

// isWholeSentence reports whether a heading has so many words that it says more
// than a headline.
func isWholeSentence(s string) bool {
	const many, few = 12, 8
	return words.Count(s, many) == many || strings.HasSuffix(s, ".") && words.Count(s, few) == few
}

// isLike reports whether a line is a variant of a description: most words are the same.
func isLike(line string, descriptions [][]uint32) bool {
	const minShared = 0.6
	w := bag(line)
	return slices.ContainsFunc(descriptions, func(d []uint32) bool {
		return 3*min(len(w), len(d)) >= max(len(w), len(d)) && dice(w, d) >= minShared
	})
}

// isOrdinary reports whether an element is the first of several paragraphs that look the same, so
// that it is part of the body.
func (p *page) isOrdinary(n dom.Node) bool {
	const minChars, maxNext = 60, 8
	d := p.d
	for c := n; c < d.End(n); c++ {
		if t := d.Tag(c); (t == dom.Strong || t == dom.B) && d.Chars(c) == d.Chars(n) {
			return false
		}
	}
	next := d.Next(n)
	for i := 0; i < maxNext && next != dom.None; i, next = i+1, d.Next(next) {
		if d.Chars(next) >= minChars && p.looksAlike(n, next) {
			return true
		}
	}
	return d.IsText(n) // a line of a longer text
}

// looksAlike reports whether two elements, and the first ones inside them, have the same names.
func (p *page) looksAlike(a, b dom.Node) bool {
	const levels = 6
	for range levels {
		if p.d.Tag(a) != p.d.Tag(b) || p.d.Class(a) != p.d.Class(b) {
			return false
		}
		a, b = p.d.FirstChild(a), p.d.FirstChild(b)
		if a == dom.None || b == dom.None || p.d.IsText(a) || p.d.IsText(b) {
			break
		}
	}
	return true
}

// endsSentence reports whether a text ends as a sentence does. An ellipsis is no
// such end.
func endsSentence(s string) bool {
	s = strings.TrimRight(s, " \"'”’»«)]“‘")
	if _, cut := cutEllipsis(s); cut {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?。！？؟।", r)
}

// withoutByline removes a byline from the end of a standfirst: "… is back. By Ann
// Lee".
func (p *page) withoutByline(s string) string {
	const longest = 60
	tail := max(0, len(s)-longest)
	i := strings.LastIndexAny(s[tail:], ".!?")
	for ; i > 0; i = strings.LastIndexAny(s[tail:tail+i], ".!?") {
		rest := strings.TrimSpace(s[tail+i+1:])
		word, name, _ := strings.Cut(rest, " ")
		if isCertainBy(word) && name != "" && startsUpper(name) && words.Count(name, 7) < 7 {
			return s[:tail+i+1]
		}
	}
	return s
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// nameKind is what the names of an element say about a standfirst.
type nameKind uint8

const (
	otherName nameKind = iota
	generalName
	specificName
	excludedName
)

var standfirstNames = sync.OnceValue(func() (kinds [excludedName + 1]words.Set) {
	names := map[string]nameKind{"specific": specificName, "general": generalName, "excluded": excludedName}
	for line := range lines.Data(standfirstFile) {
		kind, list, _ := strings.Cut(line, " ")
		if kinds[names[kind]] == nil {
			kinds[names[kind]] = words.Set{}
		}
		maps.Copy(kinds[names[kind]], words.NewSet(list))
	}
	return kinds
})

// joined writes words such as sub-title and subTitle as one.
var joined = strings.NewReplacer("sub-", "sub", "sub_", "sub", "ubTitle", "ubtitle", "ubHead", "ubhead")

// nameKindOf returns the most certain kind of the words in a class, an id or the like.
func nameKindOf(value string) nameKind {
	value = joined.Replace(value)
	for kind := excludedName; kind > otherName; kind-- {
		if standfirstNames()[kind].IsInName(value) {
			return kind
		}
	}
	return otherName
}

// namedBox returns the element with a name for a standfirst that begins with a line of n and has up
// to maxLen bytes, and what the name says, or dom.None.
func (p *page) namedBox(n dom.Node, at, maxLen int) (dom.Node, nameKind) {
	d := p.d
	for a := n; a != dom.None && d.Tag(a) != dom.Body; a = d.Parent(a) {
		from, to := d.Span(a)
		if to-from > maxLen || strings.TrimSpace(d.AllText()[from:max(from, at)]) != "" {
			break
		}
		if kind := max(nameKindOf(d.Attr(a, "class")), nameKindOf(d.Attr(a, "id"))); kind > otherName {
			return a, kind
		}
	}
	return dom.None, otherName
}

// lineElement returns the outermost element that has exactly the line at a position of the page's
// text, or dom.None, and what the names of the elements around the line say. heading reports
// whether one of them is a heading.
func (p *page) lineElement(at, length int) (element dom.Node, kind nameKind, heading bool) {
	d, all := p.d, p.d.AllText()
	element = dom.None
	n := p.nodeAt(at)
	for a := n; a != dom.None && d.Tag(a) != dom.Body; a = d.Parent(a) {
		from, to := d.Span(a)
		if strings.TrimSpace(all[from:max(from, at)]) != "" || strings.TrimSpace(all[min(at+length, to):to]) != "" {
			break
		}
		if to >= at+length {
			element = a
		}
		switch tag := d.Tag(a); {
		case tag == dom.A, tag == dom.Figcaption, tag == dom.Li && !heading, tag == dom.Button, tag == dom.Time:
			return element, excludedName, false
		case tag.IsHeading():
			heading = true
		}
		for k, v := range d.Attrs(a) {
			if (k == "class" || k == "id" || k == "itemprop" || strings.HasPrefix(k, "data-")) && len(v) <= 200 {
				kind = max(kind, nameKindOf(v))
			}
		}
	}
	if d.InLink(n) || d.Closest(n, dom.Figure, dom.Nav, dom.Footer) != dom.None {
		kind = excludedName
	}
	return element, kind, heading
}
