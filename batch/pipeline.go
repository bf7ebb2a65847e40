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
