package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/browser"
	"github.com/lede-news/lede/method"
)

// chromiumFlags are the flags of commands that may use a browser.
type chromiumFlags struct {
	browser bool
	network bool
}

// add adds the flags. what is what the layout is for, or "".
func (f *chromiumFlags) add(cmd *cobra.Command, what string) {
	cmd.Flags().BoolVar(&f.browser, "browser", false, "measure the layout with Chromium"+what+" (default: estimate it)")
	cmd.Flags().BoolVar(&f.network, "network", false, "let Chromium load the style sheets and pictures of pages, and the scripts of files load more")
}

// usesLayout reports whether a method uses the layout of a page.
func usesLayout(method string) bool {
	return method == "wrapper" || strings.HasPrefix(method, "wrapper:")
}

// chromium is a browser that starts when it is first needed.
type chromium struct {
	opts  browser.Options
	once  sync.Once
	b     *browser.Browser
	err   error
	pages sync.Map // from *dom.Document to *browser.Page, used by both method and format
}

func (f *chromiumFlags) chromium(w io.Writer, pageTime time.Duration, allowPrivate bool, log *slog.Logger) *chromium {
	opts := browser.Options{
		Network: f.network, PageTime: pageTime, Logger: log,
		Report: func(message string) { fmt.Fprintf(w, "lede: %s\n", message) },
	}
	if allowPrivate {
		opts.Dial = new(net.Dialer).DialContext
	}
	return &chromium{opts: opts}
}

func (c *chromium) start(ctx context.Context) (*browser.Browser, error) {
	c.once.Do(func() { c.b, c.err = browser.New(ctx, c.opts) })
	return c.b, c.err
}

func (c *chromium) close() {
	if c.b != nil {
		_ = c.b.Close()
	}
}

// page returns the layout of a document, measured once.
func (c *chromium) page(ctx context.Context, d *dom.Document, url string) (*browser.Page, error) {
	if p, ok := c.pages.Load(d); ok {
		return p.(*browser.Page), nil
	}
	b, err := c.start(ctx)
	if err != nil {
		return nil, err
	}
	p, err := b.Layout(ctx, d, url)
	if err == nil {
		c.pages.Store(d, p)
	}
	return p, err
}

// forget drops the layout of a document.
func (c *chromium) forget(d *dom.Document) { c.pages.Delete(d) }

var _ lede.Layouter = (*chromium)(nil).layout

func (c *chromium) layout(ctx context.Context, d *dom.Document, url string) (*method.Layout, error) {
	p, err := c.page(ctx, d, url)
	if err != nil {
		return nil, err
	}
	return p.Layout, nil
}

// layoutOnce is like layout for a document that is laid out only once.
func (c *chromium) layoutOnce(ctx context.Context, d *dom.Document, url string) (*method.Layout, error) {
	defer c.forget(d)
	return c.layout(ctx, d, url)
}

// render fetches a page and runs its scripts.
func (c *chromium) render(ctx context.Context, url string) (*browser.Rendered, error) {
	b, err := c.start(ctx)
	if err != nil {
		return nil, err
	}
	return b.Render(ctx, url)
}

// renderHTML runs the scripts of a page that is at hand.
func (c *chromium) renderHTML(ctx context.Context, html []byte, src browser.Source) (*browser.Rendered, error) {
	b, err := c.start(ctx)
	if err != nil {
		return nil, err
	}
	return b.RenderHTML(ctx, html, src)
}
