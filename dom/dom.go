// Package dom turns the bytes of a page into an immutable, indexed Document.
//
// The way is decode, parse, index. Decode finds the charset and gives UTF-8;
// parse builds the tree that HTML5 prescribes; index walks that tree once,
// numbers its nodes in preorder and sums up everything that a method may want
// to count. After that a subtree is a range of numbers, and any count over
// any subtree is one subtraction of two prefix sums.
//
// The text of the page is one buffer, written as a reader would see it: white
// space folded, rows broken where blocks and line breaks break them, nothing
// of what is hidden. The text of a node is a slice of that buffer.
//
// Nothing outside this package knows which parser is behind it. Users of
// goquery and other tools over *html.Node come in through [FromNode] and go
// out through [Document.HTML].
package dom

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/markup"
)

// Options say how to read a page.
type Options struct {
	// Charset is the encoding that the caller insists on.
	Charset string
	// HeaderCharset is the encoding that the HTTP header names. It counts for
	// more than what the page says of itself, but UTF-8 that is plainly there
	// counts for more than both.
	HeaderCharset string
	// Own says that the page's bytes are the document's from now on, and that
	// the caller will not change them. It saves a copy.
	Own    bool
	Limits Limits
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
	o := markup.Options{Scripting: true, Own: opts.Own}
	d, err := parse(ctx, text, limits, o)
	if err != nil {
		return nil, err
	}
	if d.needsNoscript() {
		o.Scripting = false
		if plain, err := parse(ctx, text, limits, o); err == nil && plain.Chars(0) > d.Chars(0) {
			d = plain
		}
	}
	d.charset = charset
	return d, nil
}

// parse builds the tree and indexes it.
func parse(ctx context.Context, page []byte, limits Limits, o markup.Options) (*Document, error) {
	tree, err := markup.Tree{}, error(errManyTags)
	if mostNodes := 2*bytes.Count(page, []byte("<")) + 1; mostNodes <= limits.Nodes {
		o.Wary = true
		tree, err = build(ctx, page, o)
	}
	switch {
	case err == nil:
		return index(tree.Root, size{tree.Nodes, tree.Text}, indexOptions{maxNodes: limits.Nodes, noscript: !o.Scripting}), nil
	case ctx.Err() != nil:
		return nil, err
	}
	return parseOdd(ctx, page, limits, o)
}

// errManyTags is why a page is not parsed at once: it may be cut off.
var errManyTags = errors.New("dom: the page may have more nodes than the limit")

// parseOdd parses the few pages that cannot be parsed just as they are.
func parseOdd(ctx context.Context, page []byte, limits Limits, o markup.Options) (*Document, error) {
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
	o.Wary = true
	tree, err := build(ctx, page, o)
	if errors.Is(err, markup.ErrOpenTitle) { // at the very end, or another one
		o.Wary = false
		tree, err = build(ctx, page, o)
	}
	flattened := s.flat || err != nil && ctx.Err() == nil
	if err != nil && flattened {
		o.Wary = false
		tree, err = build(ctx, flatten(page), o)
	}
	if err != nil {
		return nil, err
	}
	d := index(tree.Root, size{tree.Nodes, tree.Text}, indexOptions{maxNodes: limits.Nodes, noscript: !o.Scripting})
	d.flattened = flattened
	d.truncated = d.truncated || s.truncated
	return d, nil
}

// build runs the HTML5 parser. It gives up when the context ends, and turns a
// panic of the parser into an error: no page may take its reader down.
func build(ctx context.Context, page []byte, o markup.Options) (tree markup.Tree, err error) {
	defer func() {
		if p := recover(); p != nil {
			tree, err = markup.Tree{}, fmt.Errorf("%w: %v", ErrMalformed, p)
		}
	}()
	tree, err = markup.Read(ctx, page, o)
	switch {
	case err == nil:
		return tree, nil
	case ctx.Err() != nil:
		return tree, context.Cause(ctx)
	}
	return tree, fmt.Errorf("%w: %w", ErrMalformed, err)
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

// Limits bound what a page may cost. The zero value of a field means its
// default.
type Limits struct {
	// Bytes is the largest page that is read; a larger one is ErrTooLarge.
	Bytes int
	// Nodes is how many nodes of a page are looked at. What comes after is
	// cut off, and Document.Truncated says so.
	Nodes int
}

// The default limits. Of 5,200 pages that were measured none has more than
// 1.8 MB or 28,000 nodes.
const (
	DefaultBytes = 20 << 20
	DefaultNodes = 500_000
)

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	if l.Nodes <= 0 {
		l.Nodes = DefaultNodes
	}
	// Places in the text are numbers of 32 bits, and decoding may triple it.
	l.Bytes, l.Nodes = min(l.Bytes, 1<<29), min(l.Nodes, 1<<29)
	return l
}

// Errors of decoding and parsing.
var (
	// ErrEmpty means that there is nothing on the page: no bytes, or only white space.
	ErrEmpty = errors.New("the page is empty")
	// ErrTooLarge means that the page has more bytes than the limit.
	ErrTooLarge = errors.New("the page is too large")
	// ErrNotHTML means that the bytes are something else: a picture, a PDF, a program.
	ErrNotHTML = errors.New("this is not an HTML page")
	// ErrCharset means that nobody knows the charset that was asked for.
	ErrCharset = errors.New("unknown charset")
	// ErrMalformed means that the parser gave up.
	ErrMalformed = errors.New("the page cannot be parsed")
)
