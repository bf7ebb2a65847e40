package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
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
// compressed archive to a compressed file with its journal. "of-cores" is the speed-up
// divided by the number of cores, the median of the rounds, on an idle machine.
// LEDE_SCALING is a floor for it, such as 0.9.
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
	seconds := func(cores int) float64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		start := time.Now()
		runBatch(b, archive, filepath.Join(dir, "out.jsonl.zst"))
		return time.Since(start).Seconds()
	}
	var one, all, ofCores []float64
	for b.Loop() {
		single, whole := seconds(1), seconds(cores)
		one, all = append(one, number/single), append(all, number/whole)
		ofCores = append(ofCores, single/whole/float64(cores))
	}
	b.ReportMetric(median(one), "pages/s/one")
	b.ReportMetric(median(all), "pages/s/all")
	b.ReportMetric(median(ofCores), "of-cores")
	if floor, err := strconv.ParseFloat(os.Getenv("LEDE_SCALING"), 64); err == nil && median(ofCores) < floor {
		b.Errorf("%.2f of what the cores could do, and %.2f is the floor", median(ofCores), floor)
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

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
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
