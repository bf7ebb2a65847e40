package serve

import (
	"bytes"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// BenchmarkThroughput sends pages to the service on all cores. BenchmarkExtract of the root
// package is the same without the service.
func BenchmarkThroughput(b *testing.B) {
	pages := testkit.CorpusPages(b, testkit.Step(5, 50), "wcxb")
	ex, err := lede.New()
	if err != nil {
		b.Fatal(err)
	}
	h := Handler(ex, Options{Queue: 1000}) // none is refused
	var next atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			page := pages[int(next.Add(1))%len(pages)]
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("POST", "http://127.0.0.1/v1/extract", bytes.NewReader(page)))
			if w.Code != 200 && w.Code != 422 {
				b.Errorf("status %d", w.Code)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pages/s")
}
