package prom

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
)

func TestWriter(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, "lede_")
	w.Value("pages", "gauge", "Pages\nwith a \\ in the help.", 3)
	w.Counts("errors_total", "kind", "Errors.", map[string]int{"b": 2, "a": 1, "\"\\\n\x1b é \xff": 9})
	h := NewHistogram(.1, 1, 10)
	for _, v := range []float64{.05, .1, .5, 100, 9} {
		h.Observe(v)
	}
	w.Metric("seconds", "histogram", "Times.")
	w.Histogram(h, "route", "GET /")
	w.Histogram(NewHistogram(1))
	w.Value("big_total", "counter", "A float.", 1e21)
	w.Value("inf", "gauge", "Infinite.", math.Inf(1))
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	const want = `# HELP lede_pages Pages\nwith a \\ in the help.
# TYPE lede_pages gauge
lede_pages 3
# HELP lede_errors_total Errors.
# TYPE lede_errors_total counter
lede_errors_total{kind="\"\\\n` + "\x1b" + ` é �"} 9
lede_errors_total{kind="a"} 1
lede_errors_total{kind="b"} 2
# HELP lede_seconds Times.
# TYPE lede_seconds histogram
lede_seconds_bucket{route="GET /",le="0.1"} 2
lede_seconds_bucket{route="GET /",le="1"} 3
lede_seconds_bucket{route="GET /",le="10"} 4
lede_seconds_bucket{route="GET /",le="+Inf"} 5
lede_seconds_sum{route="GET /"} 109.65
lede_seconds_count{route="GET /"} 5
lede_seconds_bucket{le="1"} 0
lede_seconds_bucket{le="+Inf"} 0
lede_seconds_sum 0
lede_seconds_count 0
# HELP lede_big_total A float.
# TYPE lede_big_total counter
lede_big_total 1e+21
# HELP lede_inf Infinite.
# TYPE lede_inf gauge
lede_inf +Inf
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	if values := testkit.ParseMetrics(t, out.String()); values["lede_pages"] != 3 || values[`lede_seconds_bucket{route="GET /",le="10"}`] != 4 {
		t.Errorf("parsed as %v", values)
	}
}

// brokenWriter fails.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestFlushError(t *testing.T) {
	w := NewWriter(brokenWriter{}, "")
	w.Value("pages", "gauge", "Pages.", 3)
	if w.Flush() == nil {
		t.Error("an error is lost")
	}
}
