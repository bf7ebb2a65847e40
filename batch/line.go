package batch

import (
	"strings"

	"github.com/lede-news/lede/article"
)

// Line is the result of one page, as it is written.
type Line struct {
	ID         string           `json:"id"`
	URL        string           `json:"url"`
	Title      string           `json:"title"`
	Text       string           `json:"text"` // the body only, a paragraph a line
	Authors    []string         `json:"authors"`
	Date       string           `json:"date"` // RFC 3339 or a plain day
	Modified   string           `json:"modified"`
	Lang       string           `json:"lang"`
	Site       string           `json:"site"`
	Images     []Image          `json:"images"`
	Comments   []string         `json:"comments"`
	Type       article.PageType `json:"type"`
	Confidence float64          `json:"confidence"`
	Method     string           `json:"method"`
	// Form and Paywalled are those of the article, where there is something to
	// say; Partial is set when a limit of the page's size cut it off.
	Form      article.Form `json:"form,omitempty"`
	Paywalled bool         `json:"paywalled,omitempty"`
	Partial   bool         `json:"partial,omitempty"`
	// Error is set, and nothing of the article, when the page failed; Kind is
	// its short name.
	Error string `json:"error,omitempty"`
	Kind  string `json:"kind,omitempty"`

	err error
}

// Image is a picture of the story.
type Image struct {
	URL     string `json:"url"`
	Caption string `json:"caption"`
}

// failure is the line of a page that gave no article.
type failure struct {
	ID    string `json:"id"`
	URL   string `json:"url"`
	Error string `json:"error"`
	Kind  string `json:"kind"`
}

// NewLine is the line of an article.
func NewLine(p Page, a *article.Article) Line {
	l := Line{
		ID: p.ID, URL: p.URL, Title: a.Title, Text: a.Text(),
		Authors: []string{}, Images: []Image{}, Comments: []string{},
		Date: a.Published.String(), Modified: a.Modified.String(), Lang: a.Lang, Site: a.Site,
		Type: a.Type, Confidence: a.Confidence, Method: a.Method, Form: a.Form, Paywalled: a.Paywalled, Partial: a.Partial,
	}
	if l.URL == "" {
		l.URL = a.Canonical
	}
	for _, au := range a.Authors {
		l.Authors = append(l.Authors, au.Name)
	}
	for _, im := range a.Images() {
		l.Images = append(l.Images, Image{URL: im.URL, Caption: im.Caption})
	}
	l.Comments = append(l.Comments, a.Comments...)
	return l
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
