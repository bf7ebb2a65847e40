package serve

import (
	"io"
	"net/http"
)

// health answers that the process is alive.
func (s *server) health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "ok\n")
}

// ready answers whether requests are accepted.
func (s *server) ready(w http.ResponseWriter, r *http.Request) {
	if s.isStopping() {
		http.Error(w, "stopping", http.StatusServiceUnavailable)
		return
	}
	s.health(w, r)
}
