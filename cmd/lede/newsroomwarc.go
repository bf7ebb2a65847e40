package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/internal/newsroom"
	"github.com/lede-news/lede/warc"
)

// archiveOptions say which pages an archive holds.
type archiveOptions struct {
	sites    []*newsroom.Site
	pages    int // in all
	seed     uint64
	packing  warc.Packing
	progress func(done, total int) // may be nil
}

// archiveSites are the sites of those names, all where there are none.
func archiveSites(n *newsroom.Newsroom, names []string) ([]*newsroom.Site, error) {
	if len(names) == 0 {
		names = newsroom.Sites()
	}
	var sites []*newsroom.Site
	for _, name := range names {
		s, ok := n.Site(name)
		if !ok {
			return nil, fmt.Errorf("newsroom: %q: %w", name, newsroom.ErrNoSite)
		}
		sites = append(sites, s)
	}
	return sites, nil
}

// archivePacking is told by the name; standard output is plain.
func archivePacking(path string) warc.Packing {
	switch {
	case strings.HasSuffix(path, ".gz"):
		return warc.Gzip
	case strings.HasSuffix(path, ".zst"):
		return warc.Zstd
	}
	return warc.Plain
}

// writeArchive writes pages of the sites in turn, as a crawler meets them. The
// same seed gives the same archive, and no more than a few pages are in memory.
func writeArchive(ctx context.Context, w io.Writer, o archiveOptions) error {
	var seed [32]byte
	for i := range seed {
		seed[i] = byte(o.seed >> (i % 8 * 8))
	}
	out := bufio.NewWriterSize(w, 1<<18)
	archive := warc.NewWriter(out, warc.WriterOptions{Packing: o.packing, Random: rand.NewChaCha8(seed)})
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	if _, err := archive.WriteInfo(start, warc.Header{{Name: "software", Value: "lede newsroom"}}); err != nil {
		return err
	}
	pages := make([]newsroom.Page, 64)
	for first := 0; first < o.pages; first += len(pages) {
		if err := ctx.Err(); err != nil {
			return errors.Join(fmt.Errorf("stopped after %d of %d pages", first, o.pages), out.Flush())
		}
		some := pages[:min(len(pages), o.pages-first)]
		o.make(first, some)
		for i, p := range some {
			_, err := archive.WriteResponse(warc.Response{
				URL: p.Gold.URL, Date: start.Add(time.Duration(first+i) * time.Second), Status: http.StatusOK,
				Header: http.Header{"Content-Type": {"text/html"}}, Body: p.HTML,
			})
			if err != nil {
				return err
			}
		}
		if o.progress != nil {
			o.progress(first+len(some), o.pages)
		}
	}
	return out.Flush()
}

// make makes pages side by side.
func (o archiveOptions) make(first int, pages []newsroom.Page) {
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), len(pages))
	for w := range workers {
		wg.Go(func() {
			for k := w; k < len(pages); k += workers {
				n := first + k
				pages[k] = o.sites[n%len(o.sites)].Page(n / len(o.sites))
			}
		})
	}
	wg.Wait()
}
