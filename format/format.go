// Package format writes an article as text, Markdown, HTML or JSON.
//
// It is pure: what comes out depends on the article and the options alone.
// Every writer first takes a clean copy of the article (valid UTF-8, no
// control characters, bounded nesting), so any article can be written,
// whoever made it. Markup is always built from blocks and escaped here; none
// of it comes from the page, and every link and picture passes one allow-list
// of URL schemes.
package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lede-news/lede/article"
)

// ErrUnknownFormat is returned by Write for a name that is not in Names.
var ErrUnknownFormat = errors.New("unknown format")

// Options change what the writers put around the story.
type Options struct {
	// BodyOnly leaves out the headline, byline, date, standfirst, lead
	// picture and comments. JSON takes no notice of it.
	BodyOnly bool
	// Links puts the address of each link behind its words in plain text. The
	// other formats have their own way to say it.
	Links bool
	// Fragment leaves out the document around the <article> of HTML, so that
	// it can be put into another page.
	Fragment bool
	// Indent spreads JSON over lines.
	Indent bool
}

// Names lists the formats that Write knows.
func Names() []string { return []string{"text", "md", "html", "json"} }

// Write writes a in the named format: text, md, html or json.
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

// JSON writes a as one object and a line end: the article's own fields in the
// order of its type, then "words", how many the body has, and "text", the body
// as plain text with a paragraph a line. It can be read back with json.Unmarshal into an article.Article.
// URLs may have any scheme here: a reader that makes links of them has to
// check them.
func JSON(w io.Writer, a *article.Article, opts Options) error {
	a = clean(a)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if opts.Indent {
		enc.SetIndent("", "  ")
	}
	return enc.Encode(struct {
		*article.Article
		Words int    `json:"words"`
		Text  string `json:"text"`
	}{a, a.WordCount(), a.Text()})
}
