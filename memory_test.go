package lede_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/testkit"
)

const megabyte = 1e6

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
	size := 3_000_000
	if testkit.Step(2, 2) == 1 {
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
