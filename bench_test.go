package lede_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/newsroom"
)

func newsroomPages() [][]byte {
	var pages [][]byte
	for _, s := range newsroom.New(1).Sites() {
		pages = append(pages, s.Page(0).HTML, s.Page(1).HTML)
	}
	return pages
}

// realPages are some of a corpus of real pages, where there is one.
func realPages(b *testing.B) [][]byte {
	files, _ := filepath.Glob("../shared/corpora/wcxb/pages/*.html.gz")
	var pages [][]byte
	for i := 0; i < len(files); i += max(1, len(files)/100) {
		f, err := os.Open(files[i])
		if err != nil {
			b.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			b.Fatal(err)
		}
		page, err := io.ReadAll(z)
		if err != nil {
			b.Fatal(err)
		}
		f.Close()
		pages = append(pages, page)
	}
	return pages
}

func size(pages [][]byte) (n int64) {
	for _, p := range pages {
		n += int64(len(p))
	}
	return n
}

// BenchmarkExtract takes all pages in one operation.
func BenchmarkExtract(b *testing.B) {
	pages := newsroomPages()
	e := newExtractor(b)
	b.SetBytes(size(pages))
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range pages {
			if _, err := e.Extract(b.Context(), bytes.NewReader(p)); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkExtractVsParse tells how many times the bare parsing of a page its
// extraction takes, as "x-parse". The two take turns, so that what else the
// machine does falls on both.
func BenchmarkExtractVsParse(b *testing.B) {
	pages := realPages(b)
	if len(pages) == 0 {
		pages = newsroomPages()
	}
	e := newExtractor(b, lede.WithCharset("utf-8"))
	b.SetBytes(size(pages))
	var parse, extract time.Duration
	for b.Loop() {
		for _, p := range pages {
			start := time.Now()
			if _, err := html.Parse(bytes.NewReader(p)); err != nil {
				b.Fatal(err)
			}
			mid := time.Now()
			e.Extract(b.Context(), bytes.NewReader(p)) // pages without a story take time too
			parse += mid.Sub(start)
			extract += time.Since(mid)
		}
	}
	b.ReportMetric(float64(extract)/float64(parse), "x-parse")
}
