package browser

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/charset"
	"github.com/lede-news/lede/method"
)

// Page is a page as Chromium shows it.
type Page struct {
	Doc    *dom.Document
	Layout *method.Layout // by the nodes of Doc
	Styles *Styles        // by the nodes of Doc
}

// Source says where a page comes from and how to read it.
type Source struct {
	// URL is the address of the page, if it has one. What is relative in the
	// page is relative to it.
	URL string
	dom.Options
}

// LayoutHTML parses a page and lays it out. With Options.Scripts it runs its
// scripts first, and the document is what they have made of the page.
func (b *Browser) LayoutHTML(ctx context.Context, page []byte, src Source) (*Page, error) {
	read := src.Options
	if b.opts.Scripts {
		text, _, err := charset.Decode(page, charset.Hints{Charset: read.Charset, Header: read.HeaderCharset})
		if err != nil {
			return nil, err
		}
		if page, err = b.runScripts(ctx, text, src.URL); err != nil {
			return nil, err
		}
		read.Charset = "utf-8"
	}
	doc, err := dom.Parse(ctx, page, read)
	if err != nil {
		return nil, err
	}
	return b.Layout(ctx, doc, src.URL)
}

// Layout lays a document out. Its scripts do not run. The URL may be empty.
func (b *Browser) Layout(ctx context.Context, doc *dom.Document, url string) (*Page, error) {
	tree := uproot(doc, b.opts.Network)
	if err := b.enter(ctx); err != nil {
		return nil, err
	}
	defer b.leave()
	t, err := b.borrow(ctx)
	if err != nil {
		return nil, err
	}
	snap, err := b.show(ctx, t, tree, url)
	b.giveBack(t, err)
	if err != nil {
		return nil, err
	}
	l, styles, err := measure(doc, tree, snap, b.opts.Screen)
	if err != nil {
		return nil, err
	}
	return &Page{Doc: doc, Layout: l, Styles: styles}, nil
}

// show puts a tree into a tab and takes the snapshot of it.
func (b *Browser) show(ctx context.Context, t *tab, tree *tree, url string) (*snapshot, error) {
	ctx, cancel := t.within(ctx, b.opts.PageTime)
	defer cancel()
	var err error
	if b.opts.Network {
		err = t.plantAt(ctx, tree, url, b.opts.PageTime/2)
	} else {
		err = t.plant(ctx, tree)
	}
	if err != nil {
		return nil, t.explain(ctx, err)
	}
	s, err := t.capture(ctx)
	return s, t.explain(ctx, err)
}

//go:embed plant.js
var plantScript string

// plant replaces what the tab shows. The tab stays where it is: to go to another
// page costs several times as much as to put one there.
func (t *tab) plant(ctx context.Context, tree *tree) error {
	if t.window == "" {
		window, err := cdp.Call(ctx, t, runtime.Evaluate, runtime.EvaluateParams{Expression: "window"})
		if err != nil {
			return err
		}
		t.window = window.Result.ObjectID
	}
	yes := true
	res, err := cdp.Call(ctx, t, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: plantScript,
		ObjectID:            t.window,
		Arguments:           []*runtime.CallArgument{{Value: quoted(tree.doctype)}, {Value: tree.ops}},
		ReturnByValue:       &yes, Silent: &yes,
	})
	if err == nil && res.ExceptionDetails != nil {
		err = fmt.Errorf("%w: it cannot be built: %w", ErrMapping, &chromedp.ExceptionError{ExceptionDetails: res.ExceptionDetails})
	}
	return err
}

// plantAt puts a tree where its page belongs and gives it a while to load what
// it refers to.
func (t *tab) plantAt(ctx context.Context, tree *tree, url string, limit time.Duration) error {
	if err := t.visit(ctx, url); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	quiet, err := t.traffic(ctx, limit)
	if err != nil {
		return err
	}
	if err := t.plant(ctx, tree); err != nil {
		return err
	}
	return quiet()
}

// measure turns a snapshot into a layout by the numbers of the document.
func measure(doc *dom.Document, t *tree, s *snapshot, screen method.Screen) (*method.Layout, *Styles, error) {
	places, err := t.match(s)
	if err != nil {
		return nil, nil, err
	}
	page := s.Documents[0]
	l := &method.Layout{
		Screen: screen, Width: page.Width, Height: page.Height, Measured: true,
		Boxes: make([]method.Box, doc.Len()), Fonts: make([]method.Font, doc.Len()),
	}
	w := newWardrobe(doc.Len())
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
			w.hang(n, page.Layout.Styles[i], s)
		}
	}
	inherit(doc, l, w)
	return l, &w.Styles, nil
}

// inherit gives texts the style of their elements, elements without a box of
// their own (display: contents) that of what they hold, and the document all of
// the page.
func inherit(doc *dom.Document, l *method.Layout, w *wardrobe) {
	types := make([]method.Font, len(w.sets))
	for i := range w.sets {
		types[i] = typeOf(&w.sets[i])
	}
	for n := dom.Node(1); int(n) < doc.Len(); n++ {
		if doc.IsText(n) {
			w.of[n] = w.of[doc.Parent(n)]
		}
		if at := w.of[n]; at >= 0 {
			l.Fonts[n] = types[at]
		}
	}
	for n := dom.Node(doc.Len() - 1); n > 0; n-- {
		if p := doc.Parent(n); p > 0 && w.of[p] < 0 {
			l.Boxes[p] = union(l.Boxes[p], l.Boxes[n])
		}
	}
	l.Boxes[0] = method.Box{W: l.Width, H: l.Height}
}

// typeOf reads "16px" and "700".
func typeOf(s *set) method.Font {
	size, _ := strconv.ParseFloat(strings.TrimSuffix(s[FontSize], "px"), 64)
	weight, _ := strconv.ParseFloat(s[FontWeight], 64)
	return method.Font{Size: size, Weight: int(weight)}
}

func boxOf(b []float64) method.Box {
	if len(b) != 4 {
		return method.Box{}
	}
	return method.Box{X: b[0], Y: b[1], W: b[2], H: b[3]}
}

// union is the smallest box around both. A box without room counts for nothing.
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
