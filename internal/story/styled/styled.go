// Package styled writes an article as a self-contained HTML file that looks like
// the story on its page, as the paper of the visual wrapper shows: the elements of
// the page from the common root of the story down to its texts and pictures, with
// their styles, and without everything else.
//
// Elements are copied by a list, and none of their attributes but addresses and
// spans of cells. The style of an element is read property by property, limited
// to what leaves the story readable, and written anew. The rest is from package
// format, which has removed whatever is unsafe: headline, byline and date, in the
// style that they have on the page. Pictures become data URLs. The file has no
// scripts and loads nothing; its content security policy forbids both.
//
// The package does not read files or use the network: pictures come from the
// [Assets] of the caller.
package styled

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/internal/page/steps"
)

// Options are the options of Write.
type Options struct {
	// Computed returns the value of one of Properties that a browser has computed for an element,
	// or "" if it is not shown. If it is nil, styles are read from the style attributes, <style>
	// elements and presentational attributes of the page, without linked sheets.
	Computed func(n dom.Node, property string) string
	// Assets provide the pictures, the first that has one. Without them pictures become links.
	Assets []Assets
	// Places are the nodes that show the "title", the "standfirst" and the "authors", which
	// have the look of these parts.
	Places map[string]dom.Node
	// Selected has the nodes that the method selected. Plugins among them become links. It may
	// be nil.
	Selected []bool
}

// Write writes an article as a styled document. d is the page of the article and nodes are those
// of its body, in page order: texts, rules, pictures and players, and the elements and texts of
// captions. A picture that is missing, too large or in an unknown format becomes a link. Write
// fails only if ctx ends or if w fails.
func Write(ctx context.Context, w io.Writer, d *dom.Document, a *article.Article, nodes []dom.Node, opts Options) error {
	base := links.Base(d, cmp.Or(a.URL, a.Canonical))
	steps := steps.New(ctx).Bound(d.Size())
	t := newSubtree(d, nodes, a, base)
	t.addPlugins(opts.Selected, steps)
	t.steps, t.embed = steps, &embedder{ctx: ctx, assets: opts.Assets, base: base, left: MaxPictures}
	t.sheet = &sheet{styles: newStyles(d, opts.Computed), scale: 1, classes: map[string]string{}}
	story, rules := t.story(findParts(d, opts.Places))
	if a.Lead != nil && !t.shows(a.Lead) {
		story = append([]*html.Node{t.embed.figure(a.Lead)}, story...)
	}
	if err := steps.Look(); err != nil {
		return err
	}
	frame := *a
	frame.Body, frame.Lead = nil, nil
	before, after, err := surroundings(&frame, rules, base)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, before); err != nil {
		return err
	}
	for _, n := range slices.DeleteFunc(story, func(n *html.Node) bool { return n == nil }) {
		if err := html.Render(w, add(&html.Node{Type: html.DocumentNode}, n, line())); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, after)
	return err
}

// surroundings returns what stands before and after the story, as package format writes it, with
// the content security policy, the style sheet and the source. The text of the article has no
// tags there, so that each tag that is looked for is one of package format's.
func surroundings(a *article.Article, sheet string, base *url.URL) (before, after string, err error) {
	a.Authors = slices.Clone(a.Authors)
	for i := range a.Authors { // a relative link would point to a file beside the document
		a.Authors[i].URL = links.ResolveWeb(base, a.Authors[i].URL)
	}
	var plain strings.Builder
	if err := format.HTML(&plain, a, format.Options{}); err != nil {
		return "", "", err
	}
	source := links.ResolveWeb(base, cmp.Or(a.Canonical, a.URL))
	name := "lede"
	if u, err := url.Parse(source); err == nil && u.Host != "" {
		name = strings.TrimPrefix(u.Host, "www.")
	}
	name = cmp.Or(cleanLine(a.Site), name)
	footer := ""
	if source != "" {
		footer = `<footer><p><a href="` + html.EscapeString(source) + `">` + html.EscapeString(name) + "</a></p></footer>\n"
	}
	sum := sha256.Sum256([]byte(sheet))
	policy := "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'"
	doc := strings.NewReplacer(
		"<head>\n<meta charset=\"utf-8\">\n", "<head>\n<meta charset=\"utf-8\">\n"+
			`<meta http-equiv="Content-Security-Policy" content="`+html.EscapeString(policy)+"\">\n"+
			"<meta name=\"referrer\" content=\"no-referrer\">\n",
		"<title></title>", "<title>"+html.EscapeString(name)+"</title>",
		"</head>", "<style>"+sheet+"</style>\n</head>",
		"<article>", "<main><article>",
		"</article>\n", "</article></main>\n"+footer,
	).Replace(standfirstFirst(plain.String()))
	at := strings.Index(doc, `<section class="comments">`)
	if at < 0 {
		at = strings.Index(doc, "</article>")
	}
	return doc[:at], doc[at:], nil
}

// standfirstFirst moves the standfirst after the headline, as in a newspaper.
func standfirstFirst(doc string) string {
	const start, end = `<p class="standfirst">`, "</p>\n"
	head, rest, _ := strings.Cut(doc, "</h1>\n")
	names, rest, ok := strings.Cut(rest, start)
	text, rest, _ := strings.Cut(rest, end)
	if !ok {
		return doc
	}
	return head + "</h1>\n" + start + text + end + names + rest
}

// parts are the nodes of a page from which the look of the header is taken, or dom.None.
type parts struct{ headline, standfirst, byline dom.Node }

// findParts finds the innermost elements with the parts of the header, which have their style.
func findParts(d *dom.Document, places map[string]dom.Node) parts {
	innermost := func(name string) dom.Node {
		n, ok := places[name]
		if !ok {
			return dom.None
		}
		for c := n + 1; c < d.End(n); c++ {
			if !d.IsText(c) && d.Text(c) == d.Text(n) {
				n = c
			}
		}
		return n
	}
	p := parts{innermost("title"), innermost("standfirst"), innermost("authors")}
	for p.byline != dom.None && d.InLink(p.byline) { // names are links, but the byline is not
		p.byline = d.Parent(p.byline)
	}
	return p
}
