package compose

import (
	"slices"
	"strings"
	"unicode"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/words"
)

// Header is what stands above the body of an article.
type Header struct {
	Title      string
	Standfirst string
	Authors    []article.Author
}

// DropTop removes what repeats the header: the headline, the byline and a line with the date
// from the top of the body, and the standfirst, which a page may show twice. It changes the body.
func DropTop(body Body, h Header) Body {
	body = DropHeadline(body, h.Title)
	body = dropStandfirst(body, h.Standfirst)
	return dropByline(body, h.Authors)
}

// dropStandfirst removes the lines that are the standfirst.
func dropStandfirst(body Body, standfirst string) Body {
	want := words.Fold(standfirst)
	if want == "" {
		return body
	}
	return body.without(func(b *article.Block) bool {
		return (b.Kind == article.Paragraph || b.Kind == article.Heading) && isLine(b.Spans, want)
	})
}

// DropHeadline removes the headline from the first blocks of the body. A heading
// may have a kicker before the title.
func DropHeadline(body Body, title string) Body {
	const maxTop = 3 // blocks of text
	want := words.Fold(title)
	texts, found := 0, want == ""
	return body.without(func(b *article.Block) bool {
		if found || texts == maxTop || isMedia(b) {
			return false
		}
		texts++
		line := ""
		if b.Kind == article.Heading || b.Kind == article.Paragraph {
			line = fold(b.Spans, 4*len(title))
		}
		found = line == want || b.Kind == article.Heading && hasKicker(line, want)
		return found
	})
}

// isLine reports whether the folded text of a line is want. Most others differ in length.
func isLine(line []article.Span, want string) bool {
	length, _ := measureSpans(line)
	return length >= len(want) && fold(line, 2*len(want)) == want
}

// fold returns the folded text of a line, or "" if it is longer than limit bytes.
func fold(line []article.Span, limit int) string {
	if length, _ := measureSpans(line); length > limit {
		return ""
	}
	return words.Fold(article.SpanText(line))
}

// hasKicker reports whether a folded heading is a title, perhaps after a kicker
// that is not much longer.
func hasKicker(heading, title string) bool {
	const minTitle = 12 // bytes
	return heading == title || len(title) >= minTitle && len(heading) <= 3*len(title) && strings.HasSuffix(heading, title)
}

// dropByline removes the lines with the authors or only a date from the top of
// the body. It keeps pictures among them.
func dropByline(body Body, authors []article.Author) Body {
	end := slices.IndexFunc(body.blocks, func(b article.Block) bool {
		return !isMedia(&b) && (b.Kind != article.Paragraph || !isByline(article.SpanText(b.Spans), authors))
	})
	if end < 0 { // there is nothing else
		return body
	}
	i := -1
	return body.without(func(b *article.Block) bool {
		i++
		return i < end && !isMedia(b)
	})
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
	others, year := 0, false
	for w := range strings.FieldsFuncSeq(left, func(r rune) bool { return !words.IsWord(r) }) {
		if !strings.ContainsFunc(w, unicode.IsDigit) {
			others++
		}
	}
	for n := range strings.FieldsFuncSeq(line, func(r rune) bool { return !unicode.IsDigit(r) }) {
		year = year || len(n) == 4 && (strings.HasPrefix(n, "19") || strings.HasPrefix(n, "20"))
	}
	return others <= maxOther && (named || year)
}
