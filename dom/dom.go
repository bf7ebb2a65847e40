// Package dom parses a page into an immutable, indexed [Document].
//
// [Parse] works in three steps. It decodes the bytes to UTF-8, builds the tree
// that HTML5 prescribes, and walks that tree once to number the nodes in
// preorder and sum up what a method may want to count. A subtree is then a
// range of node numbers, and any count over it is the difference of two prefix
// sums.
//
// The text of the page is one string, as a reader would see it: white space is
// collapsed, blocks and line breaks begin a new line, and hidden elements are
// left out. The text of a node is a slice of that string.
//
// Parse a page once to run several methods on it. To work with goquery or other packages
// that use *html.Node, convert with [FromNode] and [Document.HTML].
package dom

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/page/charset"
	"github.com/lede-news/lede/internal/page/limits"
	"github.com/lede-news/lede/internal/page/markup"
)

// Options control how Parse reads a page. The zero value is ready to use.
type Options struct {
	// Charset is the charset of the page, whatever the page says. Only a byte
	// order mark overrides it. Empty means that Parse finds the charset.
	Charset string
	// HeaderCharset is the charset that the HTTP header names. It overrides
	// the declaration of the page, but not text that is clearly UTF-8.
	HeaderCharset string
	// NoCopy lets the document refer to the bytes of the page instead of a
	// copy. The caller must not change them afterwards.
	NoCopy bool
	// Limits bound the size of the page.
	Limits Limits
}

// Limits bound the size of a page. If a field is zero or less, its default
// applies.
type Limits struct {
	// Bytes is the size of the largest page that Parse accepts. For a larger
	// one it returns ErrTooLarge. The default is DefaultBytes.
	Bytes int
	// Nodes is the largest number of nodes in a document. The rest of the
	// page is cut off, and Document.Truncated reports true. The default is
	// DefaultNodes.
	Nodes int
}

// The default limits: 20 MiB and 500,000 nodes. Of 5,200 news pages none has more
// than 1.8 MB or 28,000 nodes.
const (
	DefaultBytes = limits.PageBytes
	DefaultNodes = limits.PageNodes
)

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultBytes
	}
	if l.Nodes <= 0 {
		l.Nodes = DefaultNodes
	}
	// Offsets in the text have 32 bits, and decoding may triple its size.
	l.Bytes, l.Nodes = min(l.Bytes, 1<<29), min(l.Nodes, 1<<29)
	return l
}

// Errors of Parse. Compare with errors.Is.
var (
	// ErrEmpty means that the page has no bytes, or only white space.
	ErrEmpty = charset.ErrEmpty
	// ErrTooLarge means that the page is larger than Limits.Bytes.
	ErrTooLarge = errors.New("the page is too large")
	// ErrNotHTML means that the bytes are not a page but, for example, a
	// picture, a PDF or a program.
	ErrNotHTML = charset.ErrNotHTML
	// ErrCharset means that Options.Charset is unknown.
	ErrCharset = charset.ErrUnknown
	// ErrMalformed means that the page cannot be parsed.
	ErrMalformed = errors.New("the page cannot be parsed")
)

// Parse decodes, parses and indexes a page. It stops when ctx is done and
// returns the cause.
func Parse(ctx context.Context, page []byte, opts Options) (*Document, error) {
	limits := opts.Limits.withDefaults()
	if len(page) > limits.Bytes {
		return nil, fmt.Errorf("%w: more than %d bytes; raise the limit to read it", ErrTooLarge, limits.Bytes)
	}
	text, name, err := charset.Decode(page, charset.Hints{Charset: opts.Charset, Header: opts.HeaderCharset})
	if err != nil {
		return nil, err
	}
	o := markup.Options{
		Scripting: true, NoCopy: opts.NoCopy, CloseTitle: true,
		MaxNodes: 2 * limits.Nodes, // the document has no comments and blank texts
	}
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
	d.charset, d.size = name, len(page)
	return d, nil
}

// parse builds the tree and indexes it. A page that is nested too deeply or would grow
// without bound is parsed again with less nesting.
func parse(ctx context.Context, page []byte, limits Limits, o markup.Options) (*Document, error) {
	tree, err := build(ctx, page, o)
	if err != nil && ctx.Err() == nil {
		o.Flat = true
		tree, err = build(ctx, page, o)
	}
	if err != nil {
		return nil, err
	}
	d := index(tree, indexOptions{maxNodes: limits.Nodes, noscript: !o.Scripting})
	d.truncated = d.truncated || tree.Truncated
	return d, nil
}

// build runs the HTML5 parser. It turns a panic of the parser into an error,
// so that no page can crash the program.
func build(ctx context.Context, page []byte, o markup.Options) (tree *markup.Tree, err error) {
	defer func() {
		if p := recover(); p != nil {
			tree, err = nil, fmt.Errorf("%w: %v", ErrMalformed, p)
		}
	}()
	tree, err = markup.Parse(ctx, page, o)
	switch {
	case err == nil:
		return tree, nil
	case ctx.Err() != nil:
		return tree, context.Cause(ctx)
	}
	return tree, fmt.Errorf("%w: %w", ErrMalformed, err)
}

// needsNoscript reports whether the page shows next to nothing by itself but
// has content for browsers without scripts.
func (d *Document) needsNoscript() bool {
	const little, enough = 200, 400
	if d.Chars(0) >= little {
		return false
	}
	for n := range d.All(0, Noscript) {
		if len(d.Raw(n)) >= enough {
			return true
		}
	}
	return false
}

// FromNode indexes a tree, or part of one, that was parsed elsewhere. The tree
// must not change while the document is in use.
func FromNode(root *html.Node, limits Limits) (*Document, error) {
	if root == nil {
		return nil, errors.New("dom: FromNode needs a node, got nil")
	}
	tree, nodes := markup.FromHTML(root)
	d := index(tree, indexOptions{maxNodes: limits.withDefaults().Nodes})
	d.html.nodes = nodes
	d.charset = "utf-8"
	return d, nil
}
