package compose

import (
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
)

// promoteBoldLines turns lines in bold type into sub-headings, where a page has no
// other sub-headings: short lines that do not end like a sentence, each between
// two paragraphs.
func promoteBoldLines(blocks []article.Block) {
	const level = 2
	for i := range blocks {
		if blocks[i].Kind == article.Heading {
			return
		}
	}
	last := -1 // text before
	for i := range blocks {
		b := &blocks[i]
		if isMedia(b) {
			continue
		}
		if b.Kind == article.Paragraph && last >= 0 && blocks[last].Kind != article.Heading && isBoldLine(b.Spans) && isFollowedByText(blocks[i+1:]) {
			b.Kind, b.Level = article.Heading, level
			for j := range b.Spans {
				b.Spans[j].Mark &^= article.Strong
			}
		}
		last = i
	}
}

// isBoldLine reports whether a line is in bold type, and short and without an end
// as headings are.
func isBoldLine(spans []article.Span) bool {
	const maxLen, minLen, maxWords = 100, 4, 12
	n := 0
	for _, s := range spans {
		if n += len(s.Text); n > maxLen || s.Href != "" || s.Mark&article.Strong == 0 && strings.TrimSpace(s.Text) != "" || strings.Contains(s.Text, "\n") {
			return false
		}
	}
	text, words := article.SpanText(spans), 0
	for range strings.FieldsSeq(text) {
		words++
	}
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, "\"'”’»«“‘)]」』"))
	return n >= minLen && words <= maxWords && beginsSentence(text) && !strings.ContainsRune(".!?:;,…。！？：；，、؟।-–—*", end)
}

// isFollowedByText reports whether a paragraph that is not a bold line comes next.
func isFollowedByText(blocks []article.Block) bool {
	const minLen = 40 // bytes
	for i := range blocks {
		b := &blocks[i]
		if isMedia(b) {
			continue
		}
		n, strong := 0, true
		for _, s := range b.Spans {
			n += len(s.Text)
			strong = strong && s.Mark&article.Strong != 0
		}
		return b.Kind == article.List || b.Kind == article.Paragraph && !strong && n >= minLen
	}
	return false
}
