package format

import (
	"cmp"

	"github.com/lede-news/lede/article"
)

// separator separates the names and the date of a byline. It is not a word, since
// the article may be in any language.
const separator = " · "

// byline returns the authors, each with a link to their page, and the date.
func byline(a *article.Article) []article.Span {
	spans := authors(a)
	if d := dayAndTime(a.Published); d != "" {
		if len(spans) > 0 {
			spans = append(spans, article.Span{Text: separator})
		}
		spans = append(spans, article.Span{Text: d})
	}
	return spans
}

func authors(a *article.Article) []article.Span {
	var spans []article.Span
	for _, au := range a.Authors {
		if au.Name == "" {
			continue
		}
		if len(spans) > 0 {
			spans = append(spans, article.Span{Text: ", "})
		}
		spans = append(spans, article.Span{Text: au.Name, Href: au.URL})
	}
	return spans
}

// dayAndTime formats a date for readers of any language, with the offset that the
// page gives.
func dayAndTime(d article.Date) string {
	switch _, offset := d.Time.Zone(); {
	case d.IsZero():
		return ""
	case d.DayOnly:
		return d.Time.Format("2006-01-02")
	case offset == 0:
		return d.Time.Format("2006-01-02 15:04 UTC")
	}
	return d.Time.Format("2006-01-02 15:04 -07:00")
}

// leadImage returns the lead picture, or nil if it is also in the body.
func leadImage(a *article.Article) *article.Image {
	if a.Lead == nil {
		return nil
	}
	for b := range a.Blocks() {
		if b.Image != nil && b.Image.URL == a.Lead.URL {
			return nil
		}
	}
	return a.Lead
}

// comments returns the readers' comments as blocks: a rule, then a quote for each.
func comments(a *article.Article) []article.Block {
	out := []article.Block{{Kind: article.Rule}}
	for _, c := range a.Comments {
		if !isBlank(c) {
			out = append(out, article.Block{Kind: article.Quote, Blocks: []article.Block{{Kind: article.Paragraph, Spans: textSpans(c)}}})
		}
	}
	if len(out) == 1 {
		return nil
	}
	return out
}

// postBlocks returns the text of a post, and a line with its author and date that links to it.
func postBlocks(p *article.Post) (bs []article.Block) {
	if p.Text != "" {
		bs = append(bs, article.Block{Kind: article.Paragraph, Spans: textSpans(p.Text)})
	}
	if label := postLabel(p); label != "" {
		bs = append(bs, article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: "— "}, {Text: label, Href: p.URL}}})
	}
	return bs
}

// postLabel returns the author and the date of a post, or else its address.
func postLabel(p *article.Post) string {
	return cmp.Or(joinNonEmpty(separator, p.Author, dayAndTime(p.Date)), linkURL(p.URL))
}

// withMark adds a mark to spans.
func withMark(spans []article.Span, m article.Mark) []article.Span {
	return mapSlice(spans, func(s article.Span) article.Span {
		s.Mark |= m
		return s
	})
}

func textSpans(s string) []article.Span {
	if s == "" {
		return nil
	}
	return []article.Span{{Text: s}}
}
