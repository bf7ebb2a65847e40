package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/api/pipe"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// BenchmarkPipe compares pages that go through lede pipe, over pipes of the system, with
// calls of the library that write the same JSON. Each round runs all on the same pages.
//
// "many/library" is the speed with a full window and all cores, as a part of that of the
// library on all cores; "one/library" that of one page at a time, as a part of that of
// the library on one page at a time. "many/used" and "one/used" are the same for the
// processor time, which a busy machine changes less. Client and lede share a process.
func BenchmarkPipe(b *testing.B) {
	pages := testkit.CorpusPages(b, 40, "*")
	ex, err := lede.New()
	if err != nil {
		b.Fatal(err)
	}
	workers := runtime.GOMAXPROCS(0)
	client := startPipes(b, pipe.Options{
		Extractor: ex, Workers: workers, MaxBytes: dom.DefaultBytes, PageTime: lede.DefaultTime, Log: slog.New(slog.DiscardHandler),
	})
	window := 8 * workers
	ratios := map[string][]float64{}
	for b.Loop() {
		for name, at := range map[string]struct{ workers, window int }{"many": {workers, window}, "one": {1, 1}} {
			direct := costOf(workers, func() { extractPages(ex, pages, at.workers) })
			piped := costOf(workers, func() { client.ask(b, pages, at.window) })
			ratios[name+"/library"] = append(ratios[name+"/library"], direct.took/piped.took)
			ratios[name+"/used"] = append(ratios[name+"/used"], direct.used/piped.used)
		}
	}
	for name, list := range ratios {
		b.ReportMetric(median(list), name)
	}
	b.ReportMetric(0, "ns/op")
}

// extractPages extracts pages with the library.
func extractPages(ex *lede.Extractor, pages [][]byte, workers int) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(pages)); i = next.Add(1) - 1 {
				if a, err := ex.Extract(context.Background(), bytes.NewReader(pages[i])); err == nil {
					_ = format.JSON(io.Discard, a, format.Options{})
				}
			}
		})
	}
	group.Wait()
}

// pipeClient is a client over pipes of the system.
type pipeClient struct {
	in  *os.File
	out *bufio.Reader
}

func startPipes(b *testing.B, opts pipe.Options) *pipeClient {
	b.Helper()
	inRead, in, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	out, outWrite, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- pipe.Serve(context.Background(), inRead, outWrite, opts) }()
	b.Cleanup(func() {
		in.Close()
		if err := <-served; err != nil {
			b.Error(err)
		}
		for _, f := range []io.Closer{out, outWrite, inRead} {
			f.Close()
		}
	})
	c := &pipeClient{in, bufio.NewReaderSize(out, 1<<18)}
	readFrame(b, c.out)
	return c
}

// ask sends all pages, of which at most window are unanswered, and reads the answers.
func (c *pipeClient) ask(b *testing.B, pages [][]byte, window int) {
	b.Helper()
	var frame []byte
	for i := range len(pages) + window - 1 {
		if i < len(pages) {
			frame = appendFrame(frame[:0], map[string]any{"id": i + 1, "do": "extract"}, pages[i])
			if _, err := c.in.Write(frame); err != nil {
				b.Fatal(err)
			}
		}
		if i >= window-1 {
			readFrame(b, c.out)
		}
	}
}
