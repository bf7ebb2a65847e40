package batch

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
)

// pipeline is one reader, many workers, and one who takes the results in the
// order of the input. That order costs a buffer of results, and is worth it: how
// far a run has come is then one number, and the output is the same whatever
// the number of workers.
type pipeline struct {
	extract Extract
	opts    Options
	first   int64 // the number of the first page
	// begin, if set, is told by a worker which page it takes up.
	begin func(worker int, number int64)
	// probe, if set, says ErrCrash of a page that must not be tried here.
	probe  func(ctx context.Context, number int64, p *Page) error
	memory guard
	// heavy is held by the one large page that may be in work.
	heavy sync.Mutex
}

// heavyBytes is the size from which pages are done one after the other: a page
// takes several times its size in memory, and every core could have one.
const heavyBytes = 2 << 20

// The most results that wait for an earlier page. A page that takes its two
// seconds must not stop the others meanwhile.
const (
	maxWaiting      = 4096
	maxWaitingBytes = 32 << 20
)

// task is a page on its way to a worker.
type task struct {
	number int64
	page   Page
}

// until receives until the channel is closed, or done is: who reads a pipe may
// wait for ever, and is not waited for.
func until[T any](done <-chan struct{}, from <-chan T) iter.Seq[T] {
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

// run calls take with every result, in order. It ends early when ctx ends or
// take fails; pages that were begun are finished.
func (p *pipeline) run(ctx context.Context, pages iter.Seq[Page], take func(*Result) error) error {
	workers := p.opts.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	todo := make(chan task)
	line := newQueue(p.first)
	reading, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	p.memory.limit = p.opts.MaxMemory
	watching, rest := context.WithCancel(context.WithoutCancel(ctx)) // also while the last pages are finished
	defer rest()
	go p.memory.watch(watching)

	go func() {
		defer close(todo)
		number := p.first
		for page := range pages {
			if !line.enter(reading) {
				return
			}
			select {
			case todo <- task{number, page}:
				number++
			case <-reading.Done():
				line.withdraw()
				return
			}
		}
	}()

	var busy sync.WaitGroup
	var stuck atomic.Int64
	for w := range workers {
		busy.Go(func() {
			me := &worker{}
			defer me.end()
			for t := range until(reading.Done(), todo) {
				if p.begin != nil {
					p.begin(w, t.number)
				}
				// A page that was begun is finished, also when the run is
				// called off: its own limit of time bounds the wait.
				r := p.work(context.WithoutCancel(ctx), me, t)
				if r.hung && stuck.Add(1) >= int64(2*workers) {
					stop(fmt.Errorf("%d pages hang and take all the time there is; resume to go on without them", stuck.Load()))
				}
				line.put(t.number, r)
			}
		})
	}
	go func() { busy.Wait(); line.close() }()

	var err error
	for r := range line.all() {
		if err != nil {
			continue // let the workers end
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

// queue puts results back into the order of their pages, and keeps the reader
// from running ahead of them.
type queue struct {
	mu      sync.Mutex
	changed sync.Cond
	next    int64 // the number of the result that is due
	waiting map[int64]*Result
	bytes   int // of those
	out     int // pages that were let in and are not taken yet
	closed  bool
}

func newQueue(first int64) *queue {
	q := &queue{next: first, waiting: map[int64]*Result{}}
	q.changed.L = &q.mu
	return q
}

// enter waits until there is room for another page. It says no when ctx ends.
func (q *queue) enter(ctx context.Context) bool {
	wake := context.AfterFunc(ctx, func() {
		q.mu.Lock()
		q.changed.Broadcast()
		q.mu.Unlock()
	})
	defer wake()
	q.mu.Lock()
	defer q.mu.Unlock()
	for ctx.Err() == nil && (q.out >= maxWaiting || q.bytes > maxWaitingBytes) {
		q.changed.Wait()
	}
	if ctx.Err() != nil {
		return false
	}
	q.out++
	return true
}

// withdraw undoes enter.
func (q *queue) withdraw() {
	q.mu.Lock()
	q.out--
	q.mu.Unlock()
}

func (q *queue) put(number int64, r *Result) {
	q.mu.Lock()
	q.waiting[number] = r
	q.bytes += len(r.JSON)
	if number == q.next {
		q.changed.Broadcast()
	}
	q.mu.Unlock()
}

// close says that nothing more is put.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.changed.Broadcast()
	q.mu.Unlock()
}

// all takes the results, in order, until the queue is closed and empty.
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
	q.out--
	q.bytes -= len(r.JSON)
	q.changed.Broadcast()
	return r
}
