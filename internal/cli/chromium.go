package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/browser"
	"github.com/lede-news/lede/method"
)

// chromiumFlags are the flags of commands that may use a browser.
type ChromiumFlags struct {
	Browser bool
	Network bool
}

// add adds the flags. what is what the layout is for, or "".
func (f *ChromiumFlags) Add(cmd *cobra.Command, what string) {
	cmd.Flags().BoolVar(&f.Browser, "browser", false, "measure the layout with Chromium"+what+" (default: estimate it)")
	cmd.Flags().BoolVar(&f.Network, "network", false, "let Chromium load the style sheets and pictures of pages, and the scripts of files load more")
}

// chromium is a browser that starts when it is first needed.
type Chromium struct {
	Opts  browser.Options
	once  sync.Once
	b     *browser.Browser
	err   error
	pages sync.Map // from *dom.Document to *browser.Page, used by both method and format
}

func (f *ChromiumFlags) Chromium(w io.Writer, pageTime time.Duration, allowPrivate bool, log *slog.Logger) *Chromium {
	opts := browser.Options{
		Network: f.Network, PageTime: pageTime, Logger: log,
		Report: func(message string) { fmt.Fprintf(w, "lede: %s\n", message) },
	}
	if allowPrivate {
		opts.Dial = new(net.Dialer).DialContext
	}
	return &Chromium{Opts: opts}
}

func (c *Chromium) Start(ctx context.Context) (*browser.Browser, error) {
	c.once.Do(func() { c.b, c.err = browser.New(ctx, c.Opts) })
	return c.b, c.err
}

func (c *Chromium) Close() {
	if c.b != nil {
		_ = c.b.Close()
	}
}

// page returns the layout of a document, measured once.
func (c *Chromium) Page(ctx context.Context, d *dom.Document, url string) (*browser.Page, error) {
	if p, ok := c.pages.Load(d); ok {
		return p.(*browser.Page), nil
	}
	b, err := c.Start(ctx)
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
func (c *Chromium) Forget(d *dom.Document) { c.pages.Delete(d) }

var _ lede.Layouter = (*Chromium)(nil).Layout

func (c *Chromium) Layout(ctx context.Context, d *dom.Document, url string) (*method.Layout, error) {
	p, err := c.Page(ctx, d, url)
	if err != nil {
		return nil, err
	}
	return p.Layout, nil
}

// render fetches a page and runs its scripts.
func (c *Chromium) Render(ctx context.Context, url string) (*browser.Rendered, error) {
	b, err := c.Start(ctx)
	if err != nil {
		return nil, err
	}
	return b.Render(ctx, url)
}

// renderHTML runs the scripts of a page that is at hand.
func (c *Chromium) RenderHTML(ctx context.Context, html []byte, src browser.Source) (*browser.Rendered, error) {
	b, err := c.Start(ctx)
	if err != nil {
		return nil, err
	}
	return b.RenderHTML(ctx, html, src)
}
