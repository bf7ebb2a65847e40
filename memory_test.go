package lede_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/testkit"
)

const megabyte = 1e6

// BenchmarkAllocs reports the median number of allocations and of allocated bytes of
// real pages, and the number that nine of ten pages stay below. The goal is a median
// under 150 allocations.
func BenchmarkAllocs(b *testing.B) {
	pages := testkit.CorpusPages(b, 13, "*")
	e := newExtractor(b, lede.WithCharset("utf-8"))
	var counts, sizes []int64
	for b.Loop() {
		counts, sizes = counts[:0], sizes[:0]
		for _, page := range pages {
			n, bytes := allocated(b, e, page)
			counts, sizes = append(counts, n), append(sizes, bytes)
		}
	}
	slices.Sort(counts)
	slices.Sort(sizes)
	b.ReportMetric(float64(median(counts)), "median-allocs/page")
	b.ReportMetric(float64(counts[len(counts)*9/10]), "90%-allocs/page")
	b.ReportMetric(float64(median(sizes))/megabyte, "median-MB/page")
}

// allocated returns the number of allocations and of allocated bytes of an extraction.
func allocated(tb testing.TB, e *lede.Extractor, page []byte) (count, size int64) {
	var before, after runtime.MemStats
	r := bytes.NewReader(page)
	runtime.ReadMemStats(&before)
	_, _ = e.Extract(tb.Context(), r) // pages without an article count too
	runtime.ReadMemStats(&after)
	return int64(after.Mallocs - before.Mallocs), int64(after.TotalAlloc - before.TotalAlloc)
}

// median returns the middle of a sorted list.
func median(list []int64) int64 { return list[len(list)/2] }

// BenchmarkMemory reports all that is allocated for pages of 1 MB beyond the bytes of the
// page. It is what the page takes if no garbage is collected, and so the bound of the peak
// of the heap.
func BenchmarkMemory(b *testing.B) {
	for _, kind := range grownKinds() {
		b.Run(kind.name, func(b *testing.B) {
			e := newExtractor(b, lede.WithLimits(lede.Limits{Time: time.Hour}))
			warmUp(b, e)
			page := kind.page(megabyte)
			var size int64
			for b.Loop() {
				_, size = allocated(b, e, page)
			}
			b.ReportMetric(float64(size-int64(len(page)))/megabyte, "MB")
		})
	}
}

// warmUp extracts small pages, so that models and tables are loaded.
func warmUp(tb testing.TB, e *lede.Extractor) {
	tb.Helper()
	for _, page := range newsroomPages() {
		if _, err := e.Extract(tb.Context(), bytes.NewReader(page)); err != nil {
			tb.Fatal(err)
		}
	}
}

// TestLargePagesAreForgotten checks that memory which is used again, such as that of
// pools, does not stay as large as the largest page needed it. A garbage collection
// empties a pool only if its memory is not in use by then, so small pages are extracted in
// between.
func TestLargePagesAreForgotten(t *testing.T) {
	testkit.SkipRace(t)
	size := 6_000_000
	switch {
	case testing.Short():
		size = 3_000_000
	case testkit.Step(2, 2) == 1:
		size = 20_000_000 // nearly the limit
	}
	e := newExtractor(t, lede.WithLimits(lede.Limits{Time: time.Hour}))
	warmUp(t, e)
	article := grownKinds()[0].page(size * 49 / 50) // before the heap is measured, for the texts that it keeps
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // each processor has a part of a pool of its own
	heap := func() int64 {
		var m runtime.MemStats
		for range 5 {
			if _, err := e.Extract(t.Context(), strings.NewReader(strings.Repeat(prose, 5))); err != nil {
				t.Fatal(err)
			}
			runtime.GC()
		}
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	story := strings.Repeat(prose, 50)
	many := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < size-len(story)-100; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, c := range []struct {
		name string
		page func() string
	}{
		{name: "article", page: func() string { return string(article) }},
		{name: "one long class", page: func() string { return `<div class="` + many("xq%d ") + `">` + story + "</div>" }},
		{name: "one long text", page: func() string { return story + "<p>" + many("word%d ") + "</p>" }},
		{name: "long JSON-LD", page: func() string {
			return `<script type="application/ld+json">{"@type":"NewsArticle","keywords":"` + many("word%d, ") + `"}</script>` + story
		}},
		{name: "many links", page: func() string { return story + many(`<a href="/%d">a link</a> `) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := e.Extract(t.Context(), strings.NewReader(c.page()))
			if err != nil && !errors.Is(err, lede.ErrNoContent) {
				t.Fatal(err)
			}
			const slack = 2 << 20
			if grown := heap() - before; grown > slack {
				t.Errorf("%.1f MB stay in memory after a page of %.1f MB", float64(grown)/megabyte, float64(size)/megabyte)
			}
		})
	}
}
