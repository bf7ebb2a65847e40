package serve

import (
	"context"
	"sync/atomic"
	"time"
)

// gate bounds the number of pages that are extracted at once, and of requests that
// wait for it. Requests are let in as they came.
type gate struct {
	workers chan struct{}
	queue   int64
	waiting atomic.Int64
	refused atomic.Int64
}

func newGate(workers, queue int) *gate {
	return &gate{workers: make(chan struct{}, workers), queue: int64(queue)}
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
	return g.wait(ctx)
}

// wait waits for a worker, however many requests do. Its caller must bound their
// number.
func (g *gate) wait(ctx context.Context) (leave func(), err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	began := time.Now()
	defer func() { waitedFor(ctx, time.Since(began)) }()
	select {
	case g.workers <- struct{}{}:
		return g.leave, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (g *gate) leave() { <-g.workers }
