package metadata

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// bylineBesideDate returns the authors in the lines below the headline whose
// names stand next to the date without any other sign: "Ann Lee · 3 May 2024", or
// the names and the date in two lines or elements. In the line above the headline
// the date comes first, since a name before it may be that of the section.
func (p *page) bylineBesideDate(before, after textRange) byline {
	for _, perNode := range [...]bool{true, false} {
		if list := p.besideDate(after, perNode); list.persons > 0 {
			return list
		}
	}
	before.from += strings.LastIndexByte(strings.TrimRight(p.d.AllText()[before.from:before.to], " \n"), '\n') + 1
	if _, at := (&dateParser{}).find(p.d.AllText()[before.from:before.to]); at != 0 {
		return byline{}
	}
	return p.besideDate(before, true)
}

// besideDate is bylineBesideDate for the lines of a range, or for its text nodes.
func (p *page) besideDate(in textRange, perNode bool) (found byline) {
	const maxLines, maxLine = 12, 120
	dates := &dateParser{}
	pending, afterDate, seen := "", false, 0
	read := func(n dom.Node, text string) bool {
		for part := range splitParts(text) {
			if _, date := dates.find(part); date >= 0 && date < 20 {
				if pending != "" {
					found = p.authorsIn(pending)
					return false
				}
				afterDate = true
				continue
			}
			pending = ""
			if names := plainNames(part); names != "" && !p.isPublisher(names) && !p.d.InLink(n) && !p.isThirdParty(n) && !p.isTopic(names) {
				if afterDate {
					found = p.authorsIn(names)
					return false
				}
				pending = names
			}
			afterDate = false
		}
		return true
	}
	for at, line := range in.lines(p.d) {
		if seen++; seen > maxLines {
			break
		}
		if len(line) > maxLine {
			pending, afterDate = "", false
			continue
		}
		n := p.nodeAt(at)
		if !perNode {
			if !read(n, line) {
				break
			}
			continue
		}
		for end := at + len(line); int(n) < p.d.Len(); n++ {
			from, to := p.d.Span(n)
			if from >= end {
				break
			}
			if p.d.IsText(n) && from < to && !read(n, p.d.Text(n)) {
				return found
			}
		}
		pending, afterDate = "", false // lines are read as a whole later
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

// endOfBody returns the range around the end of the body, or an empty one.
func (p *page) endOfBody() textRange {
	if p.opts.End == dom.None {
		return textRange{}
	}
	const behind, ahead = 300, 150
	_, end := p.d.Span(p.opts.End)
	return textRange{max(0, end-behind), min(len(p.d.AllText()), end+ahead)}
}

// signatureInParentheses returns the author whose name in parentheses ends the
// body: "… say the gulls. (Ann Lee)".
func (p *page) signatureInParentheses() byline {
	if p.opts.End == dom.None {
		return byline{}
	}
	_, end := p.d.Span(p.opts.End)
	body, ok := strings.CutSuffix(strings.TrimRight(p.d.AllText()[:end], " \n+*"), ")")
	open := strings.LastIndexByte(body, '(')
	if !ok || open < 0 || !isPlainName(body[open+1:]) || p.isPublisher(body[open+1:]) {
		return byline{}
	}
	return p.authorsIn(body[open+1:])
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
	return p.authorsIn(name)
}

func (p *page) authorsIn(names string) (list byline) {
	list.add(p, &candidate{text: names}, true)
	return list
}

// plainNames returns the names of persons that a text consists of, but for what
// may stand after names: "Ann Lee and Bo Ek" for "Ann Lee and Bo Ek in Opinion".
// It is empty for other texts.
func plainNames(s string) string {
	names := cutBefore(s, func(word, rest string) bool {
		r, _ := utf8.DecodeRuneInString(word)
		return unicode.IsLower(r) && !isNameParticle(word) && bylineWords().kinds(word, andWord) == 0
	})
	if len(names) < len(s) && !startsAfterName(strings.TrimLeft(s[len(names):], " ,")) {
		return ""
	}
	var room [8]string
	list := splitList(room[:0], names)
	if !isNameList(names, len(list)) || slices.ContainsFunc(list, func(name string) bool { return !isPlainName(name) }) {
		return ""
	}
	return names
}

// isNameList reports whether n names in a text are those of persons. Of two that
// only a comma separates, the second may be a place or a company.
func isNameList(s string, n int) bool {
	if n != 2 {
		return true
	}
	for w := range strings.FieldsSeq(s) {
		if isKind(w, andWord) {
			return true
		}
	}
	return false
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
	const minWords, maxWords, maxLen = 2, 4, 40
	if len(s) > maxLen {
		return false
	}
	count := countFields(s)
	if count < minWords || count > maxWords {
		return false
	}
	v, i := bylineWords(), 0
	for w := range strings.FieldsSeq(s) {
		first, n := utf8.DecodeRuneInString(w)
		if (i == 0 || i == count-1) && (!unicode.IsUpper(first) || !hasLower(w[n:]) && !strings.HasSuffix(w, ".")) || strings.ContainsAny(w, ",:&") {
			return false
		}
		not := buttonWord | placeholderWord | tailWord
		if i == 0 {
			not |= placeWord
		}
		if bare := strings.Trim(w, ".,"); v.foldedKinds(bare, not) != 0 || monthOf(bare) > 0 {
			return false
		}
		i++
	}
	return looksLikeName(s) && !isGroup(s) && !hasRole(s)
}
