package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/crawl/neighbours"
	"github.com/lede-news/lede/internal/crawl/polite"
	"github.com/lede-news/lede/internal/crawl/storylinks"
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
		default:
			f.wanted = n
		}
	}
	switch {
	case len(f.values) > 0 && siteStore != "":
		return errors.New("use either --neighbours or --site-store")
	case f.wanted > 0 && len(f.values) > 1:
		return errors.New("--neighbours: use either one number or files and folders")
	case f.wanted > 0 && address == "" && slices.ContainsFunc(pages, func(p string) bool { return !isAddress(p) }):
		return fmt.Errorf("--neighbours %d finds pages by the links of a page on the web; name files or folders, "+
			"or give the URL of the page with --url", f.wanted)
	}
	return nil
}

// pageNeighbours provides the neighbours of pages.
type pageNeighbours struct {
	job     *extraction
	ex      *lede.Extractor // of the default method
	log     *slog.Logger
	near    []*dom.Document          // of --neighbours FILE
	fetched map[string]*dom.Document // by key of the URL; nil if there is no article
}

// newNeighbours reads the files and folders of --neighbours. It returns nil without the flag.
// Pages that cannot be read are reported.
func (e *extraction) newNeighbours(ctx context.Context, log *slog.Logger) (*pageNeighbours, error) {
	f := &e.flags.neighbourFlags
	if len(f.values) == 0 {
		return nil, nil
	}
	ex, err := lede.New()
	if err != nil {
		return nil, err
	}
	n := &pageNeighbours{job: e, ex: ex, log: log, fetched: map[string]*dom.Document{}}
	for _, path := range f.paths {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("--neighbours: %w", err)
		}
	}
	src := batch.Source{Paths: f.paths, MaxBytes: int64(e.flags.maxBytes)}
	for in := range src.Inputs() {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if errors.Is(in.Err, batch.ErrStatus) {
			continue // a redirect, not a page
		}
		if len(n.near) == maxNeighbours {
			n.report("using the first %d neighbours", maxNeighbours)
			return n, nil
		}
		d, err := n.read(ctx, in)
		if err != nil {
			n.report("neighbour skipped: %s", nameError(cmp.Or(in.URL, in.Path), err))
			continue
		}
		n.near = append(n.near, d)
	}
	if len(n.near) == 0 && len(f.paths) > 0 {
		n.report("no neighbours in %s", strings.Join(f.paths, ", "))
	}
	return n, nil
}

func (n *pageNeighbours) read(ctx context.Context, in batch.Input) (*dom.Document, error) {
	if in.Err != nil {
		return nil, in.Err
	}
	r, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	page, err := readAtMost(r, n.job.flags.maxBytes)
	if err != nil {
		return nil, err
	}
	return n.parse(ctx, page, in.Charset)
}

func (n *pageNeighbours) parse(ctx context.Context, page []byte, charset string) (*dom.Document, error) {
	f := n.job.flags
	return dom.Parse(ctx, page, dom.Options{Charset: f.charset, HeaderCharset: charset, Limits: dom.Limits{Bytes: f.maxBytes}})
}

func (n *pageNeighbours) report(format string, args ...any) {
	fmt.Fprintf(n.job.stderr, "lede: "+format+"\n", args...)
}

// around returns the neighbours of a page. It reads the page, and returns it again.
func (n *pageNeighbours) around(ctx context.Context, src source) ([]*dom.Document, source, error) {
	switch {
	case n == nil:
		return nil, src, nil
	case n.job.flags.wanted == 0:
		return n.near, src, nil
	}
	page, err := readAtMost(src, n.job.flags.maxBytes)
	if err != nil {
		return nil, src, err
	}
	src.ReadCloser = io.NopCloser(bytes.NewReader(page))
	d, err := n.parse(ctx, page, src.charset)
	if err != nil {
		return nil, src, nil // the extraction fails with the same error
	}
	n.job.polite.Fetched(ctx, src.url)
	return n.find(ctx, d, src.url), src, nil
}

// find finds neighbours by the links of a page and of its section page.
func (n *pageNeighbours) find(ctx context.Context, d *dom.Document, address string) (near []*dom.Document) {
	wanted := n.job.flags.wanted
	found := sameSite(d, address, address)
	name := ""
	if a, err := n.ex.ExtractDocument(ctx, d, lede.WithURL(address)); err == nil {
		name = a.Section
	}
	section := neighbours.Section(address, name, found)
	n.log.DebugContext(ctx, "section page", "url", section)
	if s, at, err := n.fetch(ctx, section, address); err == nil {
		found = append(sameSite(s, at, address), found...)
	}
	tries := 0
	for _, link := range neighbours.Rank(address, found) {
		if len(near) == wanted || tries == 2*wanted+5 || ctx.Err() != nil {
			break
		}
		key := links.Key(link)
		doc, known := n.fetched[key]
		if !known {
			tries++
			var err error
			if doc, _, err = n.fetch(ctx, link, address); err != nil && ctx.Err() == nil {
				n.report("neighbour skipped: %s", nameError(link, cli.HintPrivate(err)))
			}
			if errors.Is(err, polite.ErrNoRobots) {
				break
			}
			if doc != nil && !n.isArticle(ctx, doc) {
				doc = nil
			}
			n.fetched[key] = doc
		}
		if doc != nil {
			near = append(near, doc)
			n.log.DebugContext(ctx, "neighbour", "url", link)
		}
	}
	if len(near) < wanted && ctx.Err() == nil {
		n.report("found %d of %d neighbours of %s", len(near), wanted, address)
	}
	return near
}

// sameSite judges the links of a page that lead to the site of an article.
func sameSite(d *dom.Document, at, address string) []storylinks.Verdict {
	site := store.SiteName(address)
	return slices.DeleteFunc(storylinks.Judge(d, at), func(v storylinks.Verdict) bool { return store.SiteName(v.URL) != site })
}

func (n *pageNeighbours) isArticle(ctx context.Context, d *dom.Document) bool {
	a, err := n.ex.ExtractDocument(ctx, d)
	return err == nil && a.Type == article.TypeArticle
}

// fetch fetches a page of the site of an article. It returns its URL after redirects.
func (n *pageNeighbours) fetch(ctx context.Context, address, of string) (*dom.Document, string, error) {
	page, err := n.job.getSameSite(ctx, address, of)
	if err != nil {
		return nil, "", err
	}
	d, err := n.parse(ctx, page.Body, page.Charset)
	return d, page.URL, err
}
