package nce_test

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/nce"
	"github.com/lede-news/lede/method"
)

// BenchmarkSelect measures the method against the parsing of the same pages,
// page by page in turn, so that noise hits both: x-parse is the share.
func BenchmarkSelect(b *testing.B) {
	pages := corpusPages(b, "wcxb")
	m := nce.New(nce.Default())
	var parse, choose time.Duration
	ctx := context.Background()
	for b.Loop() {
		for _, page := range pages {
			start := time.Now()
			d, err := dom.Parse(ctx, page, dom.Options{Charset: "utf-8"})
			parse += time.Since(start)
			if err != nil {
				continue
			}
			start = time.Now()
			_, _ = m.Select(ctx, &method.Page{Doc: d})
			choose += time.Since(start)
		}
	}
	b.ReportMetric(float64(choose)/float64(parse), "x-parse")
	b.ReportMetric(float64(choose.Microseconds())/float64(b.N*len(pages)), "µs/page")
}

// corpusPages reads the pages of a corpus beside the repository, or skips.
func corpusPages(tb testing.TB, name string) [][]byte {
	tb.Helper()
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "corpora", name, "pages", "*.html.gz"))
	if len(files) == 0 {
		tb.Skipf("no corpus %s beside the repository: nothing to measure on real pages", name)
	}
	var pages [][]byte
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			tb.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			tb.Fatal(err)
		}
		page, err := io.ReadAll(z)
		if err != nil {
			tb.Fatal(err)
		}
		f.Close()
		pages = append(pages, page)
	}
	return pages
}
