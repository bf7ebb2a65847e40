package compose

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
)

// Header is what stands above the body of an article.
type Header struct {
	Title       string
	OtherTitles []string // other versions of the title
	Standfirst  string
	Authors     []article.Author
}

// DropTop removes what repeats the header from the top of the body: the headline,
// the byline and a line with the date. A standfirst that the page marks as a
// heading becomes a paragraph, and headings above it are dropped: they are another
// version of the headline, or a kicker.
func DropTop(body []article.Block, h Header) []article.Block {
	body = DropHeadline(body, h.Title)
	body = dropOtherHeadlines(body, h)
	return DropByline(body, h.Authors)
}

// maxTop is the number of blocks of text at the top of the body that may repeat
// the header.
const maxTop = 3

// DropHeadline removes the headline from the first blocks of the body. A heading
// may have a kicker before the title.
func DropHeadline(body []article.Block, title string) []article.Block {
	var room, lineRoom [foldRoom]byte
	want, line := appendFolded(room[:0], title), lineRoom[:0]
	text := 0
	for i := 0; i < len(body) && text < maxTop && len(want) > 0; i++ {
		b := &body[i]
		if isMedia(b) {
			continue
		}
		text++
		if b.Kind != article.Heading && b.Kind != article.Paragraph {
			continue
		}
		line = foldSpans(line, b.Spans, 4*len(title))
		if bytes.Equal(line, want) || b.Kind == article.Heading && hasKicker(line, want) {
			return drop(body, i)
		}
	}
	return body
}

// drop removes a block without changing the others.
func drop(body []article.Block, i int) []article.Block {
	if i == 0 {
		return body[1:]
	}
	return append(body[:i:i], body[i+1:]...)
}

// hasKicker reports whether a folded heading is a title, perhaps after a kicker
// that is not much longer.
func hasKicker(heading, title []byte) bool {
	const minTitle = 12 // bytes
	return bytes.Equal(heading, title) || len(title) >= minTitle && len(heading) <= 3*len(title) && bytes.HasSuffix(heading, title)
}

// dropOtherHeadlines removes headings above the first paragraph that are other
// versions of the headline: those that the page declares, and those above the
// standfirst.
func dropOtherHeadlines(body []article.Block, h Header) []article.Block {
	standfirst := findStandfirst(body, h.Standfirst)
	if standfirst >= 0 && body[standfirst].Kind == article.Heading {
		body[standfirst].Kind, body[standfirst].Level = article.Paragraph, 0
	}
	var room, titleRoom [foldRoom]byte
	line, title := room[:0], titleRoom[:0]
	for i := 0; i < len(body) && (isMedia(&body[i]) || body[i].Kind == article.Heading); {
		if body[i].Kind != article.Heading {
			i++
			continue
		}
		line = foldSpans(line, body[i].Spans, maxHeadline)
		other := slices.ContainsFunc(h.OtherTitles, func(t string) bool {
			title = appendFolded(title[:0], t)
			return len(title) > 0 && hasKicker(line, title)
		})
		if i >= standfirst && !other {
			i++
			continue
		}
		body = drop(body, i)
		standfirst--
	}
	return body
}

// findStandfirst returns the block at the top of the body that has the
// standfirst, or -1.
func findStandfirst(body []article.Block, standfirst string) int {
	var room, lineRoom [foldRoom]byte
	want, line, text := appendFolded(room[:0], standfirst), lineRoom[:0], 0
	for i := 0; i < len(body) && text < maxTop && len(want) > 0; i++ {
		b := &body[i]
		if isMedia(b) {
			continue
		}
		text++
		if b.Kind == article.Heading || b.Kind == article.Paragraph {
			if line = foldSpans(line, b.Spans, 2*len(standfirst)); bytes.Equal(line, want) {
				return i
			}
		}
	}
	return -1
}

// maxHeadline is more than any headline has, in bytes.
const maxHeadline = 600

// foldRoom is enough for most folded lines, in bytes.
const foldRoom = 256

// foldSpans returns the folded text of a line in the memory of b, or nothing if it is
// longer than limit.
func foldSpans(b []byte, spans []article.Span, limit int) []byte {
	b = b[:0]
	n := 0
	for _, s := range spans {
		n += len(s.Text)
	}
	if n > limit {
		return b
	}
	for _, s := range spans {
		b = appendFolded(b, s.Text)
	}
	return b
}

// appendFolded appends the letters and digits of s in lower case.
func appendFolded(b []byte, s string) []byte {
	for _, r := range s {
		if isFolded(r) {
			b = utf8.AppendRune(b, unicode.ToLower(r))
		}
	}
	return b
}

// isFolded reports whether r is a letter or digit, which appendFolded keeps.
func isFolded(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

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
