package dom

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/dom/markup"
)

// Options say how to read a page.
type Options struct {
	// Charset is the encoding that the caller insists on.
	Charset string
	// HeaderCharset is the encoding that the HTTP header names. It counts for
	// more than what the page says of itself, but UTF-8 that is plainly there
	// counts for more than both.
	HeaderCharset string
	Limits        Limits
}

// Parse decodes, parses and indexes a page. The context bounds its time.
func Parse(ctx context.Context, page []byte, opts Options) (*Document, error) {
	limits := opts.Limits.withDefaults()
	if len(page) > limits.Bytes {
		return nil, fmt.Errorf("%w: more than %d bytes; raise the limit to read it", ErrTooLarge, limits.Bytes)
	}
	text, charset, err := Decode(page, opts)
	if err != nil {
		return nil, err
	}
	d, err := parse(ctx, text, limits, true)
	if err != nil {
		return nil, err
	}
	if d.needsNoscript() {
		if plain, err := parse(ctx, text, limits, false); err == nil && plain.Chars(0) > d.Chars(0) {
			d = plain
		}
	}
	d.charset = charset
	return d, nil
}

// parse builds the tree and indexes it; scripting says whether what stands in
// <noscript> is left out, as in a browser that runs scripts.
func parse(ctx context.Context, page []byte, limits Limits, scripting bool) (*Document, error) {
	s := scan(page, limits.Nodes)
	if s.titleEnd > 0 && s.titleEnd < len(page) {
		// A browser shows nothing of such a page; its reader deserves better.
		page = slices.Concat(page[:s.titleEnd], []byte("</title>"), page[s.titleEnd:])
		s = scan(page, limits.Nodes)
	}
	if s.truncated {
		// Much of what is too much may be nesting, and that can go.
		page = flatten(page)
		s = scan(page, limits.Nodes)
		s.flat = true
	}
	page = page[:s.cut]
	var root *html.Node
	var err error
	if !s.risky {
		root, err = build(ctx, page, scripting)
	}
	flattened := s.flat || s.risky || err != nil && ctx.Err() == nil
	if flattened && root == nil {
		root, err = build(ctx, flatten(page), scripting)
	}
	if err != nil {
		return nil, err
	}
	d := index(root, s.size, indexOptions{maxNodes: limits.Nodes, noscript: !scripting})
	d.flattened = flattened
	d.truncated = d.truncated || s.truncated
	return d, nil
}

// build runs the HTML5 parser. It gives up when the context ends, and turns a
// panic of the parser into an error: no page may take its reader down.
func build(ctx context.Context, page []byte, scripting bool) (root *html.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("%w: %v", ErrMalformed, p)
		}
	}()
	root, err = markup.Parse(ctx, page, scripting)
	switch {
	case err == nil:
		return root, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
}

// needsNoscript reports whether the page shows next to nothing by itself but
// has something to say to browsers without scripts.
func (d *Document) needsNoscript() bool {
	const nothing, something = 200, 400
	if d.Chars(0) >= nothing {
		return false
	}
	for n := range d.All(0, Noscript) {
		if len(d.Raw(n)) >= something {
			return true
		}
	}
	return false
}

// FromNode indexes a tree that somebody else parsed, or a part of one. The
// tree must not change while the document is in use.
func FromNode(root *html.Node, limits Limits) (*Document, error) {
	if root == nil {
		return nil, errors.New("dom: no node given")
	}
	d := index(root, measure(root), indexOptions{maxNodes: limits.withDefaults().Nodes})
	d.charset = "utf-8"
	return d, nil
}

// measure counts what index will need room for.
func measure(root *html.Node) size {
	var s size
	for n := range preorder(root) {
		s.nodes++
		if n.Type == html.TextNode {
			s.text += len(n.Data)
		}
	}
	return s
}

// HTML is the parser's own node for n, for use with goquery and its like. It
// belongs to the document: clone it before changing it.
func (d *Document) HTML(n Node) *html.Node { return d.src[n] }
