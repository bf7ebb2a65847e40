package markup_test

import (
	"bytes"
	"context"
	"runtime"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/page/markup"
)

// BenchmarkParse compares markup with x/net. The two take turns page by page, so
// that noise affects both, and the best time of each page counts. The metric
// x-parse is the ratio of the sums.
func BenchmarkParse(b *testing.B) {
	pages := testkit.CorpusPages(b, 20, "wcxb", "fundus-publishers")
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
			keepBest(&ours[i], func() { markup.Parse(context.Background(), p, markup.Options{Scripting: true}) })
		}
	}
	for _, p := range pages {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tree, err := markup.Parse(context.Background(), p, markup.Options{Scripting: true})
		runtime.ReadMemStats(&after)
		if err != nil {
			continue
		}
		allocs += int(after.Mallocs - before.Mallocs)
		for range tree.HTML()[markup.Root].Descendants() {
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
