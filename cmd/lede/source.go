package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/crawl/polite"
	"github.com/lede-news/lede/internal/page/browser"
)

// source is an open page.
type source struct {
	io.ReadCloser
	url      string
	charset  string                // of the HTTP header, or ""
	partial  article.PartialReason // why the page is incomplete, or ""
	rendered bool                  // by Chromium, which writes UTF-8 whatever the page declares
}

// pageSource returns a source for a page in memory.
func pageSource(page []byte, url, charset string) source {
	return source{ReadCloser: io.NopCloser(bytes.NewReader(page)), url: url, charset: charset}
}

// isAddress reports whether an argument is the address of a page and not a file.
func isAddress(arg string) bool { return strings.Contains(arg, "://") }

// open opens a page named on the command line.
func (e *extraction) open(ctx context.Context, arg string) (source, error) {
	if isAddress(arg) {
		src, err := e.fetch(ctx, arg)
		src.url = cmp.Or(e.flags.url, src.url)
		return src, err
	}
	src, err := e.openFile(arg)
	if err != nil || !e.flags.render {
		return src, err
	}
	defer src.Close()
	return e.runScripts(ctx, src)
}

// fetch fetches a page. With --render its scripts have run.
func (e *extraction) fetch(ctx context.Context, address string) (source, error) {
	resp, err := e.flags.getFunc(e.client, e.web)(ctx, address)
	if err != nil {
		return source{}, err
	}
	return e.fetched(resp), nil
}

// fetched returns a page that was fetched.
func (e *extraction) fetched(resp *fetch.Response) source {
	src := pageSource(resp.Body, resp.URL, resp.Charset)
	src.partial, src.rendered = resp.TruncatedReason, e.flags.render
	return src
}

// getFunc returns the function by which pages are fetched: by Chromium, if --render
// is set.
func (f *extractFlags) getFunc(client *fetch.Client, web *cli.Chromium) polite.GetFunc {
	if !f.render {
		return client.Get
	}
	return func(ctx context.Context, address string) (*fetch.Response, error) {
		page, err := web.Render(ctx, address)
		if err != nil {
			return nil, err
		}
		return &fetch.Response{URL: page.URL, Charset: "utf-8", Body: page.HTML}, nil
	}
}

// getPolitely fetches a page as its site allows. Chromium follows redirects itself.
func (f *extractFlags) getPolitely(ctx context.Context, p *polite.Fetcher, client *fetch.Client, web *cli.Chromium, address string) (*fetch.Response, error) {
	if !f.render {
		return p.Get(ctx, address)
	}
	return p.GetWith(ctx, address, f.getFunc(client, web))
}

// openFile opens a file, or standard input.
func (e *extraction) openFile(arg string) (source, error) {
	if arg == "-" {
		return source{ReadCloser: io.NopCloser(e.stdin), url: e.flags.url}, nil
	}
	if fi, err := os.Stat(arg); err == nil && fi.IsDir() {
		return source{}, fmt.Errorf("%s is a folder; lede batch reads folders", arg)
	}
	r, err := batch.Input{Path: arg}.Open()
	return source{ReadCloser: r, url: e.flags.url}, err
}

// runScripts returns a page of a file after its scripts have run.
func (e *extraction) runScripts(ctx context.Context, src source) (source, error) {
	limit := e.flags.maxBytes
	page, err := io.ReadAll(io.LimitReader(src, int64(limit)+1))
	if err != nil {
		return source{}, err
	}
	if len(page) > limit {
		return pageSource(page, src.url, src.charset), nil // the extraction fails and says why
	}
	from := browser.Source{URL: src.url}
	from.Charset, from.HeaderCharset = e.flags.charset, src.charset
	r, err := e.web.RenderHTML(ctx, page, from)
	if err != nil {
		return source{}, err
	}
	rendered := pageSource(r.HTML, src.url, "utf-8")
	rendered.rendered = true
	return rendered, nil
}

// hintRender adds the flag to use to the error of a page that is empty without its
// scripts.
func hintRender(err error, arg string, rendered bool) error {
	switch {
	case !errors.Is(err, lede.ErrScripts):
		return err
	case rendered:
		return lede.ErrNoContent // the scripts have run
	case isAddress(arg):
		return fmt.Errorf("%w; run them with --render", err)
	}
	return fmt.Errorf("%w; run them with --render, and with --network if they load the article", err)
}
