// Package render writes articles in all formats of lede, and the explanations of them,
// for its command and its service. It also names the kinds of errors.
package render

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/crawl/polite"
	"github.com/lede-news/lede/internal/story/styled"
)

// The formats that need the page, not only the article, so that package format does
// not have them.
const (
	Styled  = "styled"  // the article with the look of the page
	Cleaned = "cleaned" // the page without what the method dropped: lede.WithCleaned
)

// Formats returns the names of all formats.
func Formats() []string { return append(format.Names(), Styled, Cleaned) }

// Options are the options of Write.
type Options struct {
	Format   string
	BodyOnly bool // without headline, byline and date
	Links    bool // in text, addresses after the words of links
	Fragment bool // HTML that is no document
	Indent   bool // JSON in several lines

	// Explain writes the decisions about the page, with its article in JSON. The format
	// is text or json. Input names the page, and LinkText is that of the link to it.
	Explain         bool
	Input, LinkText string

	// Styled are the options of that format.
	Styled styled.Options
}

// Write writes an article, or the explanation of it. It ends when ctx does.
func Write(ctx context.Context, w io.Writer, x *lede.Explanation, opts Options) error {
	w = contextWriter{ctx, w}
	a := x.Article
	switch {
	case opts.Explain && opts.Format == "json":
		return explainJSON(w, opts.Input, opts.LinkText, x, opts.Indent)
	case opts.Explain:
		return explainText(w, opts.Input, opts.LinkText, x)
	case opts.Format == Styled:
		opts.Styled.Places, opts.Styled.Selected = x.Places(), x.Selection().Mask(x.Document())
		return styled.Write(ctx, w, x.Document(), a, x.Nodes(), opts.Styled)
	case opts.Format == Cleaned:
		_, err := io.WriteString(w, a.Cleaned)
		return err
	}
	return format.Write(w, a, opts.Format, format.Options{BodyOnly: opts.BodyOnly, Links: opts.Links, Fragment: opts.Fragment, Indent: opts.Indent})
}

// Article writes an article in a format of package format. It ends when ctx does.
func Article(ctx context.Context, w io.Writer, a *article.Article, name string, opts format.Options) error {
	return format.Write(contextWriter{ctx, w}, a, name, opts)
}

// Lines writes values as lines of JSON.
func Lines[T any](w io.Writer, all ...T) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, v := range all {
		if err := enc.Encode(v); err != nil {
			return err
		}
	}
	return nil
}

// contextWriter fails when its context is done. A format ends when its writer fails.
type contextWriter struct {
	ctx context.Context
	io.Writer
}

func (w contextWriter) Write(p []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	return w.Writer.Write(p)
}

// kinds are the kinds of errors, by name. The first that fits is that of an error.
var kinds = []struct {
	err  error
	name string
}{
	{lede.ErrEmpty, "empty"}, {lede.ErrTooLarge, "too-large"}, {lede.ErrNotHTML, "not-html"},
	{lede.ErrCharset, "charset"}, {lede.ErrMalformed, "malformed"}, {lede.ErrScripts, "scripts"}, {lede.ErrNoContent, "no-content"},
	{lede.ErrNotArticle, "not-article"}, {lede.ErrTimeout, "timeout"}, {lede.ErrOutput, "output"}, {lede.ErrInternal, "crash"},
	{fetch.ErrURL, "address"}, {fetch.ErrScheme, "address"}, {fetch.ErrPrivateAddress, "address"},
	{fetch.ErrDNS, "fetch"}, {fetch.ErrConnect, "fetch"}, {fetch.ErrTLS, "fetch"}, {fetch.ErrTimeout, "fetch"}, // of robots.txt, too
	{polite.ErrRobots, "robots"}, {polite.ErrNoRobots, "robots"}, {fetch.ErrNotHTML, "not-html"}, {fetch.ErrTooLarge, "too-large"},
}

// Kind returns the kind of the error of a page: a short name, as records of a batch
// have it. It is empty for errors of other packages than lede, fetch and
// internal/crawl/polite.
func Kind(err error) string {
	if errors.As(err, new(*fetch.StatusError)) {
		return "status"
	}
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return k.name
		}
	}
	switch {
	case errors.As(err, new(*polite.WaitError)):
		return "wait"
	case errors.As(err, new(*fetch.Error)):
		return "fetch"
	}
	return ""
}
