package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/output/sink"
	"github.com/lede-news/lede/warc"
)

// BenchmarkBatch compares a batch on all cores with one on a single core, from a
// compressed archive to a compressed file with its journal. Each round runs both,
// then reads the archive without extracting, and extracts the pages from memory.
//
// "of-cores" is the speed-up divided by the number of cores, the median of the
// rounds, and "of-cores/min" the lowest; they are for an idle machine. "busy"
// estimates the same on a busy one: the processor time on one core divided by that
// on all, times the share of time in which the cores were not idle.
// "cores/reader" is how many cores one reader can feed. "of-extraction" is the
// processor time of extractions divided by that of the whole batch on one core.
//
// LEDE_SCALING is a floor for the better of the two medians, such as 0.9.
func BenchmarkBatch(b *testing.B) {
	b.Run("newsroom", func(b *testing.B) {
		var pages [][]byte
		sites := newsroom.New(1).Sites()
		for i := range 540 {
			pages = append(pages, sites[i%len(sites)].Page(i/len(sites)).HTML)
		}
		benchmarkBatch(b, pages)
	})
	b.Run("corpora", func(b *testing.B) { benchmarkBatch(b, testkit.CorpusPages(b, 5, "wcxb", "fundus-publishers")) })
}

func benchmarkBatch(b *testing.B, pages [][]byte) {
	dir := b.TempDir()
	archive := filepath.Join(dir, "pages.warc.gz")
	writePages(b, archive, pages)
	cores, number := runtime.GOMAXPROCS(0), float64(len(pages))
	run := func() { runBatch(b, archive, filepath.Join(dir, "out.jsonl.zst")) }
	ex, err := lede.New()
	if err != nil {
		b.Fatal(err)
	}
	extract := func() {
		for _, p := range pages {
			ex.Extract(b.Context(), bytes.NewReader(p)) // pages without an article count too
		}
	}
	var one, all, ofCores, busy, fed, ofExtraction []float64
	for b.Loop() {
		single := costOf(1, run)
		whole := costOf(cores, run)
		reading := costOf(1, func() { readOnly(b, archive, len(pages)) })
		extraction := costOf(1, extract)
		one = append(one, number/single.took)
		all = append(all, number/whole.took)
		ofCores = append(ofCores, single.took/whole.took/float64(cores))
		busy = append(busy, single.used/whole.used*(1-whole.idle))
		fed = append(fed, single.used/reading.used)
		ofExtraction = append(ofExtraction, extraction.used/single.used)
	}
	b.ReportMetric(median(one), "pages/s/one")
	b.ReportMetric(median(all), "pages/s/all")
	b.ReportMetric(median(ofCores), "of-cores")
	b.ReportMetric(slices.Min(ofCores), "of-cores/min")
	b.ReportMetric(median(busy), "busy")
	b.ReportMetric(slices.Min(busy), "busy/min")
	b.ReportMetric(median(fed), "cores/reader")
	b.ReportMetric(median(ofExtraction), "of-extraction")
	best := max(median(ofCores), median(busy))
	if floor, err := strconv.ParseFloat(os.Getenv("LEDE_SCALING"), 64); err == nil && best < floor {
		b.Errorf("%.2f of what the cores could do, and %.2f is the floor", best, floor)
	}
}

// writePages writes an archive of pages.
func writePages(b *testing.B, archive string, pages [][]byte) {
	b.Helper()
	f, err := os.Create(archive)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w := warc.NewWriter(f, warc.WriterOptions{})
	for i, p := range pages {
		if err := w.WriteResponse(warc.Response{
			URL: fmt.Sprintf("https://news.example/%d", i), Date: time.Date(2024, 1, 1, 0, 0, i, 0, time.UTC), Status: http.StatusOK,
			Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: p,
		}); err != nil {
			b.Fatal(err)
		}
	}
}

// cost is the wall and processor time of a run in seconds, and the share of time
// in which cores were idle.
type cost struct{ took, used, idle float64 }

// costOf measures a function on a number of cores.
func costOf(cores int, do func()) cost {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	classes := func() (idle, total float64) {
		runtime.GC() // which counts them, and none pays for the one before
		m := []metrics.Sample{{Name: "/cpu/classes/idle:cpu-seconds"}, {Name: "/cpu/classes/total:cpu-seconds"}}
		metrics.Read(m)
		return m[0].Value.Float64(), m[1].Value.Float64()
	}
	idle, total := classes()
	start, before := time.Now(), cpuTime()
	do()
	c := cost{took: time.Since(start).Seconds(), used: (cpuTime() - before).Seconds()}
	idleAfter, totalAfter := classes()
	c.idle = (idleAfter - idle) / (totalAfter - total)
	return c
}

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

// readOnly reads the pages of an archive without extracting.
func readOnly(b *testing.B, archive string, want int) {
	b.Helper()
	n := 0
	for p := range (&batch.Source{Paths: []string{archive}}).Inputs() {
		if p.Err != nil {
			b.Fatal(p.Err)
		}
		n++
	}
	if n != want {
		b.Fatalf("%d pages, want %d", n, want)
	}
}

func runBatch(b *testing.B, archive, out string) {
	b.Helper()
	in := &batch.Source{Paths: []string{archive}}
	journal, err := batch.OpenJournal(out+".journal", in, nil, batch.Begin)
	if err != nil {
		b.Fatal(err)
	}
	to, err := sink.Open(out, 0, false)
	if err != nil {
		b.Fatal(err)
	}
	ex, err := lede.New()
	if err != nil {
		b.Fatal(err)
	}
	if _, err := journal.Run(b.Context(), pageExtract(ex, nil, false), to, batch.Options{HangTimeout: time.Minute}); err != nil {
		b.Fatal(err)
	}
	if err := journal.Remove(); err != nil {
		b.Fatal(err)
	}
}
