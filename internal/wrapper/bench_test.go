package wrapper

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/layout"
	"github.com/lede-news/lede/method"
)

// BenchmarkShare reports what the estimate of the layout and Select cost as
// shares of parsing the same pages, page by page in turn, so that noise hits
// all: x-parse.
func BenchmarkShare(b *testing.B) {
	pages := corpusPages(b)
	ctx := context.Background()
	m := New(Default())
	var parsing, laying, choosing time.Duration
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range pages {
			start := time.Now()
			d, err := dom.Parse(ctx, p, dom.Options{Charset: "utf-8"})
			parsed := time.Now()
			if err != nil {
				b.Fatal(err)
			}
			l := layout.Estimate(d, m.cfg.screen())
			laid := time.Now()
			_, _ = m.Select(ctx, &method.Page{Doc: d, Layout: l})
			parsing += parsed.Sub(start)
			laying += laid.Sub(parsed)
			choosing += time.Since(laid)
		}
	}
	b.ReportMetric(float64(laying)/float64(parsing), "layout-x-parse")
	b.ReportMetric(float64(choosing)/float64(parsing), "select-x-parse")
	b.ReportMetric(float64((laying+choosing).Microseconds())/float64(b.N*len(pages)), "µs/page")
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
