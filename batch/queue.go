package batch

import (
	"context"
	"iter"
	"sync"
)

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
