package metadata

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

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

// bylineMode is what counts as a byline in the text.
type bylineMode uint8

const (
	withColons bylineMode = iota // full names after a word and a colon: "Author: Ann Lee"
	strict                       // full names after a word such as "by"
	withLabels                   // and below a label such as "Author"
	withLogins                   // and single words in lower case
)

// bylineInText returns the authors of a line such as "By Ann Lee". The word may
// follow a date, and the name may be in the next element.
func (p *page) bylineInText(in textRange, m bylineMode) byline {
	var group byline                  // of a team, if there is no person
	const maxLine, maxLabel = 120, 64 // characters; bytes
	const maxListed = 5               // below "Authors"; more are those of the site
	for at, line := range in.lines(p.d) {
		if isLonger(line, maxLine) {
			var bar bool // "Posted by ann under Birds | Tags: …"
			if line, _, bar = strings.Cut(line, "|"); !bar || isLonger(line, maxLine) {
				continue
			}
		}
		if m == withColons && !strings.Contains(line, ":") {
			continue
		}
		name, ok := afterBy(line)
		label := !ok && m >= withLabels && len(line) <= maxLabel && isKind(trimWord(line), labelWord)
		if !ok && !label && m >= withLabels {
			name, ok = namesAfterLabel(line)
		}
		if !ok && !label || m == withColons && !strings.HasSuffix(strings.TrimRight(line[:strings.LastIndex(line, name)], " "), ":") {
			continue
		}
		n := p.nodeAt(at)
		if label {
			var list byline
			if p.readNames(n+1, p.within(n), &list, true); list.persons > 0 && list.persons == len(list.authors) && list.persons <= maxListed {
				list.alone = true
				return list
			}
			continue
		}
		if p.d.InLink(n) && !linksToName(p.linkAt(n), name) && !(name == "" && strings.HasSuffix(line, ":")) || p.d.Closest(n, dom.Nav, dom.Footer, dom.Figure) != dom.None {
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
			// "Ann Lee and Bo Ek", but not "Ann Lee, Coast Wire"
			list.alone = list.persons == len(list.authors) && list.full == list.persons && (list.full == 1 || !strings.Contains(name, ","))
			if list.persons > 0 || list.full == 0 {
				return list
			}
			if group.isEmpty() {
				group = list
			}
			continue
		}
		if m >= withLogins && group.isEmpty() {
			if list := p.loginAfterBy(n, name); len(list.authors) > 0 {
				return list
			}
		}
	}
	return group
}

// namesAfterLabel returns the names in a line that consists of them and a label:
// "Authors Ann Lee and Bo Ek".
func namesAfterLabel(line string) (names string, ok bool) {
	const longest = 24 // bytes, of a label
	label, rest, _ := strings.Cut(line, " ")
	if rest == "" || len(label) > longest || !isKind(label, labelWord) {
		return "", false
	}
	names = plainNames(rest)
	return names, names != "" && names == rest
}

// namesAfterBy returns the names in the text nodes after "by": links, separated
// by commas or "and".
func (p *page) namesAfterBy(n dom.Node) (list byline) {
	if isCertainBy(strings.TrimSpace(p.d.Text(n))) {
		p.readNames(n+1, p.within(n), &list, true)
	}
	return list
}

// linksToName reports whether an address has the last word of a name, as the
// pages of authors have.
func linksToName(href, name string) bool {
	last := foldAccents(name[strings.LastIndexByte(name, ' ')+1:])
	return len(last) > 2 && strings.Contains(name, " ") && strings.Contains(foldAccents(href), last)
}

// startsAfterName reports whether a text begins with what stands after the name
// in a byline: a separator, a date, or a word for the time or the section.
func startsAfterName(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	switch strings.ToLower(word) {
	case "|", "·", "•", "-", "–", "—", "/", "@", "on", "in", "at", "under", "am", "um", "unter", "le", "à", "dans", "el", "en", "il", "op", "den", "kl", "i", "w":
		return true
	}
	return hasDigit(word) || isKind(word, tailWord)
}

// readNames adds the names in the text nodes from n to end, which are separated
// by commas or "and". If expected is not set, such a separator comes first, and
// only full names of persons are added. Otherwise each may be an item of a list.
func (p *page) readNames(n, end dom.Node, list *byline, expected bool) {
	const maxNames = 12
	personsOnly, start := !expected, len(list.authors)
	items := dom.None // the list of the last name
	for ; n < end && len(list.authors)-start < maxNames; n++ {
		if !p.d.IsText(n) || p.d.Chars(n) == 0 {
			continue
		}
		text := strings.TrimSpace(p.d.Text(n))
		if isConjunction(text) {
			expected = expected || strings.Trim(text, "/|") != ""
			continue
		}
		in := dom.None
		if item := p.d.Closest(n, dom.Li); item != dom.None && !personsOnly {
			in = p.d.Parent(item)
		}
		if !expected && (in == dom.None || in != items) {
			return
		}
		items = in
		c := candidate{text: text, url: p.linkAt(n)}
		var more byline
		if more.add(p, &c, true); len(more.authors) == 0 || (personsOnly || !expected) && more.persons < len(more.authors) {
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
	return s == "" || isKind(s, andWord)
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
