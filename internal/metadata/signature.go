package metadata

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// bylineBesideDate returns the author in the lines below the headline whose name
// stands next to the date without any other sign: "Ann Lee · 3 May 2024", or the
// name and the date in two lines.
func (p *page) bylineBesideDate(in textRange) byline {
	const maxLines, maxLine = 12, 80
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
		for part := range splitParts(line) {
			if _, date := dates.find(part); date >= 0 && date < 20 {
				if pending != "" {
					return p.oneAuthor(pending)
				}
				afterDate = true
				continue
			}
			pending = ""
			if n := p.nodeAt(at); isPlainName(part) && !p.isPublisher(part) && !p.d.InLink(n) && !p.isThirdParty(n) && !p.isTopic(part) {
				if afterDate {
					return p.oneAuthor(part)
				}
				pending = part
			}
			afterDate = false
		}
	}
	return byline{}
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

// endOfBody returns the range around the end of the body, or an empty one.
func (p *page) endOfBody() textRange {
	if p.opts.End == dom.None {
		return textRange{}
	}
	const behind, ahead = 300, 150
	_, end := p.d.Span(p.opts.End)
	return textRange{max(0, end-behind), min(len(p.d.AllText()), end+ahead)}
}

// signature returns the author whose name alone is the last line of the body, in
// bold or italic type.
func (p *page) signature() byline {
	if p.opts.End == dom.None {
		return byline{}
	}
	_, end := p.d.Span(p.opts.End)
	body := strings.TrimRight(p.d.AllText()[:end], " \n")
	line := body[strings.LastIndexByte(body, '\n')+1:]
	name := strings.Trim(line, " ()–—-")
	if !isPlainName(name) || p.isPublisher(name) {
		return byline{}
	}
	n := p.nodeAt(len(body) - len(line) + strings.Index(line, name))
	if p.d.InLink(n) || p.d.Closest(n, dom.B, dom.Strong, dom.I, dom.Em) == dom.None ||
		p.d.Closest(n, dom.H1, dom.H2, dom.H3, dom.H4, dom.H5, dom.H6) != dom.None || p.isThirdParty(n) {
		return byline{}
	}
	return p.oneAuthor(name)
}

func (p *page) oneAuthor(name string) (list byline) {
	list.add(p, &candidate{text: name}, true)
	return list
}

// isTopic reports whether a name is that of the section or a tag.
func (p *page) isTopic(name string) bool {
	key := fold(name)
	for _, what := range [...]fact{factSection, factTag} {
		for i := range p.candidates[what] {
			if strings.Contains(fold(truncate(p.candidates[what][i].text, 400)), key) {
				return true
			}
		}
	}
	return false
}

// isPlainName reports whether a text is nothing but the name of a person: two to
// four words, of which the first and the last are capitalized and not in
// capitals, and the first does not begin the name of a place or section.
func isPlainName(s string) bool {
	fields := strings.Fields(s)
	if len(fields) < 2 || len(fields) > 4 || len(s) > 40 || hasRole(s) || isGroup(s) || !looksLikeName(s) {
		return false
	}
	for i, w := range fields {
		first, n := utf8.DecodeRuneInString(w)
		low := strings.ToLower(strings.Trim(w, ".,"))
		v := bylineWords()
		if i == 0 && v.place[low] || monthOf(low) > 0 || v.button[low] || v.placeholder[low] || v.tail[low] || strings.ContainsAny(w, ",:&") {
			return false
		}
		if (i == 0 || i == len(fields)-1) && (!unicode.IsUpper(first) || !hasLower(w[n:]) && !strings.HasSuffix(w, ".")) {
			return false
		}
	}
	return true
}
