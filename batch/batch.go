// Package batch works through many pages on one machine: it reads them from
// files and folders, extracts with as many workers as there are cores, and
// writes one line of JSON for each. A page that fails is a line with its
// error, never a missing line.
package batch

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"runtime"
	"sync"
	"time"

	"github.com/lede-news/lede/article"
)

// Extract takes the article out of one page. It must be safe for concurrent
// use; rivals and methods alike run through it.
type Extract func(ctx context.Context, p Page, r io.Reader) (*article.Article, error)

// Options say how to run.
type Options struct {
	// Workers is how many pages are in work at once; 0 means one a core.
	Workers int
	// Progress is called after every page, never at the same time twice.
	Progress func(Stats)
}

// Stats is how far a run has come.
type Stats struct {
	Done, Failed int
	Bytes        int64 // of pages, unpacked
	Elapsed      time.Duration
}

// Run extracts every page and writes its line to w, in the order in which they
// get done. It stops early only when ctx ends or w fails; pages in work are
// finished and written first. The error of a page is in its line and counted.
func Run(ctx context.Context, pages iter.Seq[Page], extract Extract, w io.Writer, opts Options) (Stats, error) {
	workers := opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	todo := make(chan Page)
	done := make(chan outcome, workers)
	stop := make(chan struct{}) // closed when the sink fails

	go func() {
		defer close(todo)
		for p := range pages {
			select {
			case todo <- p:
			case <-ctx.Done():
				return
			case <-stop:
				return
			}
		}
	}()

	var busy sync.WaitGroup
	for range workers {
		busy.Go(func() {
			for p := range todo {
				// A page that was begun is finished, also when the run is
				// called off: its own limit of time bounds the wait.
				done <- work(context.WithoutCancel(ctx), p, extract)
			}
		})
	}
	go func() { busy.Wait(); close(done) }()

	stats, err := collect(done, stop, w, opts.Progress)
	if err == nil {
		err = context.Cause(ctx)
	}
	return stats, err
}

// collect is the only writer.
func collect(done <-chan outcome, stop chan<- struct{}, w io.Writer, progress func(Stats)) (stats Stats, err error) {
	start := time.Now()
	for o := range done {
		if err != nil {
			continue // let the workers end
		}
		if _, err = w.Write(o.line); err != nil {
			err = fmt.Errorf("writing the result: %w", err)
			close(stop)
			continue
		}
		stats.Done++
		stats.Bytes += o.bytes
		if o.failed {
			stats.Failed++
		}
		stats.Elapsed = time.Since(start)
		if progress != nil {
			progress(stats)
		}
	}
	stats.Elapsed = time.Since(start)
	return stats, err
}

type outcome struct {
	line   []byte
	failed bool
	bytes  int64
}

// work does one page, whatever happens in it.
func work(ctx context.Context, p Page, extract Extract) (o outcome) {
	var a *article.Article
	err := func() (err error) {
		defer func() {
			if x := recover(); x != nil {
				err = fmt.Errorf("the extractor crashed on this page: %v", x)
			}
		}()
		if p.Err != nil {
			return p.Err
		}
		r, err := p.Open()
		if err != nil {
			return err
		}
		defer r.Close()
		counted := &counter{r: r}
		a, err = extract(ctx, p, counted)
		o.bytes = counted.n
		return err
	}()
	if err == nil {
		if o.line, err = json.Marshal(NewLine(p, a)); err == nil {
			o.line = append(o.line, '\n')
			return o
		}
	}
	o.failed = true
	o.line, _ = json.Marshal(failure{ID: p.ID, URL: p.URL, Error: oneLine(err.Error())}) // strings always marshal
	o.line = append(o.line, '\n')
	return o
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
