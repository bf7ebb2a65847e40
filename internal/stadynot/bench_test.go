package stadynot

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// BenchmarkShare reports what the parts cost as a share of parsing the same
// pages, page by page in turn, so that noise hits all: x-parse.
func BenchmarkShare(b *testing.B) {
	pages := corpusPages(b)
	ctx := context.Background()
	support := NewSupport()
	for _, p := range pages[:min(len(pages), 20)] {
		if d, err := dom.Parse(ctx, p, dom.Options{Charset: "utf-8"}); err == nil {
			support.Add(d)
		}
	}
	m := New(Default())
	for _, part := range []struct {
		name string
		run  func(*dom.Document, *method.Site)
	}{
		{"Keys", func(d *dom.Document, _ *method.Site) { Keys(d) }},
		{"Site", func(d *dom.Document, _ *method.Site) { m.Site(support, d) }},
		{"Select", func(d *dom.Document, s *method.Site) { _, _ = m.Select(ctx, &method.Page{Doc: d, Site: s}) }},
	} {
		b.Run(part.name, func(b *testing.B) {
			var parsing, running time.Duration
			b.ReportAllocs()
			for b.Loop() {
				for _, p := range pages {
					start := time.Now()
					d, err := dom.Parse(ctx, p, dom.Options{Charset: "utf-8"})
					parsing += time.Since(start)
					if err != nil {
						b.Fatal(err)
					}
					site := &method.Site{}
					if part.name == "Select" {
						site = m.Site(support, d)
					}
					start = time.Now()
					part.run(d, site)
					running += time.Since(start)
				}
			}
			b.ReportMetric(float64(running)/float64(parsing), "x-parse")
			b.ReportMetric(float64(running.Microseconds())/float64(b.N*len(pages)), "µs/page")
		})
	}
}

func corpusPages(b *testing.B) (pages [][]byte) {
	const most = 200
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "corpora", "wcxb", "pages", "*.html.gz"))
	if len(files) == 0 {
		b.Skip("no corpora beside the repository: nothing to measure on real pages")
	}
	for i := 0; i < len(files); i += 1 + len(files)/most {
		f, err := os.Open(files[i])
		if err != nil {
			b.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			b.Fatal(err)
		}
		page, err := io.ReadAll(z)
		f.Close()
		if err != nil {
			b.Fatal(err)
		}
		pages = append(pages, page)
	}
	return pages
}
