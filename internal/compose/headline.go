package compose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
)

// DropHeadline takes the headline off the top of the body, where pages repeat
// it: it is the title of the article and no part of its text.
func DropHeadline(body []article.Block, title string) []article.Block {
	const top = 3
	want := fold(title)
	if want == "" {
		return body
	}
	for i := range body[:min(top, len(body))] {
		if b := &body[i]; (b.Kind == article.Heading || b.Kind == article.Paragraph) && says(b.Spans, want) {
			if i == 0 {
				return body[1:]
			}
			return append(body[:i:i], body[i+1:]...)
		}
	}
	return body
}

// says reports whether spans say the same as a folded text. It stops at the
// first letter that differs, which most paragraphs have early.
func says(spans []article.Span, want string) bool {
	gap, begun := false, false
	for _, s := range spans {
		for _, r := range s.Text {
			if unicode.IsSpace(r) {
				gap = begun
				continue
			}
			if gap {
				if !strings.HasPrefix(want, " ") {
					return false
				}
				want = want[1:]
			}
			gap, begun = false, true
			w, n := utf8.DecodeRuneInString(want)
			if n == 0 || w != unicode.ToLower(r) {
				return false
			}
			want = want[n:]
		}
	}
	return want == ""
}

// fold makes every run of white space one space and all letters small.
func fold(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

// DropByline takes the lines that name the authors, or tell the day and nothing
// else, off the top of a story. Pictures among them stay.
func DropByline(blocks []article.Block, authors []article.Author) []article.Block {
	var shown []article.Block
	for i := range blocks {
		switch b := &blocks[i]; {
		case isShown(b):
			shown = append(shown, *b)
			continue
		case b.Kind == article.Paragraph && isByline(article.SpanText(b.Spans), authors):
			continue
		case len(shown) == i:
			return blocks // nothing went
		case len(shown) == 0:
			return blocks[i:]
		}
		return append(shown, blocks[i:]...)
	}
	return blocks // a story of nothing else is left as it is
}

// isByline reports whether a line names an author, with hardly anything else, or
// is a date.
func isByline(line string, authors []article.Author) bool {
	const long, rest = 120, 4 // bytes, words
	line = strings.TrimSpace(line)
	if line == "" || len(line) > long || strings.ContainsAny(line[len(line)-1:], ".!?") {
		return false
	}
	left := strings.ToLower(line)
	named := false
	for _, a := range authors {
		if name := strings.ToLower(a.Name); name != "" && strings.Contains(left, name) {
			left, named = strings.ReplaceAll(left, name, " "), true
		}
	}
	words, digits := 0, 0
	for _, w := range strings.FieldsFunc(left, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if strings.ContainsFunc(w, unicode.IsDigit) {
			digits++
		} else {
			words++
		}
	}
	return words <= rest && (named || digits > 0 && hasYear(line))
}

// hasYear looks for four digits that are a year of our time, by themselves.
func hasYear(line string) bool {
	for _, w := range strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsDigit(r) }) {
		if len(w) == 4 && (strings.HasPrefix(w, "19") || strings.HasPrefix(w, "20")) {
			return true
		}
	}
	return false
}
