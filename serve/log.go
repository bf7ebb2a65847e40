package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/lede-news/lede"
)

// visit is what is known about a request, for its line of the log and the metrics.
type visit struct {
	id       string
	key      *key   // nil without keys
	kind     string // of the problem that was answered
	received int    // bytes of the body
}

type visitKey struct{}

// visitOf returns the visit of a context. It is never nil.
func visitOf(ctx context.Context) *visit {
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		return v
	}
	return new(visit)
}

// response counts what is written.
type response struct {
	http.ResponseWriter
	status int // 0 until the header is written
	bytes  int64
}

// Unwrap makes http.ResponseController work.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *response) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *response) Write(p []byte) (int, error) {
	w.status = cmp.Or(w.status, http.StatusOK)
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// plainID matches the request IDs of clients that are kept.
var plainID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// observe gives each request an ID, and counts and logs it when it is answered. The log
// has nothing of pages: no addresses, and none of their contents.
func (s *server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		v := &visit{id: r.Header.Get("X-Request-Id")}
		if !plainID.MatchString(v.id) {
			v.id = rand.Text()
		}
		w.Header().Set("X-Request-Id", v.id)
		out := &response{ResponseWriter: w}
		r = r.WithContext(context.WithValue(r.Context(), visitKey{}, v))
		s.setDeadline(w, r)
		aborted := s.serveSafely(next, out, r, v)
		out.status = cmp.Or(out.status, http.StatusOK)
		took := time.Since(began)
		s.metrics.count(r.Pattern, out.status, v.kind, took)
		s.logRequest(r, v, out, took)
		if aborted {
			panic(http.ErrAbortHandler)
		}
	})
}

// serveSafely calls the handler. A panic in it is answered with an error. If a part of
// the response is written already, the connection has to be aborted.
func (s *server) serveSafely(next http.Handler, w *response, r *http.Request, v *visit) (aborted bool) {
	defer func() {
		switch p := recover(); {
		case p == nil:
		case p == http.ErrAbortHandler:
			aborted = true
		default:
			s.opts.Log.Error("panic", "id", v.id, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			if aborted = w.status != 0; !aborted {
				s.fail(w, r, lede.ErrInternal)
			}
		}
	}()
	next.ServeHTTP(w, r)
	return false
}

// logRequest writes the line of a request.
func (s *server) logRequest(r *http.Request, v *visit, out *response, took time.Duration) {
	level := slog.LevelInfo
	switch {
	case out.status >= http.StatusInternalServerError && !isProbe(r.URL.Path):
		level = slog.LevelError
	case isProbe(r.URL.Path):
		level = slog.LevelDebug
	}
	if !s.opts.Log.Enabled(r.Context(), level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", shorten(r.Method)), slog.String("path", shorten(r.URL.Path)), slog.Int("status", out.status),
		slog.Int("bytes_in", v.received), slog.Int64("bytes_out", out.bytes),
		slog.Float64("ms", float64(took.Round(10*time.Microsecond))/float64(time.Millisecond)),
	}
	if v.kind != "" {
		attrs = append(attrs, slog.String("kind", v.kind))
	}
	if v.key != nil {
		attrs = append(attrs, slog.String("key", v.key.name))
	}
	s.opts.Log.LogAttrs(r.Context(), level, "request", append(attrs, slog.String("id", v.id))...)
}

// shorten bounds what a client can write into the log.
func shorten(s string) string {
	const most = 100
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
