package testkit

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	metricLine = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)$`)
	metricHead = regexp.MustCompile(`^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$`)
	lastBucket = regexp.MustCompile(`,?le="([^"]*)"$`)
)

// ParseMetrics parses metrics in the text format of Prometheus, more strictly than
// Prometheus does, and returns the value of each series, such as
// lede_serve_requests_total{route="GET /",status="200"}. It fails the test if a metric has
// no help or type, if its series are not together or occur twice, if the name of a counter does
// not end in _total, and if the buckets of a histogram do not add up.
func ParseMetrics(t testing.TB, text string) map[string]float64 {
	t.Helper()
	p := metricParser{values: map[string]float64{}, kinds: map[string]string{}}
	if text != "" && !strings.HasSuffix(text, "\n") {
		t.Error("the last line of the metrics has no end")
	}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if err := p.line(line); err != nil {
			t.Errorf("line %d of the metrics, %q: %v", i+1, line, err)
		}
	}
	if err := p.histograms(); err != nil {
		t.Error(err)
	}
	return p.values
}

type metricParser struct {
	values map[string]float64
	kinds  map[string]string // of metrics
	help   string            // the metric whose help was the last line
	metric string            // the metric that is being read
}

func (p *metricParser) line(line string) error {
	if m := metricHead.FindStringSubmatch(line); m != nil {
		return p.head(m[1], m[2], m[3])
	}
	m := metricLine.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("is neither a value nor a description")
	}
	if strings.HasSuffix(m[2], ",") {
		return fmt.Errorf("has a comma after the last label")
	}
	name := m[1]
	if p.kinds[p.metric] == "histogram" {
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			name = strings.TrimSuffix(name, suffix)
		}
	}
	if name != p.metric {
		return fmt.Errorf("is among the values of %q", p.metric)
	}
	series := strings.TrimSuffix(line, " "+m[3])
	if _, ok := p.values[series]; ok {
		return fmt.Errorf("occurs twice")
	}
	value, err := strconv.ParseFloat(m[3], 64)
	if err != nil {
		return err
	}
	if value < 0 && p.kinds[p.metric] != "gauge" {
		return fmt.Errorf("is negative")
	}
	p.values[series] = value
	return nil
}

func (p *metricParser) head(what, name, text string) error {
	if what == "HELP" {
		p.help, p.metric = name, ""
		if _, ok := p.kinds[name]; ok {
			return fmt.Errorf("occurs twice")
		}
		return nil
	}
	p.metric, p.kinds[name] = name, text
	switch {
	case p.help != name:
		return fmt.Errorf("has no help before it")
	case !slices.Contains([]string{"counter", "gauge", "histogram"}, text):
		return fmt.Errorf("has no known type")
	case text == "counter" != strings.HasSuffix(name, "_total"):
		return fmt.Errorf("has the name of another type")
	}
	return nil
}

// histograms checks that buckets are cumulative and end with the count.
func (p *metricParser) histograms() error {
	type bucket struct{ bound, count float64 }
	buckets := map[string][]bucket{} // by the series of the count
	for _, series := range slices.Sorted(maps.Keys(p.values)) {
		name, labels, _ := strings.Cut(series, "{")
		base, ok := strings.CutSuffix(name, "_bucket")
		if !ok || p.kinds[base] != "histogram" {
			continue
		}
		labels = strings.TrimSuffix(labels, "}")
		le := lastBucket.FindStringSubmatch(labels)
		if le == nil {
			return fmt.Errorf("%s has no bound", series)
		}
		bound, err := strconv.ParseFloat(le[1], 64)
		if err != nil {
			return fmt.Errorf("%s: %w", series, err)
		}
		count := base + "_count"
		if labels = strings.TrimSuffix(labels, le[0]); labels != "" {
			count += "{" + labels + "}"
		}
		buckets[count] = append(buckets[count], bucket{bound, p.values[series]})
	}
	for series, list := range buckets {
		slices.SortFunc(list, func(a, b bucket) int {
			if a.bound < b.bound {
				return -1
			}
			return 1
		})
		last := 0.0
		for _, b := range list {
			if b.count < last {
				return fmt.Errorf("%s: the bucket of %v has %v, the one before it %v", series, b.bound, b.count, last)
			}
			last = b.count
		}
		if count, ok := p.values[series]; !ok || count != last {
			return fmt.Errorf("%s is %v, the last bucket has %v", series, count, last)
		}
		if _, ok := p.values[strings.Replace(series, "_count", "_sum", 1)]; !ok {
			return fmt.Errorf("%s has no sum", series)
		}
	}
	return nil
}
