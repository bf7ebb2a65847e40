// Package prom writes metrics in the text format of Prometheus.
package prom

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// ContentType is the media type of the format.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Writer writes metrics whose names begin with a prefix. Errors are ignored: a client
// that is gone needs no metrics.
type Writer struct {
	out    io.Writer
	prefix string
	name   string // of the metric that is being written
}

// NewWriter returns a Writer.
func NewWriter(w io.Writer, prefix string) *Writer { return &Writer{out: w, prefix: prefix} }

// Metric begins a metric. kind is counter, gauge or histogram.
func (w *Writer) Metric(name, kind, help string) {
	w.name = w.prefix + name
	fmt.Fprintf(w.out, "# HELP %s %s\n# TYPE %s %s\n", w.name, help, w.name, kind)
}

var escaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// Sample writes a value of the metric. labels are names, each followed by its value.
func (w *Writer) Sample(value any, labels ...string) { w.sample("", value, labels) }

func (w *Writer) sample(suffix string, value any, labels []string) {
	var list []string
	for pair := range slices.Chunk(labels, 2) {
		list = append(list, pair[0]+`="`+escaper.Replace(strings.ToValidUTF8(pair[1], "\ufffd"))+`"`)
	}
	if list != nil {
		suffix += "{" + strings.Join(list, ",") + "}"
	}
	fmt.Fprintf(w.out, "%s%s %v\n", w.name, suffix, value)
}

// Value writes a metric with one value.
func (w *Writer) Value(name, kind, help string, value any) {
	w.Metric(name, kind, help)
	w.Sample(value)
}

// Counts writes a counter with a value for each key of counts.
func (w *Writer) Counts(name, label, help string, counts map[string]int) {
	w.Metric(name, "counter", help)
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		w.Sample(counts[key], label, key)
	}
}

// bounds are those of a Histogram, in seconds: extractions take milliseconds, fetching a
// page seconds.
var bounds = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}

// Histogram counts times. It must not be used concurrently.
type Histogram struct {
	counts [16]int // one more than bounds
	sum    float64
}

// Observe counts a time in seconds.
func (h *Histogram) Observe(seconds float64) {
	i, _ := slices.BinarySearch(bounds, seconds)
	h.counts[i]++
	h.sum += seconds
}

// Histogram writes a histogram as values of the metric.
func (w *Writer) Histogram(h *Histogram, labels ...string) {
	below := 0
	for i, n := range h.counts {
		below += n
		bound := "+Inf"
		if i < len(bounds) {
			bound = fmt.Sprint(bounds[i])
		}
		w.sample("_bucket", below, slices.Concat(labels, []string{"le", bound}))
	}
	w.sample("_sum", h.sum, labels)
	w.sample("_count", below, labels)
}
