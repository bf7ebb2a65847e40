package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/site"
)

// linkFlags are the flags of commands that use the texts of the links to the pages.
type LinkFlags struct {
	anchors []string
	indexes []string
}

func (f *LinkFlags) Add(cmd *cobra.Command, page string) {
	cmd.Flags().StringArrayVar(&f.anchors, "anchors", nil, "`FILE` with addresses of pages and the texts of the links to them, for the method twcem; repeatable")
	cmd.Flags().StringArrayVar(&f.indexes, "index", nil, "index `PAGE` with links to the pages, "+page+", for --method twcem; repeatable")
}

// usesLinkText reports whether a method uses the text of the link to a page.
func UsesLinkText(method string) bool {
	return method == "twcem" || strings.HasPrefix(method, "twcem:")
}

// check returns an error if the flags have no effect.
func (f *LinkFlags) Check(method string) error {
	var flag string
	switch {
	case UsesLinkText(method):
		return nil
	case len(f.indexes) > 0:
		flag = "--index"
	case len(f.anchors) > 0:
		flag = "--anchors"
	default:
		return nil
	}
	return fmt.Errorf("%s requires --method twcem: no other method uses the text of links", flag)
}

// linkTexts are the texts of the links to pages.
type LinkTexts struct {
	anchors, indexes links.Texts
	Names            string    // of the files, for messages
	sum              hash.Hash // of what was read
}

// find returns the text of the link to the first of several addresses of a page that
// has one, or "".
func (t *LinkTexts) Find(addresses ...string) string {
	if t == nil {
		return ""
	}
	for _, texts := range []*links.Texts{&t.anchors, &t.indexes} {
		for _, address := range addresses {
			if text := texts.Find(address); text != "" {
				return text
			}
		}
	}
	return ""
}

// setting returns what is recorded in the journal of a batch: the results depend on
// what was read, wherever it was.
func (t *LinkTexts) Setting() string {
	return fmt.Sprintf("--anchors and --index with checksum %x", t.sum.Sum(nil)[:8])
}

// linkReader reads the files of linkFlags.
type LinkReader struct {
	Client  *fetch.Client // nil if index pages are not fetched
	Charset string        // of index pages
	Story   string        // address of a story; index pages that do not say theirs are of its site
	Stderr  io.Writer
}

// read reads all files. It returns nil if there are none.
func (f *LinkFlags) Read(ctx context.Context, r LinkReader) (*LinkTexts, error) {
	if len(f.anchors)+len(f.indexes) == 0 {
		return nil, nil
	}
	t := &LinkTexts{sum: sha256.New(), Names: strings.Join(append(f.anchors, f.indexes...), ", ")}
	for _, file := range f.anchors {
		if err := r.readAnchors(t, file); err != nil {
			return nil, Fail(fmt.Errorf("--anchors: %w", err))
		}
	}
	for _, page := range f.indexes {
		if err := r.readIndex(ctx, t, page); err != nil {
			return nil, Fail(fmt.Errorf("--index: %w", HintPrivate(err)))
		}
	}
	return t, nil
}

// readAnchors reads an anchor file, which may be compressed.
func (r *LinkReader) readAnchors(t *LinkTexts, file string) error {
	in, err := batch.Input{Path: file}.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	const most = 20
	bad, before := 0, t.anchors.Len()
	err = t.anchors.ReadAnchors(io.TeeReader(in, t.sum), file, func(err error) {
		if bad++; bad <= most {
			fmt.Fprintf(r.Stderr, "lede: %s\n", OneLine(err))
		}
	})
	if bad > most {
		fmt.Fprintf(r.Stderr, "lede: and %d more lines of %s are invalid\n", bad-most, file)
	}
	switch {
	case errors.Is(err, links.ErrTooMany):
		return fmt.Errorf("%w; give only those of these pages, or each as link_text in a JSON line of lede batch", err)
	case err != nil:
		return err
	case t.anchors.Len() == before && bad > 0:
		return fmt.Errorf("%s has no valid line: write the address, a tab and the text, or JSON with the fields url and text", file)
	}
	return nil
}

// readIndex reads an index page: FILE, FILE=URL, or URL.
func (r *LinkReader) readIndex(ctx context.Context, t *LinkTexts, page string) error {
	var body []byte
	var address, charset string
	if IsWebAddress(page) {
		if r.Client == nil {
			return fmt.Errorf("%s: a batch reads index pages from files; save it and name it as FILE=URL", page)
		}
		resp, err := r.Client.Get(ctx, page)
		if err != nil {
			return err
		}
		body, address, charset = resp.Body, resp.URL, resp.Charset
	} else {
		if i := strings.Index(page, "=http"); i >= 0 && IsWebAddress(page[i+1:]) {
			page, address = page[:i], page[i+1:]
		}
		in, err := batch.Input{Path: page}.Open()
		if err != nil {
			return err
		}
		defer in.Close()
		if body, err = io.ReadAll(io.LimitReader(in, dom.DefaultBytes+1)); err != nil {
			return fmt.Errorf("%s: %w", page, err)
		}
	}
	d, err := dom.Parse(ctx, body, dom.Options{Charset: r.Charset, HeaderCharset: charset})
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	if address == "" {
		address = cmp.Or(site.NewFingerprint(d).URL(), home(r.Story))
	}
	fmt.Fprintf(t.sum, "%s\n%d\n", address, len(body))
	_, _ = io.Copy(t.sum, bytes.NewReader(body))
	if links.Base(d, address) == nil && links.MostlyRelative(d) {
		return fmt.Errorf("%s: its links are relative and its address is unknown; name it as %s=URL", page, page)
	}
	if t.indexes.AddPage(d, address) == 0 {
		return fmt.Errorf("%s has no links to other pages", page)
	}
	return nil
}

// home returns the address of the home page of a story's site, or "".
func home(story string) string {
	u, err := links.Parse(story)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host + "/"
}

func IsWebAddress(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}
