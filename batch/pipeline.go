package batch

import (
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
	probe  func(ctx context.Context, number int64, p *Input) error
	memory memoryGuard
	// admission is nil without Options.MaxMemory.
	admission *admission
	large     sync.Mutex // held while a page of largeBytes or more is extracted without admission
}

// largeBytes is the size from which pages are extracted one at a time if there is no
// limit on the memory: a page takes several times its size, and every worker could
// have one.
const largeBytes = 2 << 20

// The most results that are buffered while an earlier page is in progress. One slow
// page should not stop the other workers.
const (
	maxWaiting      = 4096
	maxWaitingBytes = 32 << 20
)

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
	tasks := make(chan task)
	results := newQueue(p.first)
	if p.opts.MaxMemory > 0 {
		plan, err := planMemory(p.opts.MaxMemory, memoryInUse()+p.opts.OtherMemory, workers)
		if err != nil {
			return err
		}
		p.admission, results.maxBytes = newAdmission(plan), plan.waiting
	}
	reading, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	p.memory.limit = p.opts.MaxMemory
	watching, stopWatching := context.WithCancel(context.WithoutCancel(ctx)) // also while the last pages are finished
	defer stopWatching()
	go p.memory.watch(watching)

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
				results.unreserve()
				return false
			}
		})
	}()

	var busy sync.WaitGroup
	var hung atomic.Int64
	for n := range workers {
		busy.Go(func() {
			w := &worker{}
			defer w.close()
			for t := range receive(reading.Done(), tasks) {
				if p.started != nil {
					p.started(n, t.number)
				}
				// A page in progress is finished even if the run is cancelled. Its
				// own time limit bounds the wait.
				r := p.work(context.WithoutCancel(ctx), w, t)
				if r.hung && hung.Add(1) >= int64(2*workers) {
					stop(fmt.Errorf("%d pages hang and use all processors; resume the run to continue without them", hung.Load()))
				}
				results.put(t.number, r)
			}
		})
	}
	go func() { busy.Wait(); results.close() }()

	var err error
	for r := range results.all() {
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
	maxBytes int // of the results in waiting before the reader waits
	reserved int // pages that were read and whose results are not taken yet
	closed   bool
}

func newQueue(first int64) *queue {
	q := &queue{next: first, waiting: map[int64]*Result{}, maxBytes: maxWaitingBytes}
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
	for ctx.Err() == nil && (q.reserved >= maxWaiting || q.bytes > q.maxBytes) {
		q.changed.Wait()
	}
	if ctx.Err() != nil {
		return false
	}
	q.reserved++
	return true
}

func (q *queue) unreserve() {
	q.mu.Lock()
	q.reserved--
	q.mu.Unlock()
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
	if number == q.next {
		q.changed.Broadcast()
	}
	q.mu.Unlock()
}

// close must be called after the last put.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.changed.Broadcast()
	q.mu.Unlock()
}

// all returns the results, in order, until the queue is closed and empty.
func (q *queue) all() iter.Seq[*Result] {
	return func(yield func(*Result) bool) {
		for {
			r := q.take()
			if r == nil || !yield(r) {
				return
			}
		}
	}
}

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
