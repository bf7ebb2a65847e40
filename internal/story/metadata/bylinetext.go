package metadata

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// bylineInText returns the authors of a line such as "By Ann Lee" or "Authors Ann Lee and Bo
// Ek". The word may follow a date or stand in a line of its own, and the name may be in the
// next element. A person is preferred to a team or a login. If alone is set, as far from the
// headline, it must be certain that the line has nobody but authors.
func (p *page) bylineInText(in textRange, alone bool) (found byline) {
	const maxLine = 120 // characters
	for at, line := range in.lines(p.d) {
		if isLonger(line, maxLine) {
			var bar bool // "Posted by ann under Birds | Tags: …"
			if line, _, bar = strings.Cut(line, "|"); !bar || isLonger(line, maxLine) {
				continue
			}
		}
		var b byline
		if name, ok := afterBy(line); ok {
			b = p.namesAfterBy(p.nodeAt(at), line, name)
		} else {
			b = p.namesAfterLabel(at, line)
		}
		if b.isEmpty() || alone && !b.alone {
			continue
		}
		switch b.node = p.nodeAt(at); {
		case b.persons > 0:
			return b
		case found.isEmpty() || b.full > found.full:
			found = b
		}
	}
	return found
}

// namesAfterBy returns the authors in a line with "by", of which name is what follows the
// word. If nothing follows, they are in the next nodes.
func (p *page) namesAfterBy(n dom.Node, line, name string) (list byline) {
	if p.d.InLink(n) && !linksToName(p.linkIn(n), name) && !(name == "" && strings.HasSuffix(line, ":")) ||
		p.d.Closest(n, dom.Nav, dom.Footer) != dom.None || p.isThirdParty(n) {
		return list // "By product" and "By topic" are menu items
	}
	if name != "" {
		list.add(p, &candidate{text: cutAfterNames(name)}, true)
	}
	if list.full == 0 && isCertainBy(strings.TrimSpace(p.d.Text(n))) {
		list = byline{}
		p.readNames(n+1, p.within(n), &list, true)
	}
	if list.full+len(list.publishers) > 0 || len(list.authors) > 0 && name == "" {
		// "Ann Lee and Bo Ek", but not "Ann Lee, Coast Wire"
		list.alone = list.persons > 0 && list.persons == len(list.authors) && (list.full == 1 || !strings.Contains(name, ","))
		return list
	}
	return p.loginAfterBy(n, name)
}

// namesAfterLabel returns the names in a line that consists of a label and names, or below a
// label in a line of its own.
func (p *page) namesAfterLabel(at int, line string) (list byline) {
	const maxLabel = 64 // bytes
	const maxListed = 5 // below "Authors"; more are those of the site
	label, rest, _ := strings.Cut(line, " ")
	switch {
	case len(line) <= maxLabel && isKind(trimWord(line), labelWord):
		n := p.nodeAt(at)
		p.readNames(n+1, p.within(n), &list, true)
	case isKind(label, labelWord) && rest != "" && plainNames(rest) == rest:
		list.add(p, &candidate{text: rest}, true)
	}
	if list.persons == 0 || list.persons < len(list.authors) || list.persons > maxListed {
		return byline{}
	}
	list.alone = true
	return list
}

// linksToName reports whether an address has the last word of a name, as the pages of authors
// have.
func linksToName(href, name string) bool {
	last := foldAccents(name[strings.LastIndexByte(name, ' ')+1:])
	return len(last) > 2 && strings.Contains(name, " ") && strings.Contains(foldAccents(href), last)
}

// readNames adds the names in the text nodes from n to end, which are separated by commas or
// "and". If expected is not set, such a separator comes first, and only full names of persons
// are added. Otherwise each may be an item of a list.
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
		var more byline
		more.add(p, &candidate{text: text, url: p.linkIn(n)}, true)
		if len(more.authors) == 0 || (personsOnly || !expected) && more.persons < len(more.authors) {
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

// endOfBody returns the range around the end of the body, or an empty one.
func (p *page) endOfBody() textRange {
	if p.opts.End == dom.None {
		return textRange{}
	}
	const behind, ahead = 300, 150
	_, end := p.d.Span(p.opts.End)
	return textRange{max(0, end-behind), min(len(p.d.AllText()), end+ahead)}
}

// bylineBesideDate returns the authors in the lines below the headline whose names stand next
// to the date without any other sign: "Ann Lee · 3 May 2024", or the names and the date in two
// lines. In the line above the headline the date comes first, since a name before it may be
// that of the section.
func (p *page) bylineBesideDate(before, after textRange) byline {
	if list := p.besideDate(after); list.persons > 0 {
		return list
	}
	before.from += strings.LastIndexByte(strings.TrimRight(p.d.AllText()[before.from:before.to], " \n"), '\n') + 1
	if _, at := (&dateParser{}).find(p.d.AllText()[before.from:before.to]); at != 0 {
		return byline{}
	}
	return p.besideDate(before)
}

// besideDate is bylineBesideDate for the lines of a range.
func (p *page) besideDate(in textRange) (found byline) {
	const maxLines, maxLine = 12, 120
	dates := &dateParser{}
	pending, afterDate, seen := "", false, 0
	for at, line := range in.lines(p.d) {
		if seen++; seen > maxLines {
			break
		}
		if len(line) > maxLine {
			pending, afterDate = "", false
			continue
		}
		n := p.nodeAt(at)
		for part := range splitParts(line) {
			_, date := dates.find(part)
			isDate := date >= 0 && date < 20
			names := plainNames(trimBy(part))
			if isDate { // which may be an element before the names
				names = plainNames(strings.TrimSpace(part[strings.LastIndexAny(part, "0123456789")+1:]))
				afterDate = afterDate || names != ""
			}
			if names != "" && (p.isPublisher(names) || p.d.InLink(n) || p.isThirdParty(n)) {
				names = ""
			}
			switch {
			case isDate && pending != "":
				names = pending
			case names == "" && hasRole(part): // "Ann Lee | Staff writer | 3 May 2024"
				continue
			case !afterDate || names == "":
				pending, afterDate = names, isDate
				continue
			}
			found.add(p, &candidate{text: names}, true)
			found.node = n
			return found
		}
	}
	return found
}

// splitParts iterates over the parts of a line between bars, dots and dashes.
func splitParts(line string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, dash := range [...]string{" - ", " – ", " — "} {
			line = strings.ReplaceAll(line, dash, "|")
		}
		for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune("|·•●∙", r) }) {
			if part = strings.TrimSpace(part); part != "" && !yield(part) {
				return
			}
		}
	}
}
