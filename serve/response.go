package serve

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

const (
	// stallTime is how long a client may take to read writeStep bytes.
	stallTime = time.Minute
	writeStep = 64 << 10
)

// response counts what is written, and cuts off clients that do not read: there is no
// limit for a whole response, since a batch may last for hours.
type response struct {
	http.ResponseWriter
	control *http.ResponseController
	status  int // 0 until the header is written
	bytes   int64
	until   time.Time // the write deadline
}

func newResponse(w http.ResponseWriter) *response {
	return &response{ResponseWriter: w, control: http.NewResponseController(w)}
}

// Unwrap makes http.ResponseController work.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// code returns the status.
func (w *response) code() int {
	if w.status == 0 {
		return http.StatusOK
	}
	return w.status
}

func (w *response) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
	w.extend()
	w.ResponseWriter.WriteHeader(status)
}

func (w *response) Write(p []byte) (n int, err error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	for {
		w.extend()
		part := p[n:min(n+writeStep, len(p))]
		m, err := w.ResponseWriter.Write(part)
		n, w.bytes = n+m, w.bytes+int64(m)
		if err != nil || n == len(p) {
			return n, err
		}
	}
}

// FlushError is called by http.ResponseController.
func (w *response) FlushError() error {
	w.extend()
	return w.control.Flush()
}

// extend gives the client more time to read.
func (w *response) extend() {
	const step = time.Second // setting a deadline costs more than reading the clock
	if now := time.Now(); w.until.Sub(now) < stallTime-step {
		w.until = now.Add(stallTime)
		_ = w.control.SetWriteDeadline(w.until) // a server without deadlines has limits of its own
	}
}

// send writes a response that was made in memory.
func send(w http.ResponseWriter, out *bytes.Buffer) {
	w.Header().Set("Content-Length", strconv.Itoa(out.Len()))
	_, _ = out.WriteTo(w)
}

// countingBody counts the bytes of a request.
type countingBody struct {
	io.ReadCloser
	bytes atomic.Int64
	ended atomic.Bool
}

func (b *countingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.bytes.Add(int64(n))
	if err == io.EOF {
		b.ended.Store(true)
	}
	return n, err
}

// isSending reports whether the body of a request has not been read to its end.
func isSending(r *http.Request) bool {
	b, ok := r.Body.(*countingBody)
	return ok && r.ContentLength != 0 && !b.ended.Load()
}
