package main

import (
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/batch"
)

// metrics tells whether anybody wants them.
func (p *progress) metrics() bool { return p.served }

// serveMetrics answers Prometheus until stop is called. An address without a
// host is of this machine only.
func (p *progress) serveMetrics(addr string, w io.Writer) (stop func(), err error) {
	if strings.HasPrefix(addr, ":") {
		addr = "127.0.0.1" + addr
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("cannot serve metrics on %s: %w; choose another address", addr, err)
	}
	fmt.Fprintf(w, "lede: metrics on http://%s/metrics\n", l.Addr())
	p.served = true
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		p.mu.Lock()
		defer p.mu.Unlock()
		writeMetrics(w, p.latest, max(p.bytes.Load(), 0))
	})
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: 10 * time.Second}
	go func() { _ = srv.Serve(l) }() // it ends when it is closed
	return func() { srv.Close() }, nil
}

// writeMetrics writes numbers in Prometheus' text form.
func writeMetrics(w io.Writer, s batch.Stats, total int64) {
	one := func(name, kind, help string, value any) {
		fmt.Fprintf(w, "# HELP lede_batch_%s %s\n# TYPE lede_batch_%s %s\nlede_batch_%s %v\n", name, help, name, kind, name, value)
	}
	one("pages_total", "counter", "Pages that have their outcome.", s.Done)
	one("pages_failed_total", "counter", "Pages whose outcome is an error.", s.Failed)
	one("pages_partial_total", "counter", "Pages that a limit cut off.", s.Partial)
	one("pages_quarantined_total", "counter", "Pages that crashed lede or hang.", s.Quarantined)
	one("page_bytes_total", "counter", "Bytes of pages, unpacked.", s.Bytes)
	one("input_bytes_total", "counter", "Bytes of the inputs that were read, as they lie on the disk.", s.Input)
	one("input_bytes_lost_total", "counter", "Bytes of broken archives that were passed over.", s.Lost)
	one("input_bytes", "gauge", "Bytes of all inputs; 0 when nobody knows.", total)
	one("seconds_total", "counter", "Time spent.", s.Elapsed.Seconds())
	many := func(name, label, help string, counts map[string]int) {
		fmt.Fprintf(w, "# HELP lede_batch_%s %s\n# TYPE lede_batch_%s counter\n", name, help, name)
		for _, key := range slices.Sorted(maps.Keys(counts)) {
			fmt.Fprintf(w, "lede_batch_%s{%s=%q} %d\n", name, label, key, counts[key])
		}
	}
	many("errors_total", "kind", "Pages that failed, by the kind of the error.", s.Errors)
	many("articles_total", "type", "Pages that gave something, by type.", s.Types)
	many("languages_total", "lang", "Pages that gave something, by language.", s.Langs)
}
