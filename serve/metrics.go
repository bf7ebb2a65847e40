package serve

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lede-news/lede/internal/api/prom"
)

// metrics are the counts of a service. Their labels have few values: a route is a
// pattern and not a path, and whatever clients send is not a label.
type metrics struct {
	began time.Time
	open  atomic.Int64 // requests

	mu       sync.Mutex
	requests map[answer]int
	seconds  map[string]*prom.Histogram // by route
	waited   prom.Histogram
	problems map[string]int // by kind
	keys     map[string]int // requests by the name of the key
	received int64          // bytes
	sent     int64
	fetches  map[string]int // by kind of problem, or "ok"
}

// answer is what requests are counted by.
type answer struct {
	route  string
	status int
}

func newMetrics() *metrics {
	return &metrics{
		began: time.Now(), requests: map[answer]int{}, seconds: map[string]*prom.Histogram{},
		problems: map[string]int{}, keys: map[string]int{}, fetches: map[string]int{},
	}
}

// count counts a request that was answered.
func (m *metrics) count(route string, out *response, v *visit, took time.Duration) {
	if route == "" || route == "/" {
		route = "none" // refused, or unknown
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[answer{route, out.status}]++
	if m.seconds[route] == nil {
		m.seconds[route] = new(prom.Histogram)
	}
	m.seconds[route].Observe(took.Seconds())
	if v.waited > 0 {
		m.waited.Observe(v.waited.Seconds())
	}
	if v.kind != "" {
		m.problems[v.kind]++
	}
	if v.key != nil {
		m.keys[v.key.Name]++
	}
	m.received += int64(v.received)
	m.sent += out.bytes
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
	w.Header().Set("Content-Type", prom.ContentType)
	out := prom.NewWriter(w, "lede_serve_")
	s.metrics.write(out)
	out.Value("requests_open", "gauge", "Requests that are not answered yet.", s.metrics.open.Load())
	out.Value("workers", "gauge", "Pages that can be extracted at once.", cap(s.gate.workers))
	out.Value("workers_busy", "gauge", "Pages that are being extracted.", len(s.gate.workers))
	out.Value("waiting", "gauge", "Requests that wait for a worker.", s.gate.waiting.Load())
	out.Value("refused_total", "counter", "Requests that were refused because all workers were busy and the queue was full.", s.gate.refused.Load())
	if s.opts.Keys != nil {
		out.Value("keys", "gauge", "Keys that are valid.", len(*s.opts.Keys.list.Load()))
	}
	out.Value("uptime_seconds", "gauge", "Time since the start.", time.Since(s.metrics.began).Seconds())
}

// write writes what was counted.
func (m *metrics) write(out *prom.Writer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out.Metric("requests_total", "counter", "Requests that were answered, by route and status.")
	for _, a := range slices.SortedFunc(maps.Keys(m.requests), func(a, b answer) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.status, b.status))
	}) {
		out.Sample(m.requests[a], "route", a.route, "status", strconv.Itoa(a.status))
	}
	out.Metric("request_seconds", "histogram", "Time from the headers of a request to the end of its answer, by route.")
	for _, route := range slices.Sorted(maps.Keys(m.seconds)) {
		out.Histogram(m.seconds[route], "route", route)
	}
	out.Metric("wait_seconds", "histogram", "Time that requests waited for a worker, of those that did.")
	out.Histogram(&m.waited)
	out.Counts("problems_total", "kind", "Requests that failed or were refused, by kind of problem.", m.problems)
	out.Counts("key_requests_total", "key", "Requests by the name of their key.", m.keys)
	out.Counts("fetches_total", "result", "Pages that were fetched: ok, or the kind of problem.", m.fetches)
	out.Value("received_bytes_total", "counter", "Bytes of the bodies of requests, decompressed.", m.received)
	out.Value("sent_bytes_total", "counter", "Bytes of the bodies of responses.", m.sent)
}
