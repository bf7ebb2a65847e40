package serve

import (
	"context"
	"sync/atomic"
	"time"
)

// gate bounds the number of pages that are extracted at once, and of requests that
// wait for it. They are let in as they came. Of the pages of batches, which wait however
// many there are, only as many as there are workers are among them, so that batches may
// take all workers and yet do not hold up single requests.
type gate struct {
	workers chan struct{}
	batched chan struct{} // has an element for each page of a batch that waits or is extracted
	queue   int64
	waiting atomic.Int64
	refused atomic.Int64
}

func newGate(workers, queue int) *gate {
	return &gate{workers: make(chan struct{}, workers), batched: make(chan struct{}, workers), queue: int64(queue)}
}

// busy returns the number of pages that are being extracted.
func (g *gate) busy() int { return len(g.workers) }

// full reports whether a request would be refused now. It is asked before the body of
// a request is read, so that a client need not send a page in vain.
func (g *gate) full() bool {
	if g.waiting.Load() < g.queue {
		return false
	}
	g.refused.Add(1)
	return true
}

// enter waits for a worker, unless too many requests do already. Call leave when the
// page is extracted.
func (g *gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.workers <- struct{}{}: // fails while requests wait
		return g.leave, nil
	default:
	}
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > g.queue {
		g.refused.Add(1)
		return nil, errBusy
	}
	if err := g.take(ctx, g.workers); err != nil {
		return nil, err
	}
	return g.leave, nil
}

// enterBatched waits for a worker for a page of a batch.
func (g *gate) enterBatched(ctx context.Context) (leave func(), err error) {
	if err := g.take(ctx, g.batched); err != nil {
		return nil, err
	}
	if err := g.take(ctx, g.workers); err != nil {
		<-g.batched
		return nil, err
	}
	return func() {
		g.leave()
		<-g.batched
	}, nil
}

// take waits until there is room in a channel.
func (g *gate) take(ctx context.Context, room chan<- struct{}) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	began := time.Now()
	defer func() { waitedFor(ctx, time.Since(began)) }()
	select {
	case room <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (g *gate) leave() { <-g.workers }
