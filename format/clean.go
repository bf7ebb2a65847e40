package format

import (
	"math"
	"strings"

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
	c.Body = cleanBlocks(make([]article.Block, 0, len(a.Body)), a.Body, 0)
	c.Comments = mapSlice(a.Comments, cleanText)
	c.Cleaned = cleanRunes(a.Cleaned, '\t')
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
	isSpace := func(r rune) bool { return r == ' ' || r == '\n' }
	return strings.Join(strings.FieldsFunc(strings.TrimSpace(cleanText(s)), isSpace), " ")
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

func isControl(r rune) bool { return r < ' ' || 0x7F <= r && r <= 0x9F }

const (
	// maxDepth is how deep blocks may be nested; no story needs a tenth of it.
	maxDepth = 100
	// The limits of HTML for a cell of a table.
	maxColSpan, maxRowSpan = 1000, 65534
)

// cleanBlocks appends a clean copy of blocks without empty ones.
func cleanBlocks(out, in []article.Block, depth int) []article.Block {
	for i := range in {
		out = appendClean(out, &in[i], depth)
	}
	return out
}

// appendClean appends a copy of b with only the fields of its kind, or nothing if it is empty or
// of an unknown kind. At maxDepth it appends the text of a list, quote or table instead.
func appendClean(out []article.Block, b *article.Block, depth int) []article.Block {
	c := article.Block{Kind: b.Kind}
	isEmpty := false
	switch b.Kind {
	case article.Paragraph, article.Heading:
		c.Spans = cleanSpans(b.Spans)
		isEmpty = isBlankText(c.Spans)
		if b.Kind == article.Heading {
			c.Level = min(max(b.Level, 1), 6)
		}
	case article.List, article.Quote, article.Table:
		if depth == maxDepth {
			return appendClean(out, &article.Block{Kind: article.Paragraph, Spans: textSpans(b.Text())}, depth)
		}
		isEmpty = !cleanContents(&c, b, depth+1)
	case article.Code:
		c.Code, c.Lang = cleanCode(b.Code), oneLine(b.Lang)
		isEmpty = c.Code == ""
	case article.Picture:
		c.Image = cleanImage(b.Image)
		isEmpty = c.Image == nil || c.Image.URL+c.Image.Alt+c.Image.Caption+c.Image.Credit == ""
	case article.Video:
		c.Video = cleanClip(b.Video)
		isEmpty = c.Video == nil || c.Video.URL+c.Video.Poster+c.Video.Title+c.Video.Caption == ""
	case article.Embed:
		c.Embed = cleanPost(b.Embed)
		isEmpty = c.Embed == nil || len(postBlocks(c.Embed)) == 0
	case article.Rule:
	default:
		return out
	}
	if isEmpty {
		return out
	}
	return append(out, c)
}

// cleanContents copies the contents of a list, quote or table to c and reports whether there are
// any.
func cleanContents(c, b *article.Block, depth int) (found bool) {
	switch b.Kind {
	case article.List:
		c.Ordered, c.Start = b.Ordered, b.Start
		for _, it := range b.Items {
			if it := cleanBlocks(nil, it, depth); len(it) > 0 {
				c.Items = append(c.Items, it)
			}
		}
	case article.Quote:
		c.Blocks = cleanBlocks(nil, b.Blocks, depth)
	case article.Table:
		c.Spans = cleanSpans(b.Spans)
		found = !isBlankText(c.Spans)
		for _, row := range b.Rows {
			cells := make([]article.Cell, len(row))
			for i, cell := range row {
				cells[i] = article.Cell{
					Header:  cell.Header,
					ColSpan: min(max(cell.ColSpan, 0), maxColSpan),
					RowSpan: min(max(cell.RowSpan, 0), maxRowSpan),
					Blocks:  cleanBlocks(nil, cell.Blocks, depth),
				}
				found = found || len(cells[i].Blocks) > 0
			}
			c.Rows = append(c.Rows, cells)
		}
	}
	return found || len(c.Items) > 0 || len(c.Blocks) > 0
}

func cleanSpans(in []article.Span) []article.Span {
	return mapSlice(in, func(s article.Span) article.Span {
		return article.Span{Text: cleanText(s.Text), Mark: s.Mark, Href: safeLink(s.Href)}
	})
}
