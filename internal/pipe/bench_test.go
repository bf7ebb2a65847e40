package pipe

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/testkit"
)

// BenchmarkPipe compares pages that go through lede pipe, over pipes of the system, with
// calls of the library that write the same JSON. Each round runs all on the same pages.
//
// "many/library" is the speed with a full window and all cores, as a part of that of the
// library on all cores; "one/library" that of one page at a time, as a part of that of
// the library on one page at a time. Client and lede share the cores of one process.
func BenchmarkPipe(b *testing.B) {
	pages := testkit.CorpusPages(b, 150, "*")
	opts := testOptions(b)
	opts.Workers = runtime.GOMAXPROCS(0)
	opts.MaxBytes = 20 << 20
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(opts.Workers + 2)) // as the command does
	library := func(workers int) float64 {
		return timed(func() {
			var next atomic.Int64
			var group sync.WaitGroup
			for range workers {
				group.Go(func() {
					for i := next.Add(1) - 1; i < int64(len(pages)); i = next.Add(1) - 1 {
						var out bytes.Buffer
						if a, err := opts.Extractor.Extract(context.Background(), bytes.NewReader(pages[i])); err == nil {
							_ = format.JSON(&out, a, format.Options{})
						}
					}
				})
			}
			group.Wait()
		})
	}
	client := startSystemPipes(b, opts)
	var many, one []float64
	for b.Loop() {
		whole := library(opts.Workers)
		many = append(many, whole/timed(func() { client.ask(b, pages, windowSize*opts.Workers) }))
		single := library(1)
		one = append(one, single/timed(func() { client.ask(b, pages, 1) }))
	}
	slices.Sort(many)
	slices.Sort(one)
	b.ReportMetric(many[len(many)/2], "many/library")
	b.ReportMetric(one[len(one)/2], "one/library")
	b.ReportMetric(0, "ns/op")
}

func timed(do func()) float64 {
	runtime.GC() // so that none pays for the one before
	start := time.Now()
	do()
	return time.Since(start).Seconds()
}

// systemPipes is a client of Serve over pipes of the system.
type systemPipes struct {
	in  *os.File
	out *bufio.Reader
}

func startSystemPipes(b *testing.B, opts Options) *systemPipes {
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
	go func() { served <- Serve(context.Background(), inRead, outWrite, opts) }()
	b.Cleanup(func() {
		in.Close()
		if err := <-served; err != nil {
			b.Error(err)
		}
		for _, f := range []io.Closer{out, outWrite, inRead} {
			f.Close()
		}
	})
	c := &systemPipes{in, bufio.NewReaderSize(out, bufferSize)}
	if _, err := decode(c.out); err != nil {
		b.Fatal(err)
	}
	return c
}

// ask sends all pages, of which at most window are unanswered, and reads the answers.
func (c *systemPipes) ask(b *testing.B, pages [][]byte, window int) {
	b.Helper()
	for i := range len(pages) + window {
		if i < len(pages) {
			if _, err := c.in.Write(encode(object{"id": i + 1, "do": "extract"}, string(pages[i]))); err != nil {
				b.Fatal(err)
			}
		}
		if i >= window-1 && i-window+1 < len(pages) {
			if _, err := decode(c.out); err != nil {
				b.Fatal(err)
			}
		}
	}
}
