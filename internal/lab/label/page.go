package label

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/charset"
)

// Page is a page to label.
type Page struct {
	// ID names the page in the file of labels.
	ID  string
	URL string
	// Read returns the page and the charset in its HTTP header.
	Read func(ctx context.Context) (page []byte, charset string, err error)
}

// Fetch fetches a page and returns it with the charset in its HTTP header.
type Fetch func(ctx context.Context, url string) (page []byte, charset string, err error)

// ErrNoPages means that there is nothing to label.
var ErrNoPages = errors.New("no pages")

// Files returns the pages of files, folders and corpora, as found and named by
// package batch.
func Files(paths []string) ([]Page, error) {
	var pages []Page
	taken := map[string]string{}
	for _, root := range paths {
		for p := range (&batch.Source{Paths: []string{root}}).Inputs() {
			if errors.Is(p.Err, batch.ErrStatus) {
				continue // a redirect, not a page
			}
			if other := taken[p.ID]; other != "" {
				return nil, fmt.Errorf("%s and %s have the same ID %s; label them separately", other, p.Path, p.ID)
			}
			taken[p.ID] = p.Path
			pages = append(pages, Page{ID: p.ID, URL: p.URL, Read: fileReader(p)})
		}
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("%w in %s; want files that end in .html, .htm or .html.gz", ErrNoPages, strings.Join(paths, ", "))
	}
	return pages, nil
}

func fileReader(p batch.Input) func(context.Context) ([]byte, string, error) {
	return func(context.Context) ([]byte, string, error) {
		if p.Err != nil {
			return nil, "", p.Err
		}
		r, err := p.Open()
		if err != nil {
			return nil, "", err
		}
		defer r.Close()
		page, err := io.ReadAll(io.LimitReader(r, dom.DefaultBytes+1)) // one more, so that dom reports pages that are too large
		if err != nil {
			return nil, "", fmt.Errorf("reading %s: %w", p.Path, err)
		}
		return page, "", nil
	}
}

// URLs returns the pages of URLs. Each is fetched when it is first shown, and
// stored in the folder, because labels are useless without their pages.
func URLs(urls []string, folder string, fetch Fetch) ([]Page, error) {
	var pages []Page
	taken := map[string]bool{}
	for _, raw := range urls {
		u, err := url.Parse(raw)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("%q is not a URL of a page; want http:// or https://", raw)
		}
		id := urlID(u)
		if taken[id] {
			continue
		}
		taken[id] = true
		pages = append(pages, Page{ID: id, URL: raw, Read: urlReader(raw, filepath.Join(folder, id+".html.gz"), fetch)})
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("%w: no URLs", ErrNoPages)
	}
	return pages, nil
}

// urlID returns a file name that resembles a URL.
func urlID(u *url.URL) string {
	const maxLength = 60
	var b strings.Builder
	for _, r := range strings.ToLower(u.Hostname() + u.Path) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' && b.Len() > 0:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := b.String()
	sum := sha256.Sum256([]byte(u.String()))
	return strings.Trim(name[:min(len(name), maxLength)], "-.") + "-" + hex.EncodeToString(sum[:4])
}

func urlReader(addr, file string, fetch Fetch) func(context.Context) ([]byte, string, error) {
	return func(ctx context.Context) ([]byte, string, error) {
		stored := batch.Input{Path: file}
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			return fileReader(stored)(ctx)
		}
		page, header, err := fetch(ctx, addr)
		if err != nil {
			return nil, "", err
		}
		// The header is not stored, so that the page must be UTF-8.
		text, _, err := charset.Decode(page, charset.Hints{Header: header})
		if err != nil {
			return nil, "", err
		}
		if err := storePage(file, text); err != nil {
			return nil, "", err
		}
		return text, "", nil
	}
}

func storePage(file string, page []byte) error {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(page)
	if err = errors.Join(err, z.Close(), os.MkdirAll(filepath.Dir(file), 0o777)); err != nil {
		return err
	}
	return replaceFile(file, b.Bytes())
}
