// Package format writes an article as text, Markdown, HTML or JSON.
//
// The output depends only on the article and the options. Every function first
// makes a clean copy of the article, with valid UTF-8, without control characters
// and with bounded nesting, so that articles from any source can be written.
// Markup is built from the blocks of the article and escaped; none of it comes
// from the page, but for Article.Cleaned in JSON. The URLs of links and pictures must have a safe scheme.
package format

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lede-news/lede/article"
)

// ErrUnknownFormat means that the name of a format is not in Names.
var ErrUnknownFormat = errors.New("unknown format")

// Options control what is written besides the body of the article.
type Options struct {
	// BodyOnly omits the headline, byline, date, standfirst, lead picture and
	// comments. JSON ignores it.
	BodyOnly bool
	// Links adds the URL of each link after its text. Only Text uses it.
	Links bool
	// Fragment omits the document around the <article> element, so that it can
	// be inserted into another page. Only HTML uses it.
	Fragment bool
	// Indent indents the output. Only JSON uses it.
	Indent bool
}

// Names returns the names of the formats that Write supports.
func Names() []string { return []string{"text", "md", "html", "json"} }

// Write writes a in the named format: "text", "md", "html" or "json". For another
// name it returns ErrUnknownFormat.
func Write(w io.Writer, a *article.Article, name string, opts Options) error {
	switch name {
	case "text":
		return Text(w, a, opts)
	case "md":
		return Markdown(w, a, opts)
	case "html":
		return HTML(w, a, opts)
	case "json":
		return JSON(w, a, opts)
	}
	return fmt.Errorf("format: %w %q: use one of %s", ErrUnknownFormat, name, strings.Join(Names(), ", "))
}
