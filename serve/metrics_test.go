package serve

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var metricLine = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*(?:\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*\})?) (\S+)$`)

// parseMetrics parses metrics in the text format of Prometheus and returns the value of
// each series, such as lede_serve_requests_total{route="GET /",status="200"}. It fails the
// test if a line is invalid, or a series occurs twice or has no type.
func parseMetrics(t testing.TB, text string) map[string]float64 {
	t.Helper()
	values, metric := map[string]float64{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			metric, _, _ = strings.Cut(rest, " ")
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		m := metricLine.FindStringSubmatch(line)
		if m == nil || metric == "" || !strings.HasPrefix(m[1], metric) {
			t.Errorf("metrics: invalid line %q after the type of %q", line, metric)
			continue
		}
		value, err := strconv.ParseFloat(m[2], 64)
		if _, twice := values[m[1]]; err != nil || twice {
			t.Errorf("metrics: %q has no valid value or occurs twice: %v", line, err)
		}
		values[m[1]] = value
	}
	return values
}
