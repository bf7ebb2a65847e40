package serve

import (
	"context"
	"sync/atomic"
)

// gate bounds the number of pages that are extracted at once, and of requests that
// wait for it.
type gate struct {
	workers chan struct{}
	waiting atomic.Int64
	queue   int64
}

func newGate(workers, queue int) *gate {
	return &gate{workers: make(chan struct{}, workers), queue: int64(queue)}
}

// full reports whether a request would be refused now.
func (g *gate) full() bool { return len(g.workers) == cap(g.workers) && g.waiting.Load() >= g.queue }

// enter waits for a worker, unless too many requests do already. Call leave when the
// page is extracted.
func (g *gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.workers <- struct{}{}:
		return g.leave, nil
	default:
	}
	if g.waiting.Add(1) > g.queue {
		g.waiting.Add(-1)
		return nil, errBusy
	}
	defer g.waiting.Add(-1)
	return g.wait(ctx)
}

// wait waits for a worker, however many requests do.
func (g *gate) wait(ctx context.Context) (leave func(), err error) {
	select {
	case g.workers <- struct{}{}:
		return g.leave, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (g *gate) leave() { <-g.workers }
