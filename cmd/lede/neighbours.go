package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/crawl/neighbours"
	"github.com/lede-news/lede/internal/crawl/polite"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/site/store"
)

// maxNeighbours bounds the pages that are read or fetched. The paper uses nine.
const maxNeighbours = 50

// neighbourFlags are the values of --neighbours.
type neighbourFlags struct {
	values []string
	wanted int      // pages to find on the web
	paths  []string // of pages at hand
}

func (f *neighbourFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.values, "neighbours", nil,
		"learn what the site repeats from its pages in a `FILE|FOLDER` (repeatable), or from N pages that lede finds on the web")
}

// check reads the flag. The pages are those on the command line, and address is the
// value of --url.
func (f *neighbourFlags) check(pages []string, address, siteStore string) error {
	for _, v := range f.values {
		n, err := strconv.Atoi(v)
		switch {
		case err != nil:
			f.paths = append(f.paths, v)
		case n < 1 || n > maxNeighbours:
			return fmt.Errorf("--neighbours %d: use a number from 1 to %d, or name files or folders", n, maxNeighbours)
		case f.wanted > 0:
			return errors.New("--neighbours takes one number; name files or folders to use several")
		default:
			f.wanted = n
		}
	}
	switch {
	case len(f.values) > 0 && siteStore != "":
		return errors.New("use either --neighbours or --site-store")
	case f.wanted > 0 && len(f.paths) > 0:
		return errors.New("--neighbours: use either a number or files and folders")
	}
	for _, p := range pages {
		if f.wanted > 0 && !strings.Contains(p, "://") && address == "" {
			return fmt.Errorf("--neighbours %d finds pages by the links of a page on the web; name files or folders, or give the address of the page with --url", f.wanted)
		}
	}
	return nil
}

// pageNeighbours provides the neighbours of pages.
type pageNeighbours struct {
	flags   *extractFlags
	client  *fetch.Client
	web     *cli.Chromium
	log     *slog.Logger
	stderr  io.Writer
	bar     *cli.Status
	polite  *polite.Fetcher
	fetched map[string]*dom.Document // by key of the address; nil if there is no article
	refused map[string]bool          // hosts whose robots.txt cannot be fetched
	near    []*dom.Document          // of --neighbours FILE
}

// newNeighbours reads the files of --neighbours. It returns nil without the flag.
func (f *extractFlags) newNeighbours(ctx context.Context, client *fetch.Client, web *cli.Chromium, log *slog.Logger, stderr io.Writer) (*pageNeighbours, error) {
	if len(f.neighbourFlags.values) == 0 {
		return nil, nil
	}
	n := &pageNeighbours{
		flags: f, client: client, web: web, log: log, stderr: stderr, bar: cli.NewStatus(stderr),
		polite:  polite.New(polite.Options{Do: client.Do, UserAgent: f.UserAgent}),
		fetched: map[string]*dom.Document{}, refused: map[string]bool{},
	}
	return n, n.read(ctx)
}

// read reads the files and folders of --neighbours. Pages that cannot be read are
// reported.
func (n *pageNeighbours) read(ctx context.Context) error {
	defer n.bar.Clear()
	for _, path := range n.flags.paths {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("--neighbours: %w", err)
		}
	}
	src := batch.Source{Paths: n.flags.paths, MaxBytes: int64(n.flags.maxBytes)}
	for in := range src.Inputs() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if errors.Is(in.Err, batch.ErrStatus) {
			continue // a redirect, not a page
		}
		if len(n.near) == maxNeighbours {
			n.report("using the first %d neighbours", maxNeighbours)
			return nil
		}
		d, err := n.readInput(ctx, in)
		if err != nil {
			n.report("neighbour skipped: %s", nameError(cmp.Or(in.URL, in.Path), err))
			continue
		}
		n.near = append(n.near, d)
		n.bar.Step("reading", len(n.near), 0, "neighbours")
	}
	if len(n.near) == 0 && len(n.flags.paths) > 0 {
		n.report("no neighbours in %s", strings.Join(n.flags.paths, ", "))
	}
	return nil
}

func (n *pageNeighbours) readInput(ctx context.Context, in batch.Input) (*dom.Document, error) {
	if in.Err != nil {
		return nil, in.Err
	}
	r, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	page, err := n.readPage(r)
	if err != nil {
		return nil, err
	}
	return n.parse(ctx, page, in.Charset)
}

// readPage reads a page up to one byte more than allowed, so that parse fails.
func (n *pageNeighbours) readPage(r io.Reader) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, int64(n.flags.maxBytes)+1))
}

func (n *pageNeighbours) parse(ctx context.Context, page []byte, charset string) (*dom.Document, error) {
	return dom.Parse(ctx, page, dom.Options{Charset: n.flags.charset, HeaderCharset: charset, Limits: dom.Limits{Bytes: n.flags.maxBytes}})
}

