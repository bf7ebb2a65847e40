package batch

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
)

// pipeline has one reader, several workers, and one goroutine that takes the
// results in the order of the input. The order costs a buffer of results, but makes
// the progress of a run a single number, and the output independent of the number of
// workers.
type pipeline struct {
	extract ExtractFunc
	opts    Options
	first   int64 // number of the first page
	// started, if not nil, is called by a worker before it extracts a page.
	started func(worker int, number int64)
	// probe, if not nil, returns ErrCrash for a page that must not be extracted.
	probe  func(ctx context.Context, number int64, p Input) error
	memory *memory
	// hangs is called when a page that hangs is abandoned, with the memory that it holds.
	hangs func(cost int64)
}

// The most results that are buffered while an earlier page is in progress. One slow
// page should not stop the other workers.
const (
	maxWaiting      = 4096
	maxWaitingBytes = 64 << 20
)

// defaultMemory is the default of Options.MaxMemory.
const defaultMemory = 2 << 30

// task is a page on its way to a worker. Its result is nil if the page was not begun.
type task struct {
	number int64
	page   Input
	result chan *Result
}

// run calls take with every result, in order. It returns early if ctx is
// cancelled or take fails; pages in progress are finished.
func (p *pipeline) run(ctx context.Context, inputs iter.Seq[Input], take func(*Result) error) error {
	workers := p.opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p.memory = newMemory(cmp.Or(p.opts.MaxMemory, defaultMemory))
	reading, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var hung, held atomic.Int64
	p.hangs = func(cost int64) {
		if hung.Add(1) >= int64(2*workers) || held.Add(cost) > p.memory.size/maxHung {
			stop(fmt.Errorf("%d pages hang and use the processors and the memory; resume the run to continue without them", hung.Load()))
		}
	}
	tasks := make(chan task)
	order := make(chan chan *Result, maxWaiting) // the results of tasks in their order, then nil
	var waiting atomic.Int64                     // bytes of results that are not taken yet
	taken := make(chan struct{}, 1)

	send := func(t task) {
		select {
		case tasks <- t:
		case <-reading.Done():
			t.result <- nil
		}
	}
	go func() {
		var fetching sync.WaitGroup
		defer func() { fetching.Wait(); close(tasks) }()
		ahead := make(chan struct{}, maxAhead)
		number := p.first
		for page := range inputs {
			for waiting.Load() > maxWaitingBytes && reading.Err() == nil {
				select {
				case <-taken:
				case <-reading.Done():
				}
			}
			t := task{number, page, make(chan *Result, 1)}
			select {
			case order <- t.result:
			case <-reading.Done():
				return
			}
			number++
			if page.fetch == nil {
				send(t)
				continue
			}
			ahead <- struct{}{}
			fetching.Go(func() {
				t.page.Err = t.page.get(reading)
				if reading.Err() == nil {
					send(t)
				} else {
					t.result <- nil
				}
				<-ahead
			})
		}
	}()

	var busy sync.WaitGroup
	for n := range workers {
		busy.Go(func() {
			for {
				// The reader of a pipe may block forever, and then never closes tasks.
				var t task
				select {
				case t = <-tasks:
				case <-reading.Done():
				}
				if t.result == nil {
					return
				}
				if p.started != nil {
					p.started(n, t.number)
				}
				r := p.work(reading, t)
				waiting.Add(r.size())
				t.result <- r
			}
		})
	}
	go func() { busy.Wait(); order <- nil }()

	var err error
	for result := <-order; result != nil; result = <-order {
		r := <-result
		waiting.Add(-r.size())
		select {
		case taken <- struct{}{}:
		default:
		}
		switch {
		case err != nil: // let the workers finish
		case r == nil:
			err = context.Cause(reading)
		default:
			if err = take(r); err != nil {
				stop(err)
			}
		}
	}
	return cmp.Or(err, context.Cause(reading))
}

// size returns about how many bytes a result takes, with what is prepared from its text.
func (r *Result) size() int64 {
	if r == nil {
		return 0
	}
	return 4 * int64(len(r.JSON))
}
