package compose

import (
	"strings"

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
		if b := &body[i]; (b.Kind == article.Heading || b.Kind == article.Paragraph) && fold(article.Plain(b.Spans)) == want {
			return append(body[:i:i], body[i+1:]...)
		}
	}
	return body
}

func fold(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}
