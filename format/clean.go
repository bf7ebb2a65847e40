package format

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
)

// cleanArticle returns a copy of a that is safe to write: its text is
// valid UTF-8 without control characters, its numbers are in range, and a block
// has only the fields of its kind. URLs that are not safe are dropped.
func cleanArticle(a *article.Article) *article.Article {
	if a == nil {
		a = &article.Article{}
	}
	c := *a
	c.URL, c.Canonical = withScheme(a.URL, "http", "https", "file"), safeLink(a.Canonical)
	c.Title = oneLine(a.Title)
	c.Standfirst, c.Description = cleanText(a.Standfirst), cleanText(a.Description)
	c.Authors = mapSlice(a.Authors, func(au article.Author) article.Author {
		return article.Author{Name: oneLine(au.Name), URL: safeLink(au.URL)}
	})
	c.Published, c.Modified = cleanDate(a.Published), cleanDate(a.Modified)
	c.Lang, c.Site, c.Section = oneLine(a.Lang), oneLine(a.Site), oneLine(a.Section)
	c.Tags = mapSlice(a.Tags, oneLine)
	c.Lead = cleanImage(a.Lead)
	c.Body = cleanBlocks(a.Body, 0)
	c.Comments = mapSlice(a.Comments, cleanText)
	c.Type = article.PageType(oneLine(string(a.Type)))
	c.Form = article.Form(oneLine(string(a.Form)))
	c.Method = oneLine(a.Method)
	if math.IsNaN(a.Confidence) || math.IsInf(a.Confidence, 0) {
		c.Confidence = 0 // JSON has no such numbers
	}
	return &c
}

// mapSlice applies f to each element. It keeps nil, so that an omitted field stays
// omitted.
func mapSlice[T any](in []T, f func(T) T) []T {
	if in == nil {
		return nil
	}
	out := make([]T, len(in))
	for i, v := range in {
		out[i] = f(v)
	}
	return out
}

// cleanDate drops a date that RFC 3339 cannot express.
func cleanDate(d article.Date) article.Date {
	if y := d.Time.Year(); y < 0 || y > 9999 {
		return article.Date{}
	}
	return d
}

func cleanImage(im *article.Image) *article.Image {
	if im == nil {
		return nil
	}
	return &article.Image{
		URL: safeImage(im.URL), Alt: oneLine(im.Alt), Caption: oneLine(im.Caption), Credit: oneLine(im.Credit),
		Width: max(im.Width, 0), Height: max(im.Height, 0),
	}
}

func cleanClip(v *article.Media) *article.Media {
	if v == nil {
		return nil
	}
	return &article.Media{
		URL: safeLink(v.URL), Title: oneLine(v.Title), Poster: safeImage(v.Poster), Caption: oneLine(v.Caption),
	}
}

func cleanPost(p *article.Post) *article.Post {
	if p == nil {
		return nil
	}
	return &article.Post{
		URL: safeLink(p.URL), Author: oneLine(p.Author), Date: cleanDate(p.Date), Text: strings.Trim(cleanText(p.Text), " \n"),
	}
}

// oneLine is cleanText with runs of white space collapsed to single spaces, and
// with no white space at the ends.
func oneLine(s string) string {
	s = strings.TrimSpace(cleanText(s))
	if !strings.Contains(s, "\n") && !strings.Contains(s, "  ") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\n' }), " ")
}

// cleanText replaces invalid UTF-8, drops control characters and turns tabs into
// spaces and all line ends into "\n".
func cleanText(s string) string { return cleanRunes(s, ' ') }

// cleanCode is cleanText for source code, which keeps tabs.
func cleanCode(s string) string {
	s = strings.Trim(cleanRunes(s, '\t'), "\n")
	if isBlank(s) {
		return ""
	}
	return s
}

func cleanRunes(s string, tab rune) string {
	if isClean(s) {
		return s
	}
	return replaceRunes(s, tab)
}

