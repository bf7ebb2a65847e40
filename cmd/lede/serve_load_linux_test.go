package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// memory returns the memory of the process in MB.
func (s *serveProcess) memory(t *testing.T) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return float64(kb) / 1024
}

// load sends requests to a service from many clients at once.
type load struct {
	addr  string
	pages [][]byte
	until time.Time

	mu       sync.Mutex
	statuses map[int]int
	errors   []error
	took     []time.Duration // of admitted requests of clients that are not slow
}

func newLoad(s *serveProcess, pages [][]byte, duration time.Duration) *load {
	return &load{addr: s.addr, pages: pages, until: time.Now().Add(duration), statuses: make(map[int]int)}
}

// pace is how fast a client sends a request and reads the answer.
type pace int

const (
	fast pace = iota
	slowSender
	slowReader
)

// client sends requests until the time is over, or until the service ends.
func (l *load) client(seed uint64, p pace) {
	random := rand.New(rand.NewPCG(seed, 0))
	var conn net.Conn
	var in *bufio.Reader
	for time.Now().Before(l.until) {
		if conn == nil {
			var err error
			if conn, err = net.Dial("tcp", l.addr); err != nil {
				l.add(0, err, 0)
				return
			}
			in = bufio.NewReader(conn)
		}
		page := l.pages[random.IntN(len(l.pages))]
		start := time.Now()
		resp, err := request(conn, in, page, p)
		if err != nil {
			conn.Close()
			conn = nil
			l.add(0, err, 0)
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
				continue
			}
			return
		}
		took := time.Duration(0)
		if p == fast {
			took = time.Since(start)
		}
		l.add(resp.StatusCode, nil, took)
		if resp.StatusCode == http.StatusTooManyRequests {
			wait, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
			time.Sleep(time.Duration(float64(wait) * (1 + random.Float64()) * float64(time.Second)))
		}
		if resp.Close {
			conn.Close()
			conn = nil
		}
	}
	if conn != nil {
		conn.Close()
	}
}

func (l *load) add(status int, err error, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.errors = append(l.errors, err)
		return
	}
	l.statuses[status]++
	if took > 0 && status != http.StatusTooManyRequests {
		l.took = append(l.took, took)
	}
}

// request sends a page and reads the answer to its end.
func request(conn net.Conn, in *bufio.Reader, page []byte, p pace) (*http.Response, error) {
	const pieces, pause = 10, 300 * time.Millisecond
	head := fmt.Sprintf("POST /v1/extract?url=https://paper.example/story HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n", len(page))
	size := len(page)
	if p == slowSender {
		size = len(page)/pieces + 1
	}
	if _, err := io.WriteString(conn, head); err != nil {
		return nil, err
	}
	for piece := range slices.Chunk(page, size) {
		if _, err := conn.Write(piece); err != nil {
			break // there may be an answer
		}
		if p == slowSender {
			time.Sleep(pause)
		}
	}
	if p == slowReader {
		time.Sleep(pieces * pause)
	}
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp, err
}

// loadPages returns pages for requests: real ones if there are, all within the usual
// range of size.
func loadPages(t *testing.T) (pages [][]byte) {
	t.Helper()
	if _, err := os.Stat(testkit.Shared("corpora", "wcxb")); err == nil {
		return testkit.CorpusPages(t, 13, "wcxb")
	}
	for _, s := range newsroom.New(1).Sites() {
		pages = append(pages, s.Page(0).HTML, s.Page(1).HTML)
	}
	return pages
}

// run runs clients until the time is over and returns when all have ended.
func (l *load) run(clients, slow int) {
	var all sync.WaitGroup
	for i := range clients {
		p := fast
		if i < slow {
			p = slowSender + pace(i%2)
		}
		all.Go(func() { l.client(uint64(i), p) })
	}
	all.Wait()
}