func (n *pageNeighbours) report(format string, args ...any) {
	n.bar.Clear()
	fmt.Fprintf(n.stderr, "lede: "+format+"\n", args...)
}

// around returns the neighbours of a page. It reads the page, and returns it again.
func (n *pageNeighbours) around(ctx context.Context, src source) ([]*dom.Document, source, error) {
	switch {
	case n == nil:
		return nil, src, nil
	case n.flags.wanted == 0:
		return n.near, src, nil
	}
	page, err := n.readPage(src)
	if err != nil {
		return nil, src, err
	}
	src.ReadCloser = struct {
		io.Reader
		io.Closer
	}{bytes.NewReader(page), src.ReadCloser}
	d, err := n.parse(ctx, page, src.charset)
	if err != nil {
		return nil, src, nil // the extraction fails with the same error
	}
	defer n.bar.Clear()
	n.polite.Fetched(ctx, src.url)
	return n.find(ctx, d, src.url), src, nil
}

// find finds neighbours by the links of a page and of its section page, those of
// the same category first.
func (n *pageNeighbours) find(ctx context.Context, d *dom.Document, address string) []*dom.Document {
	wanted := n.flags.wanted
	n.bar.Step(address, 0, wanted, "neighbours")
	found := sameSite(links.Read(d, address), address)
	section := neighbours.Section(address, n.sectionName(ctx, d, address), found)
	n.log.DebugContext(ctx, "section page", "url", section)
	if index, err := n.get(ctx, section); err == nil && store.SiteName(index.URL) == store.SiteName(address) {
		if s, err := n.parse(ctx, index.Body, index.Charset); err == nil {
			found = append(sameSite(links.Read(s, index.URL), address), found...)
		}
	}
	var near []*dom.Document
	tries := 0
	tried := map[string]bool{links.Key(address): true, links.Key(section): true}
	for _, l := range neighbours.Rank(address, section, found) {
		if len(near) == wanted || tries == 2*wanted+5 || ctx.Err() != nil {
			break
		}
		key := links.Key(l.URL)
		if tried[key] {
			continue
		}
		tried[key] = true
		doc, known := n.fetched[key]
		if !known {
			tries++
			var err error
			if doc, err = n.fetchArticle(ctx, l.URL, address); err != nil && ctx.Err() == nil && !errors.Is(err, polite.ErrNoRobots) {
				n.report("neighbour skipped: %s", nameError(l.URL, err))
			}
			n.fetched[key] = doc
		}
		if doc != nil {
			near = append(near, doc)
			n.log.DebugContext(ctx, "neighbour", "url", l.URL)
			n.bar.Step(address, len(near), wanted, "neighbours")
		}
	}
	if len(near) < wanted && ctx.Err() == nil {
		n.report("found %d of %d neighbours of %s", len(near), wanted, address)
	}
	return near
}

// sectionName returns the name of the section that a page declares, or "".
func (n *pageNeighbours) sectionName(ctx context.Context, d *dom.Document, address string) string {
	x, err := lede.New(lede.WithURL(address))
	if err != nil {
		return ""
	}
	a, err := x.ExtractDocument(ctx, d)
	if err != nil {
		return ""
	}
	return a.Section
}

func sameSite(all []links.Link, address string) []links.Link {
	site := store.SiteName(address)
	var same []links.Link
	for _, l := range all {
		if store.SiteName(l.URL) == site {
			same = append(same, l)
		}
	}
	return same
}

// fetchArticle fetches a neighbour. It returns nil if it is not an article.
func (n *pageNeighbours) fetchArticle(ctx context.Context, address, of string) (*dom.Document, error) {
	page, err := n.get(ctx, address)
	if err != nil {
		return nil, err
	}
	if store.SiteName(page.URL) != store.SiteName(of) {
		return nil, fmt.Errorf("redirected to another site, %s", page.URL)
	}
	d, err := n.parse(ctx, page.Body, page.Charset)
	if err != nil {
		return nil, err
	}
	x, err := lede.New()
	if err != nil {
		return nil, err
	}
	if a, err := x.ExtractDocument(ctx, d); err != nil || a.Type != article.TypeArticle {
		return nil, nil
	}
	return d, nil
}

// get fetches a page if the site allows it, after a pause.
func (n *pageNeighbours) get(ctx context.Context, address string) (*fetch.Response, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("%q is not an address", address)
	}
	resp, err := n.flags.getPolitely(ctx, n.polite, n.client, n.web, address)
	if errors.Is(err, polite.ErrNoRobots) && !n.refused[u.Host] {
		n.refused[u.Host] = true
		n.report("neighbours: nothing is fetched from %s without its robots.txt: %s", u.Host, cli.OneLine(cli.HintPrivate(err)))
	}
	return resp, err
}
