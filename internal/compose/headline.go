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
