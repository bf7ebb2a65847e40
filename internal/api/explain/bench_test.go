package explain

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// BenchmarkJSON reports as "x-extract" the time of an explanation as JSON divided by
// that of an extraction. The two take turns, so that disturbances of the machine
// affect both.
func BenchmarkJSON(b *testing.B) {
	pages := testkit.CorpusPages(b, 71, "*")
	e, err := lede.New()
	if err != nil {
		b.Fatal(err)
	}
	var extract, explain time.Duration
	for b.Loop() {
		for _, p := range pages {
			start := time.Now()
			e.Extract(context.Background(), bytes.NewReader(p)) // pages without an article count too
			mid := time.Now()
			if x, err := e.Explain(context.Background(), bytes.NewReader(p)); err == nil {
				if err := JSON(io.Discard, "page.html", "", x, false); err != nil {
					b.Fatal(err)
				}
			}
			extract += mid.Sub(start)
			explain += time.Since(mid)
		}
	}
	b.ReportMetric(float64(explain)/float64(extract), "x-extract")
}
