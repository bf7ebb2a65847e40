package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
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

// LayoutHTML parses a page and lays it out. With Options.Scripts, it runs the
// scripts first, and the document is their result.
func (b *Browser) LayoutHTML(ctx context.Context, page []byte, src Source) (*Page, error) {
	opts := src.Options
	if b.opts.Scripts {
		r, err := b.RenderHTML(ctx, page, src)
		if err != nil {
			return nil, err
		}
		page, opts.Charset = r.HTML, "utf-8"
	}
	doc, err := dom.Parse(ctx, page, opts)
	if err != nil {
		return nil, err
	}
	return b.Layout(ctx, doc, src.URL)
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
	doctype, _ := json.Marshal(tree.doctype) // a string cannot fail
	yes := true
	res, err := cdp.Call(ctx, t, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: buildScript,
		ObjectID:            t.window,
		Arguments:           []*runtime.CallArgument{{Value: doctype}, {Value: tree.ops}},
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
		Screen: opts.Screen, Width: page.Width, Height: page.Height, Measured: true,
		Boxes: make([]method.Box, doc.Len()), Fonts: make([]method.Font, doc.Len()),
	}
	styles := newStyleTable(doc.Len(), opts.properties())
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
		if i < len(page.Layout.Styles) && !doc.IsText(n) {
			styles.add(n, page.Layout.Styles[i], s)
		}
	}
	inherit(doc, l, &styles.Styles)
	return l, &styles.Styles, nil
}

// inherit sets the styles of texts to those of their elements, the boxes of
// elements without one (display: contents) to those of their contents, and the box
// of the document to the whole page.
func inherit(doc *dom.Document, l *method.Layout, s *Styles) {
	fonts := make([]method.Font, len(s.sets))
	for i := range s.sets {
		fonts[i] = fontOf(s.sets[i])
	}
	for n := dom.Node(1); int(n) < doc.Len(); n++ {
		if doc.IsText(n) {
			s.of[n] = s.of[doc.Parent(n)]
		}
		if at := s.of[n]; at >= 0 {
			l.Fonts[n] = fonts[at]
		}
	}
	for n := dom.Node(doc.Len() - 1); n > 0; n-- {
		if p := doc.Parent(n); p > 0 && s.of[p] < 0 {
			l.Boxes[p] = union(l.Boxes[p], l.Boxes[n])
		}
	}
	l.Boxes[0] = method.Box{W: l.Width, H: l.Height}
}

// fontOf parses values such as "16px" and "700".
func fontOf(s []string) method.Font {
	size, _ := strconv.ParseFloat(strings.TrimSuffix(s[fontSize], "px"), 64)
	weight, _ := strconv.ParseFloat(s[fontWeight], 64)
	return method.Font{Size: size, Weight: int(weight)}
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
