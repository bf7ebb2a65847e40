package site_test

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/blend"
	"github.com/lede-news/lede/internal/metadata"
	"github.com/lede-news/lede/internal/newsroom"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// extract does what lede does with a page, as far as a profile is concerned.
func extract(tb testing.TB, page []byte, url string) (*dom.Document, *site.Extraction) {
	tb.Helper()
	d, err := dom.Parse(context.Background(), page, dom.Options{Charset: "utf-8"})
	if err != nil {
		tb.Fatal(err)
	}
	x := &site.Extraction{URL: url}
	if x.Selection, err = blend.New(blend.Config{}).Select(context.Background(), &method.Page{Doc: d, URL: url}); err != nil {
		return d, x
	}
	f := metadata.Read(d, metadata.Options{URL: url, Title: x.Selection.Title, Body: x.Selection.Keep[0]})
	x.Article = &article.Article{
		Title: f.Title, Authors: f.Authors, Published: f.Published, Lead: f.Lead,
		Type: x.Selection.Type, Confidence: x.Selection.Confidence,
	}
	return d, x
}

// benchPages are real pages of a site where there is a corpus, else made-up ones.
func benchPages(b *testing.B) [][]byte {
	files, _ := filepath.Glob("../../shared/corpora/cleanportaleval/pages/tv.msnbc*.html.gz")
	var pages [][]byte
	for _, file := range files {
		f, err := os.Open(file)
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
	if len(pages) == 0 {
		s := newsroom.New(1).Sites()[0]
		for i := range 20 {
			pages = append(pages, s.Page(i).HTML)
		}
	}
	return pages
}

// BenchmarkLearn tells what learning costs, as a share of the extraction of
// the same page, and what a look-up costs with the keys of the page at hand.
func BenchmarkLearn(b *testing.B) {
	pages := benchPages(b)
	p := site.New("daily.example")
	var extraction, keys, observe, add, read time.Duration
	n := 0
	for b.Loop() {
		for _, page := range pages {
			n++
			t0 := time.Now()
			d, x := extract(b, page, "")
			t1 := time.Now()
			pg := site.NewPage(d)
			t2 := time.Now()
			p.ReadPage(pg)
			t3 := time.Now()
			o := pg.Observe(x)
			t4 := time.Now()
			p.Add(o)
			t5 := time.Now()
			extraction += t1.Sub(t0)
			keys += t2.Sub(t1)
			read += t3.Sub(t2)
			observe += t4.Sub(t3)
			add += t5.Sub(t4)
			if n%len(pages) == 0 {
				p = site.New("daily.example") // else all pages are known
			}
		}
	}
	b.ReportMetric(100*float64(keys+observe+add)/float64(extraction), "%-learning")
	each := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(n) }
	b.ReportMetric(each(keys), "µs-keys")
	b.ReportMetric(each(read), "µs-lookup")
	b.ReportMetric(each(observe), "µs-observe")
	b.ReportMetric(each(add), "µs-add")
	b.ReportMetric(each(extraction), "µs-extract")
}
