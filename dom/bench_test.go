package dom

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/page/markup"
)

// BenchmarkParse compares dom.Parse with html.Parse. The two take turns page by
// page, so that noise affects both, and the best time of each page counts. The
// metric x-parse is the ratio of their sums and must stay below 1.25. The second
// part counts the allocations of index, at most 8 a page.
func BenchmarkParse(b *testing.B) {
	pages := testkit.CorpusPages(b, 1, "wcxb", "fundus-publishers")
	var total int64
	for _, p := range pages {
		total += int64(len(p))
	}
	for _, charset := range []string{"", "utf-8"} {
		b.Run("charset="+charset, func(b *testing.B) {
			b.SetBytes(total)
			times := make([]turn, len(pages))
			for b.Loop() {
				takeTurns(pages, times, Options{Charset: charset})
			}
			var sum turn
			for _, t := range times {
				sum.alone += t.alone
				sum.whole += t.whole
			}
			b.ReportMetric(float64(sum.whole)/float64(sum.alone), "x-parse")
		})
	}
	b.Run("index", func(b *testing.B) {
		var allocs []float64
		for b.Loop() {
			allocs = indexAllocs(pages)
		}
		slices.Sort(allocs)
		var sum float64
		for _, a := range allocs {
			sum += a
		}
		b.ReportMetric(sum/float64(len(allocs)), "index-allocs/page")
		b.ReportMetric(allocs[len(allocs)/2], "median-index-allocs/page")
		b.ReportMetric(allocs[len(allocs)-1], "most-index-allocs/page")
	})
}

// turn has the best times of a page.
type turn struct{ alone, whole time.Duration }

// takeTurns parses every page both ways, in changing order.
func takeTurns(pages [][]byte, best []turn, opts Options) {
	for i, p := range pages {
		alone := func() { html.Parse(bytes.NewReader(p)) }
		whole := func() { Parse(context.Background(), p, opts) }
		if i%2 == 0 {
			keepBest(&best[i].alone, alone)
			keepBest(&best[i].whole, whole)
		} else {
			keepBest(&best[i].whole, whole)
			keepBest(&best[i].alone, alone)
		}
	}
}

func keepBest(best *time.Duration, f func()) {
	start := time.Now()
	f()
	if took := time.Since(start); *best == 0 || took < *best {
		*best = took
	}
}

// indexAllocs counts the allocations of index for each page.
func indexAllocs(pages [][]byte) []float64 {
	var allocs []float64
	var before, after runtime.MemStats
	for _, p := range pages {
		tree, err := build(context.Background(), p, markup.Options{Scripting: true})
		if err != nil {
			continue
		}
		runtime.ReadMemStats(&before)
		index(tree, indexOptions{maxNodes: DefaultNodes})
		runtime.ReadMemStats(&after)
		allocs = append(allocs, float64(after.Mallocs-before.Mallocs))
	}
	return allocs
}

// BenchmarkCounts counts random subtrees of a small and a large page. A query must
// not take more than twice as long on the large one. There are few enough queries
// for the cache, so that memory latency is not measured.
func BenchmarkCounts(b *testing.B) {
	for _, nodes := range []int{2_000, 200_000} {
		d := mustParse(b, strings.Repeat("<div><p>One <b>two</b> three.</p></div>", nodes/6))
		rng := rand.New(rand.NewPCG(1, 2))
		queries := make([]Node, 1000)
		for i := range queries {
			queries[i] = Node(rng.IntN(d.Len()))
		}
		b.Run(fmt.Sprintf("nodes=%d", d.Len()), func(b *testing.B) {
			var sum int32
			for b.Loop() {
				for _, n := range queries {
					c := d.Counts(n)
					sum += c.Chars + c.Links + c.Paras
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(queries)), "ns/query")
			_ = sum
		})
	}
}
