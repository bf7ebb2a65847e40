package compose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
)

// DropHeadline removes the headline from the first blocks of the body.
func DropHeadline(body []article.Block, title string) []article.Block {
	const maxBlocks = 3
	want := fold(title)
	if want == "" {
		return body
	}
	for i := range body[:min(maxBlocks, len(body))] {
		if b := &body[i]; (b.Kind == article.Heading || b.Kind == article.Paragraph) && equalFolded(b.Spans, want) {
			if i == 0 {
				return body[1:]
			}
			return append(body[:i:i], body[i+1:]...)
		}
	}
	return body
}

// equalFolded reports whether the folded text of spans equals want. It stops at
// the first difference, which is early in most paragraphs.
func equalFolded(spans []article.Span, want string) bool {
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

// fold collapses white space and converts s to lower case.
func fold(s string) string { return strings.ToLower(collapseSpace(s)) }

// DropByline removes the lines with the authors or only a date from the top of
// the body. It keeps pictures among them.
func DropByline(blocks []article.Block, authors []article.Author) []article.Block {
	var media []article.Block
	for i := range blocks {
		switch b := &blocks[i]; {
		case isMedia(b):
			media = append(media, *b)
			continue
		case b.Kind == article.Paragraph && isByline(article.SpanText(b.Spans), authors):
			continue
		case len(media) == i:
			return blocks // there is no byline
		case len(media) == 0:
			return blocks[i:]
		}
		return append(media, blocks[i:]...)
	}
	return blocks // there is nothing else
}

// isByline reports whether a line names an author and hardly anything else, or is
// a date.
func isByline(line string, authors []article.Author) bool {
	const maxLen, maxOther = 120, 4 // bytes, other words
	line = strings.TrimSpace(line)
	if line == "" || len(line) > maxLen || strings.ContainsAny(line[len(line)-1:], ".!?") {
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
	return words <= maxOther && (named || digits > 0 && hasYear(line))
}

// hasYear reports whether a line contains a year from 1900 to 2099.
func hasYear(line string) bool {
	numbers := strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsDigit(r) })
	return slices.ContainsFunc(numbers, func(n string) bool {
		return len(n) == 4 && (strings.HasPrefix(n, "19") || strings.HasPrefix(n, "20"))
	})
}
