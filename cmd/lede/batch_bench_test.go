package main

import (
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
	"github.com/lede-news/lede/internal/newsroom"
	"github.com/lede-news/lede/internal/sink"
	"github.com/lede-news/lede/warc"
)

// BenchmarkBatch compares a batch on all cores with one on a single core, from a
// compressed archive to a file with its journal. Each round runs both and then
// reads the archive without extracting.
//
// "of-cores" is the speed-up divided by the number of cores, the median of the
// rounds, and "of-cores/min" the lowest; they are for an idle machine. "busy"
// estimates the same on a busy one: the processor time on one core divided by that
// on all, times the share of time in which the cores were not idle.
// "cores/reader" is how many cores one reader can feed.
//
// LEDE_SCALING is a floor for the better of the two medians, such as 0.9.
func BenchmarkBatch(b *testing.B) {
	const pages = 540
	dir := b.TempDir()
	archive := filepath.Join(dir, "pages.warc.gz")
	f, err := os.Create(archive)
	if err != nil {
		b.Fatal(err)
	}
	w := warc.NewWriter(f, warc.WriterOptions{Compression: warc.Gzip})
	if err := writeArchive(b.Context(), w, newsroom.New(1).Sites(), pages, func(int, int) {}); err != nil {
		b.Fatal(err)
	}
	f.Close()
	cores := runtime.GOMAXPROCS(0)
	extract := func() { runBatch(b, archive, filepath.Join(dir, "out.jsonl")) }
	var one, all, ofCores, busy, fed []float64
	for b.Loop() {
		single := costOf(1, extract)
		whole := costOf(cores, extract)
		reading := costOf(1, func() { readOnly(b, archive, pages) })
		one = append(one, pages/single.took)
		all = append(all, pages/whole.took)
		ofCores = append(ofCores, single.took/whole.took/float64(cores))
		busy = append(busy, single.used/whole.used*(1-whole.idle))
		fed = append(fed, single.used/reading.used)
	}
	b.ReportMetric(median(one), "pages/s/one")
	b.ReportMetric(median(all), "pages/s/all")
	b.ReportMetric(median(ofCores), "of-cores")
	b.ReportMetric(slices.Min(ofCores), "of-cores/min")
	b.ReportMetric(median(busy), "busy")
	b.ReportMetric(slices.Min(busy), "busy/min")
	b.ReportMetric(median(fed), "cores/reader")
	best := max(median(ofCores), median(busy))
	if floor, err := strconv.ParseFloat(os.Getenv("LEDE_SCALING"), 64); err == nil && best < floor {
		b.Errorf("%.2f of what the cores could do, and %.2f is the floor", best, floor)
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
	to, err := sink.Open(out, sink.Options{})
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
