package markup_test

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/markup"
)

// benchPages are every twentieth of the real pages, or made-up ones.
func benchPages(b *testing.B) [][]byte {
	var pages [][]byte
	for i, f := range corpusFiles("wcxb", "fundus-publishers") {
		if i%20 == 0 {
			pages = append(pages, gunzip(b, f))
		}
	}
	if len(pages) == 0 {
		row := `<div class="row"><p class="text">The old bridge was <b>opened</b> on Monday, said the <a href="/mayor?a=1&amp;b=2">mayor</a>.</p></div>` + "\n"
		pages = append(pages, []byte("<!DOCTYPE html><title>The bridge</title>"+strings.Repeat(row, 500)))
	}
	return pages
}

// BenchmarkParse compares with x/net. The two take turns page by page, so that
// noise hits both, and the best time of each page counts: x-parse is the ratio
// of the sums, and allocs/1000-nodes what markup allocates.
func BenchmarkParse(b *testing.B) {
	pages := benchPages(b)
	ours, theirs := make([]time.Duration, len(pages)), make([]time.Duration, len(pages))
	var total int64
	for _, p := range pages {
		total += int64(len(p))
	}
	b.SetBytes(total)
	var nodes, allocs int
	for b.Loop() {
		for i, p := range pages {
			keepBest(&theirs[i], func() { html.Parse(bytes.NewReader(p)) })
			keepBest(&ours[i], func() { markup.Parse(context.Background(), p, true) })
		}
	}
	for _, p := range pages {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		root, err := markup.Parse(context.Background(), p, true)
		runtime.ReadMemStats(&after)
		if err != nil {
			continue
		}
		allocs += int(after.Mallocs - before.Mallocs)
		for range root.Descendants() {
			nodes++
		}
	}
	b.ReportMetric(float64(sum(ours))/float64(sum(theirs)), "x-parse")
	b.ReportMetric(float64(sum(ours))/float64(nodes), "ns/node")
	b.ReportMetric(1000*float64(allocs)/float64(nodes), "allocs/1000-nodes")
}

func keepBest(best *time.Duration, f func()) {
	start := time.Now()
	f()
	if took := time.Since(start); *best == 0 || took < *best {
		*best = took
	}
}

func sum(times []time.Duration) (total time.Duration) {
	for _, t := range times {
		total += t
	}
	return total
}
