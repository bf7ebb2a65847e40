package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/batch/sink"
	"github.com/lede-news/lede/newsroom"
	"github.com/lede-news/lede/warc"
)

// BenchmarkBatch compares a batch on all cores, from a packed archive to a file
// with its journal, with the same on one core. "of-cores" is its rate over that
// of one core times the cores, for an idle machine; "of-cpu" is the processor
// time of the one over that of the other, which tells the same on a busy one.
// Both are timed in turn.
func BenchmarkBatch(b *testing.B) {
	const pages = 540
	dir := b.TempDir()
	archive := filepath.Join(dir, "pages.warc.gz")
	f, err := os.Create(archive)
	if err != nil {
		b.Fatal(err)
	}
	sites, err := archiveSites(newsroom.New(1), nil)
	if err != nil {
		b.Fatal(err)
	}
	if err := writeArchive(b.Context(), f, archiveOptions{sites: sites, pages: pages, packing: warc.Gzip}); err != nil {
		b.Fatal(err)
	}
	f.Close()
	run := func(cores int) (took, used time.Duration) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		start, before := time.Now(), cpuTime()
		runBatch(b, archive, filepath.Join(dir, "out.jsonl"))
		return time.Since(start), cpuTime() - before
	}
	cores := runtime.GOMAXPROCS(0)
	var one, oneUsed, all, allUsed time.Duration
	for b.Loop() {
		took, used := run(1)
		one, oneUsed = one+took, oneUsed+used
		took, used = run(cores)
		all, allUsed = all+took, allUsed+used
	}
	b.ReportMetric(float64(pages*b.N)/one.Seconds(), "pages/s/one")
	b.ReportMetric(float64(pages*b.N)/all.Seconds(), "pages/s/all")
	b.ReportMetric(one.Seconds()/all.Seconds()/float64(cores), "of-cores")
	b.ReportMetric(oneUsed.Seconds()/allUsed.Seconds(), "of-cpu")
}

func runBatch(b *testing.B, archive, out string) {
	b.Helper()
	in := batch.Find([]string{archive})
	journal, err := batch.OpenJournal(out+".journal", batch.NewSetup(in, nil), batch.Begin)
	if err != nil {
		b.Fatal(err)
	}
	to, err := sink.Open(out, sink.Options{})
	if err != nil {
		b.Fatal(err)
	}
	job := batch.Job{Inputs: in, Extract: pageExtract(lede.New(), nil, false), Sink: to, Journal: journal, Options: batch.Options{Patience: time.Minute}}
	if _, err := job.Run(b.Context()); err != nil {
		b.Fatal(err)
	}
	if err := journal.Remove(); err != nil {
		b.Fatal(err)
	}
}
