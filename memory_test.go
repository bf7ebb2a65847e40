package lede_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/testkit"
)

const megabyte = 1e6

// childEnv makes the test binary a process that extracts one page; see residentPeak.
const childEnv = "LEDE_MEMORY_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		if err := residentChild(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

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

// BenchmarkMemory reports the memory for pages of about 1 MB beyond the bytes of each
// page, for real pages their median and their largest:
//
//   - total: all that is allocated for the page. It is what the page takes if no garbage
//     is collected, and so the bound of the peak of the heap.
//   - live: the most that is reachable at a time, by a garbage collection for each
//     hundredth that the heap grows. It is the least memory that the page can be
//     extracted in. On a busy machine it differs by a fifth from run to run.
//   - rss: by how much the resident memory of a process grows that has extracted a few
//     small pages before, with the usual garbage collection. Only Linux has it.
//
// The goal is that a page of 1 MB takes less than 12 MB.
func BenchmarkMemory(b *testing.B) {
	for _, kind := range grownKinds() {
		b.Run(kind.name, func(b *testing.B) { benchmarkMemory(b, [][]byte{kind.page(megabyte)}) })
	}
	b.Run("corpora", func(b *testing.B) {
		var pages [][]byte
		for _, file := range testkit.CorpusFiles(b, 1, "*") {
			if page := testkit.Gunzip(b, file); len(page) > .85*megabyte && len(page) < 1.2*megabyte {
				pages = append(pages, page)
			}
		}
		if len(pages) == 0 {
			b.Skip("no pages of 1 MB in the corpora")
		}
		benchmarkMemory(b, pages)
	})
}

func benchmarkMemory(b *testing.B, pages [][]byte) {
	e := newExtractor(b, lede.WithLimits(lede.Limits{Time: time.Hour}))
	warmUp(b, e)
	var total, live, resident []int64
	for b.Loop() {
		total, live, resident = nil, nil, nil
		for _, page := range pages {
			own := int64(len(page))
			_, size := allocated(b, e, page)
			total = append(total, size-own)
			extract := func() { _, _ = e.Extract(b.Context(), bytes.NewReader(page)) }
			// On a busy machine a collection takes long, and what is allocated during it counts.
			live = append(live, min(livePeak(extract), livePeak(extract), livePeak(extract))-own)
			if grown, err := residentPeak(page); err == nil {
				resident = append(resident, grown-own)
			} else if runtime.GOOS == "linux" {
				b.Fatal(err)
			}
		}
	}
	report := func(name string, list []int64) {
		if len(list) == 0 {
			return
		}
		slices.Sort(list)
		b.ReportMetric(float64(median(list))/megabyte, name+"-MB")
		if len(list) > 1 {
			b.ReportMetric(float64(list[len(list)-1])/megabyte, name+"-max-MB")
		}
	}
	report("total", total)
	report("live", live)
	report("rss", resident)
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

// livePeak returns the most reachable memory while work runs, beyond what is reachable
// before it.
func livePeak(work func()) int64 {
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	runtime.GC() // the first has filled the pools' second chance
	live := func() int64 {
		s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(s)
		return int64(s[0].Value.Uint64())
	}
	before := live()
	peak, stop, done := before, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Microsecond): // a collection takes longer
				peak = max(peak, live())
			}
		}
	}()
	work()
	close(stop)
	<-done
	return max(peak, live()) - before
}

// residentPeak returns by how much the resident memory of a process of its own grows
// when it extracts a page.
func residentPeak(page []byte) (int64, error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=1")
	cmd.Stdin = bytes.NewReader(page)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%w: %s", err, stderr.String())
	}
	var grown int64
	_, err = fmt.Sscan(string(out), &grown)
	return grown, err
}

// residentChild is the process of residentPeak.
func residentChild() error {
	page, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	ctx := context.Background()
	e, err := lede.New(lede.WithLimits(lede.Limits{Time: time.Hour}))
	if err != nil {
		return err
	}
	for _, small := range newsroomPages() {
		if _, err := e.Extract(ctx, bytes.NewReader(small)); err != nil {
			return err
		}
	}
	debug.FreeOSMemory()
	if err := testkit.ForgetPeak(); err != nil {
		return err
	}
	before, _, err := testkit.ResidentMemory()
	if err != nil {
		return err
	}
	_, _ = e.Extract(ctx, bytes.NewReader(page)) // pages without an article count too
	_, peak, err := testkit.ResidentMemory()
	if err != nil {
		return err
	}
	fmt.Println(peak - before)
	return nil
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
		{name: "many classes", page: func() string { return many(`<p class="xq%d">some text</p>`) + story }},
		{name: "one long text", page: func() string { return story + "<p>" + many("word%d ") + "</p>" }},
		{name: "one long word", page: func() string { return story + "<p>" + many("w%d") + "</p>" }},
		{name: "long title", page: func() string { return "<title>" + many("word%d ") + "</title>" + story }},
		{name: "long JSON-LD", page: func() string {
			return `<script type="application/ld+json">{"@type":"NewsArticle","keywords":"` + many("word%d, ") + `"}</script>` + story
		}},
		{name: "many links", page: func() string { return story + many(`<a href="/%d">a link</a> `) }},
		{name: "many meta", page: func() string { return many(`<meta name="m%d" content="x">`) + story }},
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
