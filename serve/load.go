package serve

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"github.com/lede-news/lede/internal/api/request"
	"github.com/lede-news/lede/internal/crawl/coding"
)

var errBusy = request.Errorf("busy", "all workers are busy and the queue is full; try again later")

// gate bounds the number of pages that are extracted at once, and of requests that
// wait for it. They are let in as they came.
type gate struct {
	workers chan struct{}
	queue   int64
	waiting atomic.Int64
}

func newGate(workers, queue int) *gate {
	return &gate{workers: make(chan struct{}, workers), queue: int64(queue)}
}

// full reports whether a request would be refused now. It is asked before the body of
// a request is read, so that a client need not send a page in vain.
func (g *gate) full() bool { return g.waiting.Load() >= g.queue }

// do waits for a worker, unless too many requests do already, and calls work.
func (g *gate) do(ctx context.Context, work func() error) error {
	select {
	case g.workers <- struct{}{}: // fails while requests wait
	default:
		if err := g.wait(ctx); err != nil {
			return err
		}
	}
	defer func() { <-g.workers }()
	return work()
}

func (g *gate) wait(ctx context.Context) error {
	defer g.waiting.Add(-1)
	if g.waiting.Add(1) > g.queue {
		return errBusy
	}
	select {
	case g.workers <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

const (
	// bodyMemory is the memory for the bodies of all requests, unless few would fit.
	bodyMemory = 256 << 20
	// bodyStep is what a body takes of the budget at first. Few requests that are slow to
	// arrive have sent as much.
	bodyStep = 16 << 10
)

// budget is the memory for the bodies of all requests.
type budget struct{ left atomic.Int64 }

// take takes bytes of the budget, or reports that there are not enough.
func (b *budget) take(bytes int) bool {
	if b.left.Add(-int64(bytes)) >= 0 {
		return true
	}
	b.give(bytes)
	return false
}

func (b *budget) give(bytes int) { b.left.Add(int64(bytes)) }

// readAll reads r to its end, within the memory for bodies. Call free when the bytes are
// no longer needed.
func (b *budget) readAll(r io.Reader) (body []byte, free func(), err error) {
	free = func() { b.give(cap(body)) }
	for {
		if len(body) == cap(body) {
			grown := max(bodyStep, 2*cap(body))
			if !b.take(grown - cap(body)) {
				free()
				return nil, nil, errBusy
			}
			body = append(make([]byte, 0, grown), body...)
		}
		n, err := r.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err == io.EOF {
			return body, free, nil
		}
		if err != nil {
			free()
			return nil, nil, err
		}
	}
}

// setDeadline sets the time in which the body of a request has to arrive, also one that
// is refused: the server reads some of it before it answers.
func (s *server) setDeadline(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 {
		_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.opts.ReadTime)) // if the server has deadlines
	}
}

// clearDeadline ends the time for a body that has arrived. If the deadline passed later,
// the server would take the client for gone.
func clearDeadline(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
}

// readBody reads and decodes the body of a request within the limits. Call free when
// it is no longer needed.
func (s *server) readBody(w http.ResponseWriter, r *http.Request) (body []byte, free func(), err error) {
	limit := int64(s.opts.MaxBytes)
	if media, _ := coding.ContentType(r.Header.Get("Content-Type")); media == "application/json" {
		limit = 2*limit + bodyStep // a page grows when it is escaped
	}
	if r.ContentLength > limit {
		return nil, nil, tooLarge(limit)
	}
	bounds := coding.NewLimit(limit)
	in, err := coding.Decode(bounds.Reader(r.Body), r.Header, bounds)
	if err == nil {
		body, free, err = s.bodies.readAll(in)
	}
	if err == nil && bounds.Err() != nil {
		free()
		err = bounds.Err()
	}
	if err != nil {
		return nil, nil, bodyError(errors.Join(bounds.Err(), err), limit)
	}
	clearDeadline(w)
	visitOf(r.Context()).received = len(body)
	return body, free, nil
}

func tooLarge(limit int64) error {
	return request.Errorf("too-large",
		"the request has more than %d bytes; send less, or start the service with a higher limit (lede serve --max-bytes)", limit)
}

// bodyError returns the error of a body that cannot be read.
func bodyError(err error, limit int64) error {
	switch {
	case errors.Is(err, errBusy):
		return errBusy
	case errors.Is(err, coding.ErrTooLarge):
		return tooLarge(limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return request.Errorf("slow", "the request did not arrive in time; send it at once")
	}
	return request.Errorf("body", "the body of the request cannot be read: %v; check Content-Encoding and Content-Length", err)
}