func replaceRunes(s string, tab rune) string {
	return strings.Map(func(r rune) rune { // turns invalid bytes into U+FFFD
		switch {
		case r == '\t':
			return tab
		case r == '\r' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r != '\n' && isControl(r):
			return -1
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

// isClean reports whether cleanRunes would not change s. It is for speed and may report
// that it would where it would not.
func isClean(s string) bool {
	ascii := true
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < ' ' && c != '\n' || c == 0x7F:
			return false
		case c < utf8.RuneSelf:
		case c == 0xC2 && i+1 < len(s) && s[i+1] < 0xA0: // U+0080 to U+009F
			return false
		case c == 0xE2 && strings.HasPrefix(s[i+1:], "\x80"): // with U+2028 and U+2029
			if i+2 < len(s) && (s[i+2] == 0xA8 || s[i+2] == 0xA9) {
				return false
			}
			ascii = false
		default:
			ascii = false
		}
	}
	return ascii || utf8.ValidString(s)
}

func isControl(r rune) bool { return r < ' ' || 0x7F <= r && r <= 0x9F }

const (
	// maxDepth is how deep blocks may be nested; no story needs a tenth of it.
	// Deeper blocks are lifted to this depth.
	maxDepth = 100
	// The limits of HTML for a cell of a table.
	maxColSpan, maxRowSpan = 1000, 65534
)

func cleanBlocks(in []article.Block, depth int) []article.Block {
	out := make([]article.Block, 0, len(in))
	for i := range in {
		if depth >= maxDepth {
			out = appendLeaves(out, &in[i])
			continue
		}
		out = appendClean(out, &in[i], depth)
	}
	return out
}

// appendClean appends a copy of b with only the fields of its kind. A block of an
// unknown kind is dropped.
func appendClean(out []article.Block, b *article.Block, depth int) []article.Block {
	c := article.Block{Kind: b.Kind}
	switch b.Kind {
	case article.Paragraph:
		c.Spans = cleanSpans(b.Spans)
	case article.Heading:
		c.Spans, c.Level = cleanSpans(b.Spans), min(max(b.Level, 1), 6)
	case article.List:
		c.Ordered, c.Start = b.Ordered, b.Start
		c.Items = make([][]article.Block, len(b.Items))
		for i, it := range b.Items {
			c.Items[i] = cleanBlocks(it, depth+1)
		}
	case article.Quote:
		c.Blocks = cleanBlocks(b.Blocks, depth+1)
	case article.Table:
		c.Spans = cleanSpans(b.Spans)
		c.Rows = make([][]article.Cell, len(b.Rows))
		for i, row := range b.Rows {
			c.Rows[i] = cleanRow(row, depth)
		}
	case article.Code:
		c.Code, c.Lang = cleanCode(b.Code), oneLine(b.Lang)
	case article.Picture:
		c.Image = cleanImage(b.Image)
	case article.Video:
		c.Video = cleanClip(b.Video)
	case article.Embed:
		c.Embed = cleanPost(b.Embed)
	case article.Rule:
	default:
		return out
	}
	return append(out, c)
}

func cleanRow(row []article.Cell, depth int) []article.Cell {
	out := make([]article.Cell, len(row))
	for i, c := range row {
		out[i] = article.Cell{
			Header:  c.Header,
			ColSpan: min(max(c.ColSpan, 0), maxColSpan),
			RowSpan: min(max(c.RowSpan, 0), maxRowSpan),
			Blocks:  cleanBlocks(c.Blocks, depth+1),
		}
	}
	return out
}

func cleanSpans(in []article.Span) []article.Span {
	return mapSlice(in, func(s article.Span) article.Span {
		return article.Span{Text: cleanText(s.Text), Mark: s.Mark, Href: safeLink(s.Href)}
	})
}

// appendLeaves appends the blocks inside b without lists, quotes and tables, in
// document order. It does not use recursion, since b may be nested very deeply.
func appendLeaves(out []article.Block, b *article.Block) []article.Block {
	stack := []*article.Block{b}
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		from := len(stack)
		push := func(bs []article.Block) {
			for i := range bs {
				stack = append(stack, &bs[i])
			}
		}
		switch b.Kind {
		case article.List:
			for _, it := range b.Items {
				push(it)
			}
		case article.Quote:
			push(b.Blocks)
		case article.Table:
			if len(b.Spans) > 0 {
				out = append(out, article.Block{Kind: article.Paragraph, Spans: cleanSpans(b.Spans)})
			}
			for _, row := range b.Rows {
				for i := range row {
					push(row[i].Blocks)
				}
			}
		default:
			out = appendClean(out, b, maxDepth)
		}
		slices.Reverse(stack[from:])
	}
	return out
}
