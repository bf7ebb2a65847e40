package metadata

import (
	"regexp"
	"strings"

	"github.com/lede-news/lede/dom"
)

// bylineInText returns the authors of a line such as "By Ann Lee" or "Authors Ann Lee and Bo
// Ek". The word may follow a date or stand in a line of its own, and the name may be in the
// next element. If alone is set, as far from the headline, it must be certain that the line has
// nobody but authors.
func (p *page) bylineInText(in textRange, alone bool) byline {
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
		if b.isEmpty() || alone && (b.persons == 0 || b.persons < len(b.authors) || b.persons > 1 && strings.Contains(line, ",")) {
			continue // "Ann Lee and Bo Ek", but not "Ann Lee, Coast Wire"
		}
		b.node = p.nodeAt(at)
		return b
	}
	return byline{}
}

// namesAfterBy returns the authors in a line with "by", of which name is what follows the
// word. If nothing follows, they are in the next nodes.
func (p *page) namesAfterBy(n dom.Node, line, name string) (list byline) {
	if p.d.InLink(n) && !(name == "" && strings.HasSuffix(line, ":")) || p.d.Closest(n, dom.Nav, dom.Footer) != dom.None ||
		p.isThirdParty(n) {
		return list // "By product" and "By topic" are menu items
	}
	if name != "" {
		list.add(p, &candidate{text: cutAfterNames(name)}, true)
	}
	if list.full == 0 && isCertainBy(strings.TrimSpace(p.d.Text(n))) {
		list = byline{}
		p.readNames(n+1, dom.Node(p.d.Len()), &list, true)
	}
	if list.full+len(list.publishers) > 0 || len(list.authors) > 0 && name == "" {
		return list
	}
	return loginAfterBy(name)
}

// namesAfterLabel returns the names in a line that consists of a label and names, or below a
// label in a line of its own. at is the position of the line.
func (p *page) namesAfterLabel(at int, line string) (list byline) {
	label, rest, _ := strings.Cut(line, " ")
	whole := trimWord(line)
	switch {
	case !isKind(whole[:phraseEnd(whole, 0)], firstWord): // most lines
	case isKind(whole, labelWord):
		p.readNames(p.nodeAt(at)+1, dom.Node(p.d.Len()), &list, true)
	case isKind(label, labelWord) && rest != "" && plainNames(rest) == rest:
		list.add(p, &candidate{text: rest}, true)
	}
	if list.persons < len(list.authors) {
		return byline{}
	}
	return list
}

// readNames adds the names in the text nodes from n to end, which are separated by commas or
// "and". If expected is not set, such a separator comes first, and only full names of persons
// are added.
func (p *page) readNames(n, end dom.Node, list *byline, expected bool) {
	const reach, maxNames = 48, 12
	personsOnly := !expected
	for end = min(end, n+reach); n < end && len(list.authors) < maxNames; n++ {
		text := strings.TrimSpace(p.d.Text(n))
		switch {
		case !p.d.IsText(n) || text == "":
			continue
		case isConjunction(text):
			expected = expected || strings.Trim(text, "/|") != ""
			continue
		case !expected || !personsOnly && p.d.Closest(n, dom.Li) != dom.None:
			return // after a label, a list has the authors of the site
		}
		var more byline
		more.add(p, &candidate{text: text, url: p.linkIn(n)}, true)
		if len(more.authors) == 0 || personsOnly && more.persons < len(more.authors) {
			return
		}
		list.merge(more)
		expected = false
	}
}

// isConjunction reports whether a text only separates two names.
func isConjunction(s string) bool {
	s = strings.Trim(s, " ,;&/|")
	return s == "" || isKind(s, andWord)
}

// endOfBody returns the range around the end of the body, so many bytes behind and ahead of it,
// or an empty one.
func (p *page) endOfBody(behind, ahead int) textRange {
	if p.opts.End == dom.None {
		return textRange{}
	}
	_, end := p.d.Span(p.opts.End)
	return textRange{max(0, end-behind), min(len(p.d.AllText()), end+ahead)}
}

// bylineBesideDate returns the authors in the lines below the headline whose names stand next
// to the date without any other sign: "Ann Lee · 3 May 2024", or the names and the date in two
// lines.
func (p *page) bylineBesideDate(in textRange) (found byline) {
	const maxLines, maxLine = 12, 120
	dates := &dateParser{}
	lastNames, lastIsDate, seen := "", false, 0
	for at, line := range in.lines(p.d) {
		if seen++; seen > maxLines {
			break
		}
		if len(line) > maxLine {
			lastNames, lastIsDate = "", false
			continue
		}
		n := p.nodeAt(at)
		for _, part := range partSeparator.Split(line, -1) {
			_, date := dates.find(part)
			isDate := date >= 0 && date < 20
			names := part
			if isDate { // which may be an element before the names
				names = part[strings.LastIndexAny(part, "0123456789")+1:]
			}
			names = plainNames(trimBy(strings.TrimSpace(names)))
			if names != "" && (p.isPublisher(names) || p.d.InLink(n) || p.isThirdParty(n)) {
				names = ""
			}
			switch {
			case isDate && lastNames != "":
				names = lastNames
			case names == "" && (hasRole(part) || strings.TrimSpace(part) == ""):
				continue // "Ann Lee | Staff writer | 3 May 2024"
			case names == "" || !isDate && !lastIsDate:
				lastNames, lastIsDate = names, isDate
				continue
			}
			found.add(p, &candidate{text: names}, true)
			found.node = n
			return found
		}
	}
	return found
}

// partSeparator stands between the parts of a line: a bar, a dot or a dash.
var partSeparator = regexp.MustCompile(`[|·•●∙]| [-–—] `)
