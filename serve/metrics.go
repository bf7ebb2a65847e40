package serve

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// metrics are the counts of a service. Their labels have few values: a route is a
// pattern and not a path, and whatever clients send is not a label.
type metrics struct {
	mu       sync.Mutex
	requests map[answer]int
	seconds  map[string]*histogram // by route
	problems map[string]int        // by kind
	fetches  map[string]int        // by kind of problem, or "ok"
}

// answer is what requests are counted by.
type answer struct {
	route  string
	status int
}

func newMetrics() *metrics {
	return &metrics{requests: map[answer]int{}, seconds: map[string]*histogram{}, problems: map[string]int{}, fetches: map[string]int{}}
}

// count counts a request that was answered.
func (m *metrics) count(route string, status int, kind string, took time.Duration) {
	route = cmp.Or(route, "none") // refused, or unknown
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[answer{route, status}]++
	if m.seconds[route] == nil {
		m.seconds[route] = new(histogram)
	}
	m.seconds[route].observe(took.Seconds())
	if kind != "" {
		m.problems[kind]++
	}
}

// countFetch counts a page that was fetched. err is what that failed with, if it did.
func (m *metrics) countFetch(err error) {
	kind := "ok"
	if err != nil {
		kind = problemOf(err).Kind
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fetches[kind]++
}

// getMetrics answers with the metrics in the text format of Prometheus.
func (s *server) getMetrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	s.metrics.write(w)
	gauge := func(name, help string, value any) {
		writeHead(w, name, "gauge", help)
		fmt.Fprintf(w, "lede_serve_%s %v\n", name, value)
	}
	gauge("workers", "Pages that can be extracted at once.", cap(s.gate.workers))
	gauge("workers_busy", "Pages that are being extracted.", len(s.gate.workers))
	gauge("waiting", "Requests that wait for a worker.", s.gate.waiting.Load())
}

// write writes what was counted. Labels are Go strings without quotes and backslashes, so
// that they need no escapes.
func (m *metrics) write(w io.Writer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	writeHead(w, "requests_total", "counter", "Requests that were answered, by route and status.")
	for _, a := range slices.SortedFunc(maps.Keys(m.requests), func(a, b answer) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.status, b.status))
	}) {
		fmt.Fprintf(w, "lede_serve_requests_total{route=%q,status=\"%d\"} %d\n", a.route, a.status, m.requests[a])
	}
	writeHead(w, "request_seconds", "histogram", "Time from the headers of a request to the end of its answer, by route.")
	for _, route := range slices.Sorted(maps.Keys(m.seconds)) {
		m.seconds[route].write(w, "lede_serve_request_seconds", fmt.Sprintf("route=%q", route))
	}
	writeCounts(w, "problems_total", "kind", "Requests that failed or were refused, by kind of problem.", m.problems)
	writeCounts(w, "fetches_total", "result", "Pages that were fetched: ok, or the kind of problem.", m.fetches)
}

// writeHead writes what precedes the values of a metric.
func writeHead(w io.Writer, name, kind, help string) {
	fmt.Fprintf(w, "# HELP lede_serve_%s %s\n# TYPE lede_serve_%[1]s %[3]s\n", name, help, kind)
}

// writeCounts writes a counter with a value for each key of counts.
func writeCounts(w io.Writer, name, label, help string, counts map[string]int) {
	writeHead(w, name, "counter", help)
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "lede_serve_%s{%s=%q} %d\n", name, label, key, counts[key])
	}
}

// bounds are those of a histogram, in seconds: extractions take milliseconds, fetching a
// page seconds.
var bounds = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}

// histogram counts times.
type histogram struct {
	counts [16]int // one more than bounds
	sum    float64
}

func (h *histogram) observe(seconds float64) {
	i, _ := slices.BinarySearch(bounds, seconds)
	h.counts[i]++
	h.sum += seconds
}

func (h *histogram) write(w io.Writer, name, label string) {
	below := 0
	for i, n := range h.counts {
		below += n
		bound := "+Inf"
		if i < len(bounds) {
			bound = fmt.Sprint(bounds[i])
		}
		fmt.Fprintf(w, "%s_bucket{%s,le=%q} %d\n", name, label, bound, below)
	}
	fmt.Fprintf(w, "%s_sum{%s} %v\n%[1]s_count{%[2]s} %[4]d\n", name, label, h.sum, below)
}
