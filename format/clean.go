package format

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
)

// clean is a copy of a that is safe to write: its text is valid UTF-8 without
// control characters, its numbers are in range, and a block has only the
// fields of its kind. Where a URL leads is judged when it is written.
func clean(a *article.Article) *article.Article {
	if a == nil {
		a = &article.Article{}
	}
	c := *a
	c.URL, c.Canonical = cleanURL(a.URL), cleanURL(a.Canonical)
	c.Title = oneLine(a.Title)
	c.Standfirst = cleanText(a.Standfirst)
	c.Authors = each(a.Authors, func(au article.Author) article.Author {
		return article.Author{Name: oneLine(au.Name), URL: cleanURL(au.URL)}
	})
	c.Published, c.Modified = cleanDate(a.Published), cleanDate(a.Modified)
	c.Lang, c.Site, c.Section = oneLine(a.Lang), oneLine(a.Site), oneLine(a.Section)
	c.Tags = each(a.Tags, oneLine)
	c.Lead = cleanImage(a.Lead)
	c.Body = cleanBlocks(a.Body, 0)
	c.Comments = each(a.Comments, cleanText)
	c.Type = article.PageType(oneLine(string(a.Type)))
	c.Form = article.Form(oneLine(string(a.Form)))
	c.Method = oneLine(a.Method)
	if math.IsNaN(a.Confidence) || math.IsInf(a.Confidence, 0) {
		c.Confidence = 0 // JSON has no such numbers
	}
	return &c
}

// each keeps nil as nil, so that a field that was left out stays out.
func each[T any](in []T, f func(T) T) []T {
	if in == nil {
		return nil
	}
	out := make([]T, len(in))
	for i, v := range in {
		out[i] = f(v)
	}
	return out
}

// cleanDate drops a date that RFC 3339 cannot say.
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
		URL: cleanURL(im.URL), Alt: oneLine(im.Alt), Caption: oneLine(im.Caption), Credit: oneLine(im.Credit),
		Width: max(im.Width, 0), Height: max(im.Height, 0),
	}
}

func cleanClip(v *article.Media) *article.Media {
	if v == nil {
		return nil
	}
	return &article.Media{
		URL: cleanURL(v.URL), Title: oneLine(v.Title), Poster: cleanURL(v.Poster), Caption: oneLine(v.Caption),
	}
}

// oneLine is cleanText with all white space folded to single spaces and none
// at the ends, not even hard ones: a name of those alone would be no name.
func oneLine(s string) string {
	s = strings.TrimSpace(cleanText(s))
	if !strings.ContainsAny(s, "\n") && !strings.Contains(s, "  ") {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\n' }), " ")
}

// cleanText replaces invalid UTF-8, drops control characters, makes tabs
// spaces and writes every kind of line end as "\n".
func cleanText(s string) string {
	return cleanRunes(s, ' ')
}

// cleanCode is cleanText for program text, where a tab stays a tab.
func cleanCode(s string) string {
	s = strings.Trim(cleanRunes(s, '\t'), "\n")
	if blank(s) {
		return ""
	}
	return s
}

func cleanRunes(s string, tab rune) string {
	i := firstDirty(s)
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:i])
	s = strings.ReplaceAll(s[i:], "\r\n", "\n")
	for _, r := range s { // an invalid byte comes out as U+FFFD
		switch {
		case r == '\t':
			b.WriteRune(tab)
		case r == '\r' || r == '\u2028' || r == '\u2029':
			b.WriteByte('\n')
		case r == '\n' || !isControl(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// firstDirty is the index of the first byte that cleanRunes may change, or -1.
func firstDirty(s string) int {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\n' || c == 0x7F {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || isControl(r) || r == '\u2028' || r == '\u2029' {
			return i
		}
		i += n
	}
	return -1
}

func isControl(r rune) bool { return r < ' ' || 0x7F <= r && r <= 0x9F }

const (
	// maxDepth is how deep blocks may lie in one another; no story needs a
	// tenth of it. What lies deeper is lifted to this depth.
	maxDepth = 100
	// The limits that HTML itself puts on a table's cell.
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

// appendClean adds a copy of b that has only what its kind uses. A block of
// an unknown kind is left out: no format could say what it is.
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
	return each(in, func(s article.Span) article.Span {
		return article.Span{Text: cleanText(s.Text), Mark: s.Mark, Href: cleanURL(s.Href)}
	})
}

// appendLeaves adds what lies in b without the lists, quotes and tables
// around it, in reading order. It keeps its own stack, since b may be as deep
// as memory allows.
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
