// Package prom writes metrics in the text format of Prometheus.
package prom

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ContentType is the media type of the format.
const ContentType = "text/plain; version=0.0.4; charset=utf-8"

// Writer writes metrics whose names begin with a prefix. Call Flush at the end.
type Writer struct {
	out    *bufio.Writer
	prefix string
	name   string // of the metric that is being written
}

// NewWriter returns a Writer.
func NewWriter(w io.Writer, prefix string) *Writer {
	return &Writer{out: bufio.NewWriter(w), prefix: prefix}
}

// Flush writes what is left, and returns the first error.
func (w *Writer) Flush() error { return w.out.Flush() }

// Metric begins a metric. kind is counter, gauge or histogram.
func (w *Writer) Metric(name, kind, help string) {
	w.name = w.prefix + name
	help = strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(help)
	fmt.Fprintf(w.out, "# HELP %s %s\n# TYPE %s %s\n", w.name, help, w.name, kind)
}

// Sample writes a value of the metric. labels are names, each followed by its value.
func (w *Writer) Sample(value any, labels ...string) { w.sample("", value, labels) }

func (w *Writer) sample(suffix string, value any, labels []string) {
	w.out.WriteString(w.name + suffix)
	for i := 0; i+1 < len(labels); i += 2 {
		text := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(labels[i+1], "\ufffd"))
		w.out.WriteString([...]string{"{", ","}[min(i, 1)] + labels[i] + `="` + text + `"`)
	}
	if len(labels) > 0 {
		w.out.WriteByte('}')
	}
	fmt.Fprintf(w.out, " %v\n", value)
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

// Histogram counts values by their size. It must not be used concurrently.
type Histogram struct {
	bounds []float64
	counts []int // one more than bounds
	sum    float64
}

// NewHistogram returns a Histogram. bounds are in ascending order.
func NewHistogram(bounds ...float64) *Histogram {
	return &Histogram{bounds: bounds, counts: make([]int, len(bounds)+1)}
}

// Observe counts a value.
func (h *Histogram) Observe(value float64) {
	i, _ := slices.BinarySearch(h.bounds, value)
	h.counts[i]++
	h.sum += value
}

// Histogram writes a histogram as values of the metric.
func (w *Writer) Histogram(h *Histogram, labels ...string) {
	below := 0
	for i, n := range h.counts {
		below += n
		bound := "+Inf"
		if i < len(h.bounds) {
			bound = strconv.FormatFloat(h.bounds[i], 'g', -1, 64)
		}
		w.sample("_bucket", below, slices.Concat(labels, []string{"le", bound}))
	}
	w.sample("_sum", h.sum, labels)
	w.sample("_count", below, labels)
}
