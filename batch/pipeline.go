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
	maxWaitingBytes = 32 << 20
)

// defaultMemory is the default of Options.MaxMemory.
const defaultMemory = 2 << 30

// task is a page on its way to a worker.
type task struct {
	number int64
	page   Input
}

// run calls take with every result, in order. It returns early if ctx is
// cancelled or take fails; pages in progress are finished.
func (p *pipeline) run(ctx context.Context, inputs iter.Seq[Input], take func(*Result) error) error {
	workers := p.opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p.memory = newMemory(cmp.Or(p.opts.MaxMemory, defaultMemory))
	tasks := make(chan task)
	results := newQueue(p.first)
	reading, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var hung, held atomic.Int64
	p.hangs = func(cost int64) {
		if hung.Add(1) >= int64(2*workers) || held.Add(cost) > p.memory.size/maxHung {
			stop(fmt.Errorf("%d pages hang and use the processors and the memory; resume the run to continue without them", hung.Load()))
		}
	}

	go func() {
		defer close(tasks)
		number := p.first
		feed(reading, inputs, func(page Input) bool {
			if !results.reserve(reading) {
				return false
			}
			select {
			case tasks <- task{number, page}:
				number++
				return true
			case <-reading.Done():
				return false
			}
		})
	}()

	var busy sync.WaitGroup
	for n := range workers {
		busy.Go(func() {
			for t := range receive(reading.Done(), tasks) {
				if p.started != nil {
					p.started(n, t.number)
				}
				if r := p.work(reading, t); r != nil {
					results.put(t.number, r)
				}
			}
		})
	}
	go func() { busy.Wait(); results.close() }()

	var err error
	for r := results.take(); r != nil; r = results.take() {
		if err != nil {
			continue // let the workers finish
		}
		if err = take(r); err != nil {
			stop(err)
		}
	}
	if err == nil {
		err = context.Cause(reading)
	}
	return err
}

// receive returns the values of a channel until it or done is closed. The reader
// of a pipe may block forever, so that closing the channel cannot be relied on.
func receive[T any](done <-chan struct{}, from <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			select {
			case v, ok := <-from:
				if !ok || !yield(v) {
					return
				}
			case <-done:
				return
			}
		}
	}
}

// queue restores the order of results and keeps the reader from running too far
// ahead.
type queue struct {
	mu       sync.Mutex
	changed  sync.Cond
	next     int64 // number of the next result
	waiting  map[int64]*Result
	bytes    int // of the results in waiting
	reserved int // pages that were read and whose results are not taken yet
	closed   bool
}

func newQueue(first int64) *queue {
	q := &queue{next: first, waiting: map[int64]*Result{}}
	q.changed.L = &q.mu
	return q
}

// reserve waits until there is space for another page. It returns false if ctx is
// cancelled.
func (q *queue) reserve(ctx context.Context) bool {
	stop := context.AfterFunc(ctx, func() {
		q.mu.Lock()
		q.changed.Broadcast()
		q.mu.Unlock()
	})
	defer stop()
	q.mu.Lock()
	defer q.mu.Unlock()
	for ctx.Err() == nil && (q.reserved >= maxWaiting || q.bytes > maxWaitingBytes) {
		q.changed.Wait()
	}
	q.reserved++
	return ctx.Err() == nil
}

// size returns about how many bytes a result has. What is prepared from a text is a few
// times as large.
func (r *Result) size() int {
	if r.Note != nil {
		return 4 * len(r.JSON)
	}
	return len(r.JSON)
}

func (q *queue) put(number int64, r *Result) {
	q.mu.Lock()
	q.waiting[number] = r
	q.bytes += r.size()
	q.changed.Broadcast()
	q.mu.Unlock()
}

// close must be called after the last put.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.changed.Broadcast()
	q.mu.Unlock()
}

// take returns the next result, or nil if there is none and the queue is closed.
func (q *queue) take() *Result {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.waiting[q.next] == nil {
		if q.closed {
			return nil
		}
		q.changed.Wait()
	}
	r := q.waiting[q.next]
	delete(q.waiting, q.next)
	q.next++
	q.reserved--
	q.bytes -= r.size()
	q.changed.Broadcast()
	return r
}
