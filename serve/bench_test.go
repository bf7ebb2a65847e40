package serve

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// BenchmarkThroughput reports as "of-extraction" how many pages the service extracts
// in the time in which the library extracts one, on the same cores: the median of the
// rounds. The service has its clients on these cores, too. The two take turns, so that
// disturbances of the machine affect both.
//
// LEDE_THROUGHPUT is a floor, such as 0.85.
func BenchmarkThroughput(b *testing.B) {
	pages := testkit.CorpusPages(b, testkit.Step(5, 50), "wcxb") // many, as cores are idle while the last is extracted
	ex, err := lede.New()
	if err != nil {
		b.Fatal(err)
	}
	cores := runtime.GOMAXPROCS(0)
	srv := httptest.NewServer(Handler(ex, Options{Queue: 4 * cores})) // none is refused
	defer srv.Close()
	clients := make([]*client, 4*cores) // some send and read while others are served
	for i := range clients {
		if clients[i], err = dial(srv.Listener.Addr().String()); err != nil {
			b.Fatal(err)
		}
		defer clients[i].Close()
	}
	var library, service []float64
	var ratios []float64
	for b.Loop() {
		direct := pagesPerSecond(len(pages), cores, func(_, page int) {
			_, _ = ex.Extract(context.Background(), bytes.NewReader(pages[page])) // pages without an article count too
		})
		served := pagesPerSecond(len(pages), len(clients), func(worker, page int) {
			if status, _, err := clients[worker].post("/v1/extract", pages[page]); err != nil || status != http.StatusOK && status != http.StatusUnprocessableEntity {
				b.Errorf("%d %v", status, err)
			}
		})
		library, service, ratios = append(library, direct), append(service, served), append(ratios, served/direct)
	}
	b.ReportMetric(middle(library), "pages/s/library")
	b.ReportMetric(middle(service), "pages/s/service")
	b.ReportMetric(middle(ratios), "of-extraction")
	if floor, err := strconv.ParseFloat(os.Getenv("LEDE_THROUGHPUT"), 64); err == nil && middle(ratios) < floor {
		b.Errorf("%.3f of the library, and %.2f is the floor", middle(ratios), floor)
	}
}

func middle(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// pagesPerSecond calls do for all pages, on several workers.
func pagesPerSecond(pages, workers int, do func(worker, page int)) float64 {
	runtime.GC() // none pays for the one before
	var next atomic.Int64
	var all sync.WaitGroup
	start := time.Now()
	for worker := range workers {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < pages; i = int(next.Add(1)) - 1 {
				do(worker, i)
			}
		})
	}
	all.Wait()
	return float64(pages) / time.Since(start).Seconds()
}

// client is a connection to the service that takes little time of its own.
type client struct {
	net.Conn
	in *bufio.Reader
}

func dial(addr string) (*client, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &client{conn, bufio.NewReaderSize(conn, 1<<16)}, nil
}

// post sends a page and reads the answer.
func (c *client) post(path string, page []byte) (status int, size int64, err error) {
	head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n", path, len(page))
	buffers := net.Buffers{[]byte(head), page}
	if _, err := buffers.WriteTo(c.Conn); err != nil {
		return 0, 0, err
	}
	resp, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return 0, 0, err
	}
	defer resp.Body.Close()
	size, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, size, err
}
