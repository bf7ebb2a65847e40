package compose

import (
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/words"
)

// promoteBoldLines turns lines in bold type into sub-headings, where a page has no
// other sub-headings: short lines that do not end like a sentence, each between
// two paragraphs.
func promoteBoldLines(body []article.Block) {
	const level, minNext = 2, 40
	var texts []*article.Block
	for i := range body {
		if body[i].Kind == article.Heading {
			return
		}
		if !isMedia(&body[i]) {
			texts = append(texts, &body[i])
		}
	}
	for i := 1; i < len(texts)-1; i++ {
		b, next := texts[i], texts[i+1]
		if b.Kind != article.Paragraph || texts[i-1].Kind == article.Heading || !isBoldLine(b.Spans) {
			continue
		}
		length, strong := measureSpans(next.Spans)
		if next.Kind == article.List || next.Kind == article.Paragraph && strong < length && length >= minNext {
			b.Kind, b.Level = article.Heading, level
			for j := range b.Spans {
				b.Spans[j].Mark &^= article.Strong
			}
		}
	}
}

// measureSpans returns the length of a line in bytes, and that of its bold type.
func measureSpans(spans []article.Span) (length, strong int) {
	for _, s := range spans {
		length += len(s.Text)
		if s.Mark&article.Strong != 0 || strings.TrimSpace(s.Text) == "" {
			strong += len(s.Text)
		}
	}
	return length, strong
}

// isBoldLine reports whether a line is in bold type, and short and without an end
// as headings are.
func isBoldLine(spans []article.Span) bool {
	const maxLen, minLen, maxWords = 100, 4, 12
	length, strong := measureSpans(spans)
	if length < minLen || length > maxLen || strong < length {
		return false
	}
	for _, s := range spans {
		if s.Href != "" || strings.Contains(s.Text, "\n") {
			return false
		}
	}
	text := article.SpanText(spans)
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, "\"'”’»«“‘)]」』"))
	return words.Count(text, maxWords+1) <= maxWords && beginsSentence(text) && !strings.ContainsRune(".!?:;,…。！？：；，、؟।-–—*", end)
}
