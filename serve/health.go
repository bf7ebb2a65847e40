package serve

import (
	"io"
	"net/http"
)

// health answers that the process is alive.
func (s *server) health(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") }

// ready answers whether requests are accepted.
func (s *server) ready(w http.ResponseWriter, _ *http.Request) {
	select {
	case <-s.opts.Stopping:
		http.Error(w, "stopping", http.StatusServiceUnavailable)
	default:
		_, _ = io.WriteString(w, "ok\n")
	}
}
