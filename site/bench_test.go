package site_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/site"
)

// benchPages returns the pages of a real site if the corpus is there, else
// made-up ones.
func benchPages(b *testing.B) (pages [][]byte) {
	files, _ := filepath.Glob(testkit.Shared("corpora", "cleanportaleval", "pages", "tv.msnbc*.html.gz"))
	for _, file := range files {
		pages = append(pages, testkit.Gunzip(b, file))
	}
	if len(pages) == 0 {
		s := newsroom.New(1).Sites()[0]
		for i := range 20 {
			pages = append(pages, s.Page(i).HTML)
		}
	}
	return pages
}

// BenchmarkLearn reports the cost of learning, as a share of the extraction of
// the same page, and that of a lookup with the fingerprint already computed.
func BenchmarkLearn(b *testing.B) {
	pages := benchPages(b)
	p := site.New("daily.example")
	var extraction, fingerprint, observe, add, match time.Duration
	n := 0
	for b.Loop() {
		for _, page := range pages {
			n++
			t0 := time.Now()
			d, sel, a := extract(b, page, "")
			t1 := time.Now()
			f := site.NewFingerprint(d)
			t2 := time.Now()
			p.Match(f)
			t3 := time.Now()
			o := f.Observe("", sel, a)
			t4 := time.Now()
			p.Add(o)
			t5 := time.Now()
			extraction += t1.Sub(t0)
			fingerprint += t2.Sub(t1)
			match += t3.Sub(t2)
			observe += t4.Sub(t3)
			add += t5.Sub(t4)
			if n%len(pages) == 0 {
				p = site.New("daily.example") // or all pages would be known
			}
		}
	}
	b.ReportMetric(100*float64(fingerprint+observe+add)/float64(extraction), "%-learning")
	each := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(n) }
	b.ReportMetric(each(fingerprint), "µs-fingerprint")
	b.ReportMetric(each(match), "µs-match")
	b.ReportMetric(each(observe), "µs-observe")
	b.ReportMetric(each(add), "µs-add")
	b.ReportMetric(each(extraction), "µs-extract")
}
