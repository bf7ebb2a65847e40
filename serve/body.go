package serve

import (
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lede-news/lede/internal/crawl/coding"
)

const (
	// bodyMemory is the memory for the bodies of all requests, unless few would fit.
	bodyMemory = 256 << 20
	// bodyStep is what a body takes of the budget at first. Most pages have more, and
	// few requests that are slow to arrive have sent as much.
	bodyStep = 16 << 10
	// growth is by how much a body takes more when that is full.
	growth = 4
	// pooledBody is the capacity that most bodies of pages end with.
	pooledBody = growth * growth * bodyStep
	// slowest is the number of bytes a second that a client must send, after ReadTime.
	slowest = 16 << 10
	// drainTime is how long the body of a refused request is read, so that its sender
	// gets to read the answer.
	drainTime = 2 * time.Second
)

// budget is the memory for the bodies of all requests. Usual bodies are used again, since
// most of the garbage would be theirs.
type budget struct {
	left atomic.Int64
	pool sync.Pool // of *[]byte with a capacity of pooledBody
}

func newBudget(bytes int64) *budget {
	b := new(budget)
	b.left.Store(bytes)
	return b
}

// take takes bytes of the budget, or reports that there are not enough.
func (b *budget) take(bytes int) bool {
	if b.left.Add(-int64(bytes)) >= 0 {
		return true
	}
	b.give(bytes)
	return false
}

func (b *budget) give(bytes int) { b.left.Add(int64(bytes)) }

// grow returns a body with more capacity, for which the budget is taken.
func (b *budget) grow(body []byte, capacity int) []byte {
	if capacity == pooledBody {
		if p, ok := b.pool.Get().(*[]byte); ok {
			return append((*p)[:0], body...)
		}
	}
	return append(make([]byte, 0, capacity), body...)
}

// free gives back what a body has taken. It must not be used afterwards.
func (b *budget) free(body []byte) {
	b.give(cap(body))
	if cap(body) == pooledBody {
		b.pool.Put(&body)
	}
}

// readBody reads and decodes the body of a request within the limits. Call free when
// it is no longer needed.
func (s *server) readBody(w http.ResponseWriter, r *http.Request) (body []byte, free func(), err error) {
	limit := int64(s.opts.MaxBytes)
	if media, _ := coding.ContentType(r.Header.Get("Content-Type")); media == "application/json" || isForm(media) {
		limit = 2*limit + bodyStep // a page grows when it is escaped
	}
	if r.ContentLength > limit {
		return nil, nil, tooLarge(limit)
	}
	bounds := coding.NewLimit(limit)
	paced := s.paced(w, r)
	in, err := coding.Decode(bounds.Reader(paced), r.Header, bounds)
	if err != nil {
		return nil, nil, bodyError(errors.Join(bounds.Err(), err), limit)
	}
	for {
		if len(body) == cap(body) {
			grown := max(bodyStep, growth*cap(body))
			if !s.bodies.take(grown - cap(body)) {
				s.bodies.free(body)
				return nil, nil, errBusy
			}
			body = s.bodies.grow(body, grown)
		}
		n, err := in.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err == io.EOF && bounds.Err() == nil {
			paced.done()
			return body, func() { s.bodies.free(body) }, nil
		}
		if err != nil {
			s.bodies.free(body)
			return nil, nil, bodyError(errors.Join(bounds.Err(), err), limit)
		}
	}
}

// isForm reports whether a media type is that of a form.
func isForm(media string) bool {
	return media == "application/x-www-form-urlencoded" || media == "multipart/form-data"
}

func tooLarge(limit int64) error {
	return newProblem("too-large", "the request has more than %d bytes; send less, or start the service with a higher limit (lede serve --max-bytes)", limit)
}

// bodyError returns the problem of a body that cannot be read.
func bodyError(err error, limit int64) error {
	switch {
	case errors.Is(err, coding.ErrTooLarge):
		return tooLarge(limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return newProblem("slow", "the request did not arrive in time; send it at once")
	}
	return newProblem("body", "the body of the request cannot be read: %v; check Content-Encoding and Content-Length", err)
}

// paced returns a reader of the body of a request that fails when the client is too
// slow.
func (s *server) paced(w http.ResponseWriter, r *http.Request) *pacedReader {
	return &pacedReader{in: r.Body, control: http.NewResponseController(w), end: time.Now().Add(s.opts.ReadTime)}
}

type pacedReader struct {
	in      io.Reader
	control *http.ResponseController
	end     time.Time // of the time to read
	unset   int       // bytes since the deadline was set
	begun   bool
}

func (p *pacedReader) Read(b []byte) (int, error) {
	p.extend()
	n, err := p.in.Read(b)
	p.unset += n
	return n, err
}

// extend sets the deadline again if the client has sent something.
func (p *pacedReader) extend() {
	if !p.begun || p.unset >= slowest {
		p.end = p.end.Add(time.Duration(p.unset) * time.Second / slowest)
		// A server that has no deadlines has limits of its own.
		_ = p.control.SetReadDeadline(p.end)
		p.begun, p.unset = true, 0
	}
}

// done removes the deadline from a body that has arrived. If it passed later, the server
// would take the client for gone. Of other bodies, the server reads the rest until then.
func (p *pacedReader) done() { _ = p.control.SetReadDeadline(time.Time{}) }

// drain sends the answer to a request that failed and reads the rest of its body for a
// short time. If the connection were closed at once, a client that is still sending
// might never see the answer.
func (s *server) drain(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	if isSending(r) && control.Flush() == nil && control.SetReadDeadline(time.Now().Add(drainTime)) == nil {
		_, _ = io.CopyN(io.Discard, r.Body, int64(s.opts.MaxBytes))
	}
}
