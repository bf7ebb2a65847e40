package twcem_test

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/twcem"
	"github.com/lede-news/lede/method"
)

// BenchmarkSelect reports the time of the method as a share of the time that
// parsing the same pages takes, page by page in turn, so that noise hits both.
func BenchmarkSelect(b *testing.B) {
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "corpora", "wcxb", "pages", "*.html.gz"))
	if len(files) == 0 {
		b.Skip("no corpora beside the repository: nothing to measure on real pages")
	}
	const most = 200
	var pages [][]byte
	for i := 0; i < len(files); i += max(1, len(files)/most) {
		pages = append(pages, gunzip(b, files[i]))
	}
	m := twcem.New(twcem.Default())
	ctx := context.Background()
	var parsing, selecting time.Duration
	b.ReportAllocs()
	for b.Loop() {
		for _, page := range pages {
			b.StopTimer()
			start := time.Now()
			d, err := dom.Parse(ctx, page, dom.Options{Charset: "utf-8"})
			parsing += time.Since(start)
			b.StartTimer()
			if err != nil {
				continue
			}
			start = time.Now()
			m.Select(ctx, &method.Page{Doc: d})
			selecting += time.Since(start)
		}
	}
	b.ReportMetric(float64(selecting)/float64(parsing), "x-parse")
}

func gunzip(tb testing.TB, path string) []byte {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	page, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return page
}
