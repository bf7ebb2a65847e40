// Package styled writes an article as one HTML file of its own that looks as
// the story did on its page: the same type, colours and sizes, pictures inside.
//
// The words and their markup come from package format alone, so that what it
// refuses never gets here. This package dresses them: a style sheet made of a
// [Look], pictures as data, and an outline that a screen reader can walk. The
// file holds no script and asks nobody for anything; its own policy forbids it.
//
// It is pure: pictures come from the [Assets] that the caller gives.
package styled

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
)

// Options say how the article looks and where its pictures are.
type Options struct {
	// Look is the style of the page that the article is from. What it leaves
	// open, and what nobody could read, is set by this package.
	Look Look
	// Assets has the pictures; without it they are links.
	Assets Assets
	// URL is where the page was found, if the article does not say.
	URL string
}

// Write writes a as a styled document. A picture that is not found, too large
// or none at all becomes a link with its words; only an end of ctx, a broken
// writer or an article past all nesting is an error.
func Write(ctx context.Context, w io.Writer, a *article.Article, opts Options) error {
	if a == nil {
		a = &article.Article{}
	}
	var plain bytes.Buffer
	if err := format.HTML(&plain, a, format.Options{}); err != nil {
		return err
	}
	doc, err := html.Parse(&plain)
	if err != nil {
		return fmt.Errorf("styled: reading the article: %w", err)
	}
	look := opts.Look.readable()
	p := newPage(doc, a, opts)
	if err := p.pictures(ctx, opts.Assets); err != nil {
		return err
	}
	p.outline()
	p.tables()
	p.header()
	p.lede(look.Lede.set())
	p.footer()
	p.head(look.sheet())
	if err := html.Render(w, doc); err != nil {
		return err
	}
	_, err = io.WriteString(w, "\n")
	return err
}

// page is the document while it is being dressed.
type page struct {
	doc     *html.Node
	article *html.Node
	site    string
	words   words
	base    *url.URL // nil when nobody knows where the page was
	source  string   // address of the story, as format let it pass
}
