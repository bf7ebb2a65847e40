package prom

import (
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
)

func TestWriter(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	w := NewWriter(&out, "lede_")
	w.Value("pages", "gauge", "Pages.", 3)
	w.Counts("errors_total", "kind", "Errors.", map[string]int{"b": 2, "a": 1, "\"\\\n\x1b é \xff": 9})
	var h Histogram
	for _, v := range []float64{.05, .1, .5, 100, 9} {
		h.Observe(v)
	}
	w.Metric("seconds", "histogram", "Times.")
	w.Histogram(&h, "route", "GET /")
	const want = `# HELP lede_pages Pages.
# TYPE lede_pages gauge
lede_pages 3
# HELP lede_errors_total Errors.
# TYPE lede_errors_total counter
lede_errors_total{kind="\"\\\n` + "\x1b" + ` é �"} 9
lede_errors_total{kind="a"} 1
lede_errors_total{kind="b"} 2
# HELP lede_seconds Times.
# TYPE lede_seconds histogram
`
	if !strings.HasPrefix(out.String(), want) {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	values := testkit.ParseMetrics(t, out.String())
	for le, want := range map[string]float64{"0.025": 0, "0.05": 1, "0.1": 2, "1": 3, "10": 4, "60": 4, "+Inf": 5} {
		if got, ok := values[`lede_seconds_bucket{route="GET /",le="`+le+`"}`]; !ok || got != want {
			t.Errorf("%s: %v, want %v", le, got, want)
		}
	}
	if values[`lede_seconds_sum{route="GET /"}`] != 109.65 || values[`lede_seconds_count{route="GET /"}`] != 5 {
		t.Errorf("parsed as %v", values)
	}
}
