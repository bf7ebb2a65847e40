package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// Page is the layout of a page in Chromium.
type Page struct {
	Doc    *dom.Document
	Layout *method.Layout // by the nodes of Doc
	Styles *Styles        // by the nodes of Doc
}

// Source is the origin of a page.
type Source struct {
	// URL is the URL of the page, if known, to resolve relative URLs.
	URL string
	dom.Options
}

// Layout lays out a document without running its scripts. The URL may be empty.
func (b *Browser) Layout(ctx context.Context, doc *dom.Document, url string) (*Page, error) {
	tree := newTree(doc, b.opts.Network)
	if err := b.acquire(ctx); err != nil {
		return nil, err
	}
	defer b.release()
	t, err := b.takeTab(ctx)
	if err != nil {
		return nil, err
	}
	snap, err := b.show(ctx, t, tree, url)
	b.returnTab(t, err)
	if err != nil {
		return nil, err
	}
	l, styles, err := measure(doc, tree, snap, &b.opts)
	if err != nil {
		return nil, err
	}
	return &Page{Doc: doc, Layout: l, Styles: styles}, nil
}

// show builds a tree in a tab and takes its snapshot.
func (b *Browser) show(ctx context.Context, t *tab, tree *tree, url string) (*snapshot, error) {
	ctx, cancel := t.within(ctx, b.opts.PageTime)
	defer cancel()
	var err error
	if b.opts.Network {
		err = t.buildAt(ctx, tree, url, b.opts.PageTime/2)
	} else {
		err = t.build(ctx, tree)
	}
	if err != nil {
		return nil, t.explain(ctx, err)
	}
	s, err := t.capture(ctx, b.opts.properties())
	return s, t.explain(ctx, err)
}

//go:embed build.js
var buildScript string

// build replaces the document in the tab by a tree. The tab does not navigate,
// which would take several times as long.
func (t *tab) build(ctx context.Context, tree *tree) error {
	if t.window == "" {
		window, err := cdp.Call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{Expression: "window"})
		if err != nil {
			return err
		}
		t.window = window.Result.ObjectID
	}
	doctype, _ := json.Marshal(tree.doctype) // strings cannot fail
	ops, _ := json.Marshal(tree.ops)
	yes := true
	res, err := cdp.Call(ctx, t, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: buildScript,
		ObjectID:            t.window,
		Arguments:           []*runtime.CallArgument{{Value: doctype}, {Value: ops}},
		ReturnByValue:       &yes, Silent: &yes,
	})
	if err == nil && res.ExceptionDetails != nil {
		err = fmt.Errorf("%w: cannot build it: %w", ErrMapping, &chromedp.ExceptionError{ExceptionDetails: res.ExceptionDetails})
	}
	return err
}

// buildAt builds a tree at the URL of its page and waits until style sheets and
// pictures have loaded.
func (t *tab) buildAt(ctx context.Context, tree *tree, url string, limit time.Duration) error {
	if err := t.serve(ctx, nil, url); err != nil { // an empty page
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	wait, err := t.watchRequests(ctx, limit)
	if err != nil {
		return err
	}
	if err := t.build(ctx, tree); err != nil {
		return err
	}
	return wait()
}

// measure returns the layout and the styles of a document in a snapshot.
func measure(doc *dom.Document, t *tree, s *snapshot, opts *Options) (*method.Layout, *Styles, error) {
	places, err := t.match(s)
	if err != nil {
		return nil, nil, err
	}
	page := s.Documents[0]
	l := &method.Layout{
		Screen: screen, Width: page.Width, Height: page.Height, Measured: true,
		Boxes: make([]method.Box, doc.Len()), Fonts: make([]method.Font, doc.Len()),
	}
	styles := &Styles{names: opts.properties(), of: make([][]int32, doc.Len()), strings: s.Strings}
	for i, at := range page.Layout.Node {
		if at < 0 || int(at) >= len(places) || places[at] < 0 {
			continue
		}
		n := t.nodes[places[at]].id
		if n == dom.None {
			continue
		}
		if i < len(page.Layout.Bounds) {
			l.Boxes[n] = union(l.Boxes[n], boxOf(page.Layout.Bounds[i]))
		}
		if i < len(page.Layout.Styles) && len(page.Layout.Styles[i]) == len(styles.names) && !doc.IsText(n) {
			styles.of[n] = page.Layout.Styles[i]
		}
	}
	inherit(doc, l, styles)
	return l, styles, nil
}

// inherit sets the styles of texts to those of their elements, the boxes of
// elements without one (display: contents) to those of their contents, and the box
// of the document to the whole page.
func inherit(doc *dom.Document, l *method.Layout, s *Styles) {
	for n := dom.Node(1); int(n) < doc.Len(); n++ {
		if doc.IsText(n) {
			s.of[n] = s.of[doc.Parent(n)]
		}
		if s.of[n] != nil {
			size, _ := strconv.ParseFloat(strings.TrimSuffix(s.Get(n, "font-size"), "px"), 64)
			weight, _ := strconv.ParseFloat(s.Get(n, "font-weight"), 64)
			l.Fonts[n] = method.Font{Size: size, Weight: int(weight)}
		}
	}
	for n := dom.Node(doc.Len() - 1); n > 0; n-- {
		if p := doc.Parent(n); p > 0 && s.of[p] == nil {
			l.Boxes[p] = union(l.Boxes[p], l.Boxes[n])
		}
	}
	l.Boxes[0] = method.Box{W: l.Width, H: l.Height}
}

// Styles has the computed styles of the nodes of a document.
type Styles struct {
	names   []string
	of      [][]int32 // by node: the numbers of the values; nil if it is not rendered
	strings []string
}

// Get returns the value of one of the properties of the browser as Chromium
// writes it, such as "16px", "700" or "rgb(0, 0, 0)". A text has the style of its
// element. The value is empty for nodes that are not rendered.
func (s *Styles) Get(n dom.Node, property string) string {
	i := slices.Index(s.names, property)
	if i < 0 || s.of[n] == nil {
		return ""
	}
	if at := s.of[n][i]; at >= 0 && int(at) < len(s.strings) {
		return s.strings[at]
	}
	return ""
}

func boxOf(b []float64) method.Box {
	if len(b) != 4 {
		return method.Box{}
	}
	return method.Box{X: b[0], Y: b[1], W: b[2], H: b[3]}
}

// union returns the smallest box around both. Empty boxes are ignored.
func union(a, b method.Box) method.Box {
	switch {
	case a.W <= 0 && a.H <= 0:
		return b
	case b.W <= 0 && b.H <= 0:
		return a
	}
	x, y := min(a.X, b.X), min(a.Y, b.Y)
	return method.Box{X: x, Y: y, W: max(a.Right(), b.Right()) - x, H: max(a.Bottom(), b.Bottom()) - y}
}
