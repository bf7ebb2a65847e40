package lede_test

import (
	"bytes"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

func newsroomPages() [][]byte {
	var pages [][]byte
	for _, s := range newsroom.New(1).Sites() {
		pages = append(pages, s.Page(0).HTML, s.Page(1).HTML)
	}
	return pages
}

func size(pages [][]byte) (n int64) {
	for _, p := range pages {
		n += int64(len(p))
	}
	return n
}

// BenchmarkExtract extracts all pages of the newsroom in one operation.
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

// BenchmarkExtractVsParse reports as "x-parse" the time of extractions divided by
// that of html.Parse, on real pages. The two take turns, so that disturbances of
// the machine affect both.
func BenchmarkExtractVsParse(b *testing.B) {
	for _, corpus := range []string{"wcxb", "fundus-publishers"} {
		b.Run(corpus, func(b *testing.B) { benchmarkExtractVsParse(b, testkit.CorpusPages(b, 13, corpus)) })
	}
}

func benchmarkExtractVsParse(b *testing.B, pages [][]byte) {
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
			e.Extract(b.Context(), bytes.NewReader(p)) // pages without an article count too
			parse += mid.Sub(start)
			extract += time.Since(mid)
		}
	}
	b.ReportMetric(float64(extract)/float64(parse), "x-parse")
}
