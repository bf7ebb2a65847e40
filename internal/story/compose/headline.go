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
	Title       string
	OtherTitles []string // other versions of the title
	Standfirst  string
	Authors     []article.Author
}

// DropTop removes what repeats the header: the headline, the byline and a line with the date
// from the top of the body, and the standfirst, which a page may show twice. It also removes
// headings of other stories.
func DropTop(body Body, h Header) Body {
	body = DropHeadline(body, h.Title)
	body = dropOtherHeadlines(body, h.OtherTitles)
	body = dropStandfirst(body, h.Standfirst)
	return dropTeasers(DropByline(body, h.Authors))
}

// dropStandfirst removes the lines that are the standfirst.
func dropStandfirst(body Body, standfirst string) Body {
	want := words.Fold(standfirst)
	if want == "" {
		return body
	}
	return slices.DeleteFunc(slices.Clone(body), func(b Block) bool {
		return (b.Kind == article.Paragraph || b.Kind == article.Heading) && b.fold(2*len(standfirst)) == want
	})
}

// dropTeasers removes headings that are links and have no text below them: those of other
// stories. (Headings on fundus-publishers: F1 .9518 without it, .9545 with it.) If they are much
// of the body, it is a list of stories.
func dropTeasers(body Body) Body {
	const most = 0.1                                // of the bytes
	out, hasText := make(Body, 0, len(body)), false // out is in reverse order
	all, teasers := 0, 0
	for i := len(body) - 1; i >= 0; i-- {
		b := &body[i]
		length, _ := measureSpans(b.Spans)
		all += length
		if b.Kind == article.Heading && !hasText && isLink(b.Spans) {
			teasers += length
			continue
		}
		if !isMedia(&b.Block) {
			hasText = b.Kind != article.Heading
		}
		out = append(out, *b)
	}
	if float64(teasers) > most*float64(all) {
		return body
	}
	slices.Reverse(out)
	return out
}

// isLink reports whether all of a line is a link.
func isLink(spans []article.Span) bool {
	return !slices.ContainsFunc(spans, func(s article.Span) bool { return s.Href == "" && strings.TrimSpace(s.Text) != "" })
}

// maxTop is the number of blocks of text at the top of the body that may repeat
// the header.
const maxTop = 3

// DropHeadline removes the headline from the first blocks of the body. A heading
// may have a kicker before the title.
func DropHeadline(body Body, title string) Body {
	want := words.Fold(title)
	i := findTop(body, func(b *Block) bool {
		line := b.fold(4 * len(title))
		return want != "" && (line == want || b.Kind == article.Heading && hasKicker(line, want))
	})
	if i < 0 {
		return body
	}
	return drop(body, i)
}

// findTop returns the first line at the top of the body for which is is true, or -1.
func findTop(body Body, is func(*Block) bool) int {
	text := 0
	for i := 0; i < len(body) && text < maxTop; i++ {
		b := &body[i]
		if isMedia(&b.Block) {
			continue
		}
		text++
		if (b.Kind == article.Heading || b.Kind == article.Paragraph) && is(b) {
			return i
		}
	}
	return -1
}

// drop removes a block without changing the others.
func drop(body Body, i int) Body { return append(body[:i:i], body[i+1:]...) }

// fold returns the folded text of a line, or "" if it is longer than limit bytes.
func (b *Block) fold(limit int) string {
	if length, _ := measureSpans(b.Spans); length > limit {
		return ""
	}
	return words.Fold(article.SpanText(b.Spans))
}

// hasKicker reports whether a folded heading is a title, perhaps after a kicker
// that is not much longer.
func hasKicker(heading, title string) bool {
	const minTitle = 12 // bytes
	return heading == title || len(title) >= minTitle && len(heading) <= 3*len(title) && strings.HasSuffix(heading, title)
}

// dropOtherHeadlines removes headings above the first paragraph that are other versions of the
// headline, which the page declares.
func dropOtherHeadlines(body Body, titles []string) Body {
	const maxHeadline = 600 // bytes
	for i := 0; i < len(body) && (isMedia(&body[i].Block) || body[i].Kind == article.Heading); {
		line := body[i].fold(maxHeadline)
		other := slices.ContainsFunc(titles, func(t string) bool {
			t = words.Fold(t)
			return t != "" && hasKicker(line, t)
		})
		if body[i].Kind == article.Heading && other {
			body = drop(body, i)
		} else {
			i++
		}
	}
	return body
}

// DropByline removes the lines with the authors or only a date from the top of
// the body. It keeps pictures among them.
func DropByline(body Body, authors []article.Author) Body {
	var out Body
	for i := range body {
		switch b := &body[i]; {
		case isMedia(&b.Block):
			out = append(out, *b)
		case b.Kind != article.Paragraph || !isByline(article.SpanText(b.Spans), authors):
			return append(out, body[i:]...)
		}
	}
	return body // there is nothing else
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
