package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/page/browser"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/site/store"
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

// readAtMost reads a page up to one byte more than allowed, so that parsing it fails.
func readAtMost(r io.Reader, maxBytes int) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, int64(maxBytes)+1))
}

// isAddress reports whether an argument is the address of a page and not a file.
func isAddress(arg string) bool { return strings.Contains(arg, "://") }

// open opens a page named on the command line.
func (e *extraction) open(ctx context.Context, arg string) (source, error) {
	if isAddress(arg) {
		resp, err := e.fetch(ctx, arg)
		if err != nil {
			return source{}, err
		}
		src := e.fetched(resp)
		src.url = cmp.Or(e.flags.url, src.url)
		return src, nil
	}
	src, err := e.openFile(arg)
	if err != nil || !e.flags.render {
		return src, err
	}
	defer src.Close()
	return e.runScripts(ctx, src)
}

// fetch fetches a page. With --render its scripts have run.
func (e *extraction) fetch(ctx context.Context, address string) (*fetch.Response, error) {
	if !e.flags.render {
		return e.client.Get(ctx, address)
	}
	return rendered(ctx, e.web, address)
}

// rendered fetches a page with Chromium.
func rendered(ctx context.Context, web *cli.Chromium, address string) (*fetch.Response, error) {
	page, err := web.Render(ctx, address)
	if err != nil {
		return nil, err
	}
	header := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
	return &fetch.Response{URL: page.URL, Status: http.StatusOK, Header: header, ContentType: "text/html", Charset: "utf-8", Body: page.HTML}, nil
}

// fetched returns a page that was fetched.
func (e *extraction) fetched(resp *fetch.Response) source {
	src := pageSource(resp.Body, resp.URL, resp.Charset)
	src.partial, src.rendered = resp.TruncatedReason, e.flags.render
	return src
}

// getSameSite fetches a page of the site of another one, as the site allows.
func (e *extraction) getSameSite(ctx context.Context, address, of string) (resp *fetch.Response, err error) {
	switch {
	case links.Key(address) == "":
		return nil, errors.New("its address is unknown; give that of the first page with --url")
	case store.SiteName(address) != store.SiteName(of):
		return nil, errors.New("it is on another site")
	case e.flags.render: // Chromium follows redirects itself
		resp, err = e.polite.GetWith(ctx, address, e.fetch)
	default:
		resp, err = e.polite.Get(ctx, address)
	}
	if err == nil && store.SiteName(resp.URL) != store.SiteName(of) {
		err = fmt.Errorf("redirected to another site, %s", resp.URL)
	}
	return resp, err
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
	page, err := readAtMost(src, e.flags.maxBytes)
	if err != nil {
		return source{}, err
	}
	if len(page) > e.flags.maxBytes {
		return pageSource(page, src.url, src.charset), nil // the extraction fails and says why
	}
	from := browser.Source{URL: src.url}
	from.Charset, from.HeaderCharset = e.flags.charset, src.charset
	r, err := e.web.RenderHTML(ctx, page, from)
	if err != nil {
		return source{}, err
	}
	done := pageSource(r.HTML, src.url, "utf-8")
	done.rendered = true
	return done, nil
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

// maxNeighbours bounds the pages that are read. The paper uses nine.
const maxNeighbours = 50

// readNeighbours reads the pages of --neighbours. Those that cannot be read are reported.
func (f *pageFlags) readNeighbours(ctx context.Context, paths []string, stderr io.Writer) (near []*dom.Document, err error) {
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			return nil, cli.Fail(fmt.Errorf("--neighbours: %w", err))
		}
	}
	src := batch.Source{Paths: paths, MaxBytes: int64(f.maxBytes)}
	for in := range src.Inputs() {
		switch {
		case ctx.Err() != nil:
			return nil, cli.Fail(context.Cause(ctx))
		case errors.Is(in.Err, batch.ErrStatus):
			continue // a redirect, not a page
		case len(near) == maxNeighbours:
			fmt.Fprintf(stderr, "lede: using the first %d neighbours\n", maxNeighbours)
			return near, nil
		}
		d, err := f.readNeighbour(ctx, in)
		if err != nil {
			fmt.Fprintf(stderr, "lede: neighbour skipped: %s\n", nameError(cmp.Or(in.URL, in.Path), err))
			continue
		}
		near = append(near, d)
	}
	if len(near) == 0 && len(paths) > 0 {
		fmt.Fprintf(stderr, "lede: no neighbours in %s\n", strings.Join(paths, ", "))
	}
	return near, nil
}

func (f *pageFlags) readNeighbour(ctx context.Context, in batch.Input) (*dom.Document, error) {
	if in.Err != nil {
		return nil, in.Err
	}
	r, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	page, err := readAtMost(r, f.maxBytes)
	if err != nil {
		return nil, err
	}
	return dom.Parse(ctx, page, dom.Options{Charset: f.charset, HeaderCharset: in.Charset, Limits: dom.Limits{Bytes: f.maxBytes}})
}
