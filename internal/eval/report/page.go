package report

import (
	"slices"
	"unicode/utf8"

	"github.com/lede-news/lede/internal/eval"
	"github.com/lede-news/lede/internal/eval/measure"
)

// maxText is how many characters of a text are shown. Stories are far shorter;
// what is longer is a page taken whole by mistake.
const maxText = 200_000

// page is what the view of one page needs.
type page struct {
	Gold    story   `json:"gold"`
	Outputs []story `json:"outputs"` // each that is different, once
	By      []int   `json:"by"`      // by system: which of Outputs
	Outline outline `json:"outline"`
}

// story is a gold or an output.
type story struct {
	Title   string   `json:"title"`
	Text    string   `json:"text"`
	Authors []string `json:"authors"`
	Date    string   `json:"date"`
	Type    string   `json:"type"`
	Error   string   `json:"error,omitempty"`
	// With and Without are snippets that a text must and must not have.
	With    []string `json:"with,omitempty"`
	Without []string `json:"without,omitempty"`
	// TitleInText says that the gold's text begins with the headline.
	TitleInText bool `json:"titleInText,omitempty"`
	Cut         bool `json:"cut,omitempty"` // the text is longer than maxText
}

func newPage(p *eval.Page) *page {
	out := &page{Gold: goldStory(p)}
	texts := []string{p.Gold.Text}
	for _, o := range p.Outputs {
		s := outputStory(o)
		at := slices.IndexFunc(out.Outputs, func(x story) bool { return same(x, s) })
		if at < 0 {
			at = len(out.Outputs)
			out.Outputs = append(out.Outputs, s)
			texts = append(texts, s.Text)
		}
		out.By = append(out.By, at)
	}
	if p.Doc != nil {
		out.Outline = newOutline(p.Doc, texts)
	}
	return out
}

func goldStory(p *eval.Page) story {
	g := p.Gold
	s := story{
		Title: g.Title, Authors: g.Authors, Date: g.Date, Type: g.Type, TitleInText: g.TitleInText,
		With: g.With, Without: g.Without,
	}
	s.Text, s.Cut = cut(g.Text, maxText)
	return s
}

func outputStory(o *measure.Output) story {
	if o == nil {
		return story{Error: "nothing was given"}
	}
	s := story{Title: o.Title, Authors: o.Authors, Date: o.Date, Type: o.Type, Error: o.Error}
	s.Text, s.Cut = cut(o.Text, maxText)
	return s
}

func same(a, b story) bool {
	return a.Text == b.Text && a.Title == b.Title && a.Date == b.Date && a.Type == b.Type && a.Error == b.Error &&
		a.Cut == b.Cut && slices.Equal(a.Authors, b.Authors)
}

// cut takes the first n characters of s.
func cut(s string, n int) (string, bool) {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s, false
	}
	for i := range s {
		if n == 0 {
			return s[:i], true
		}
		n--
	}
	return s, false
}
