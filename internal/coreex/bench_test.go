package coreex

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

// BenchmarkSelect reports what Select costs as a share of parsing the same
// pages: x-parse.
func BenchmarkSelect(b *testing.B) {
	pages := corpusPages(b)
	for _, name := range []string{"r1", "r5", "r6"} {
		b.Run(name, func(b *testing.B) {
			m := New(preset(b, name))
			ctx := context.Background()
			var parsing, selecting time.Duration
			b.ReportAllocs()
			for b.Loop() {
				// Page by page in turn, so that noise hits both.
				for _, p := range pages {
					start := time.Now()
					d, err := dom.Parse(ctx, p, dom.Options{Charset: "utf-8"})
					parsed := time.Now()
					if err != nil {
						b.Fatal(err)
					}
					m.Select(ctx, &method.Page{Doc: d})
					parsing += parsed.Sub(start)
					selecting += time.Since(parsed)
				}
			}
			b.ReportMetric(float64(selecting)/float64(parsing), "x-parse")
			b.ReportMetric(float64(selecting.Microseconds())/float64(b.N*len(pages)), "µs/page")
		})
	}
}

func corpusPages(b *testing.B) (pages [][]byte) {
	const most = 400
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