// TestServeLoad sends requests from many clients at once, half of them slow. There is
// no error but 429, and memory does not grow. LEDE_LOAD is the number of clients and
// the time, such as "500 1m"; then the times of admitted requests are compared with
// that of an extraction.
func TestServeLoad(t *testing.T) {
	clients, duration := 60, 2*time.Second
	long := os.Getenv("LEDE_LOAD")
	if long != "" {
		if _, err := fmt.Sscan(long, &clients); err != nil {
			t.Fatal(err)
		}
		var err error
		if duration, err = time.ParseDuration(strings.Fields(long)[1]); err != nil {
			t.Fatal(err)
		}
	}
	pages := loadPages(t)
	median := medianExtraction(t, pages)
	s := startServe(t, "--log", "json")
	l := newLoad(s, pages, duration)
	var memory []float64
	end := make(chan struct{})
	go func() {
		defer close(end)
		l.run(clients, clients/2)
	}()
	for tick := time.Tick(duration / 20); ; {
		select {
		case <-tick:
			memory = append(memory, s.memory(t))
			continue
		case <-end:
		}
		break
	}
	s.stop(t)
	for _, err := range l.errors {
		t.Errorf("error: %v", err)
	}
	admitted := 0
	for status, n := range l.statuses {
		if status != http.StatusOK && status != http.StatusUnprocessableEntity && status != http.StatusTooManyRequests {
			t.Errorf("%d answers with status %d", n, status)
		} else if status != http.StatusTooManyRequests {
			admitted += n
		}
	}
	if admitted == 0 || len(l.took) == 0 {
		t.Fatalf("no request was admitted: %v", l.statuses)
	}
	slices.Sort(l.took)
	p50, p99 := l.took[len(l.took)/2], l.took[len(l.took)*99/100]
	t.Logf("%d clients for %v: %v; an extraction takes %v at the median, an admitted request %v, the slowest of 100 %v (%.1f times)",
		clients, duration, l.statuses, median, p50, p99, float64(p99)/float64(median))
	t.Logf("memory in MB: %.0f", memory)
	if long == "" {
		return
	}
	if half := len(memory) / 2; slices.Max(memory[half:]) > 1.2*slices.Max(memory[half/2:half]) {
		t.Errorf("memory grows: %.0f", memory)
	}
	if p99 > 20*median {
		t.Errorf("the slowest of 100 took %v, and an extraction %v", p99, median)
	}
}

// medianExtraction returns the median time of an extraction, with nothing else to do.
func medianExtraction(t *testing.T, pages [][]byte) time.Duration {
	ex, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	var took []time.Duration
	for range 2 { // the first loads the models
		took = took[:0]
		for _, p := range pages {
			start := time.Now()
			_, _ = ex.Extract(t.Context(), bytes.NewReader(p)) // pages without an article count too
			took = append(took, time.Since(start))
		}
	}
	slices.Sort(took)
	return took[len(took)/2]
}

// TestServeTerminate ends the service under load, again and again. Each request that
// it has answered, by its log, has reached its client.
func TestServeTerminate(t *testing.T) {
	pages := loadPages(t)
	for round := range testkit.Kills(2, 1) {
		s := startServe(t, "--log", "json")
		l := newLoad(s, pages, time.Hour)
		end := make(chan struct{})
		go func() {
			defer close(end)
			l.run(40, 10)
		}()
		testkit.WaitFor(t, "some answers", func() bool {
			l.mu.Lock()
			defer l.mu.Unlock()
			return l.statuses[http.StatusOK] > 50*(round+1)
		})
		s.stop(t)
		<-end
		for _, status := range []int{http.StatusOK, http.StatusUnprocessableEntity} {
			logged := strings.Count(s.log.String(), fmt.Sprintf(`"status":%d,`, status))
			if got := l.statuses[status]; got != logged || status == http.StatusOK && got == 0 {
				t.Errorf("%d: the service says that it sent %d answers, and clients have %d", status, logged, got)
			}
		}
	}
}
