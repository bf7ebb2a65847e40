package format

import (
	"strings"

	"github.com/lede-news/lede/article"
)

// separator stands between the names and the date of a byline. It is a sign,
// not a word, since the story may be in any language.
const separator = " · "

// byline is the authors and the date in one line, each author with a link to
// their page.
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

// dayAndTime is a date for people: the same in every language, and with the
// offset that the page gave.
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

// lead is the lead picture, unless it stands in the body as well.
func lead(a *article.Article) *article.Image {
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

// comments are the readers' comments as blocks: a rule, then a quote each.
func comments(a *article.Article) []article.Block {
	var out []article.Block
	for _, c := range a.Comments {
		spans := tidy([]article.Span{{Text: c}})
		if len(spans) == 0 {
			continue
		}
		if out == nil {
			out = append(out, article.Block{Kind: article.Rule})
		}
		out = append(out, article.Block{Kind: article.Quote, Blocks: []article.Block{
			{Kind: article.Paragraph, Spans: spans},
		}})
	}
	return out
}

// marked is spans with one more mark.
func marked(spans []article.Span, m article.Mark) []article.Span {
	return each(spans, func(s article.Span) article.Span {
		s.Mark |= m
		return s
	})
}

// captionSpans is what stands under a picture: the caption and who took it.
func captionSpans(im *article.Image) []article.Span {
	return plain(captionText(im))
}

func captionText(im *article.Image) string {
	switch {
	case im.Credit == "":
		return im.Caption
	case im.Caption == "":
		return im.Credit
	}
	return im.Caption + " (" + im.Credit + ")"
}

// standfirst is what is shown under the headline. Many pages give the beginning of
// the story for one, for machines: nobody wants to read that twice.
func standfirst(a *article.Article) []article.Span {
	words := oneLine(a.Standfirst)
	for i := range a.Body {
		if a.Body[i].Kind != article.Paragraph {
			continue
		}
		begins := strings.TrimRight(words, " .…")
		if begins != "" && strings.HasPrefix(oneLine(article.SpanText(a.Body[i].Spans)), begins) {
			return nil
		}
		break
	}
	if blank(words) {
		return nil
	}
	return plain(a.Standfirst)
}

func plain(s string) []article.Span {
	if s == "" {
		return nil
	}
	return []article.Span{{Text: s}}
}
