package serve

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// pipes is a listener without buffers: what one side writes has been read by the other.
// In a bubble of synctest, a connection that waits is known to wait.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}
func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

func (p *pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.conns <- server
	return client
}

// servePipes serves the service by pipes, inside a bubble.
func servePipes(t *testing.T, ex *lede.Extractor, opts Options) *pipes {
	p := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	srv := &http.Server{Handler: checked(t, Handler(ex, opts))}
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(p) }()
	t.Cleanup(func() { srv.Close(); <-done })
	return p
}

// openBatch sends the header of a batch and returns the connection, after the header of
// the response.
func openBatch(t *testing.T, p *pipes, path string) (net.Conn, *bufio.Reader) {
	t.Helper()
	c := p.dial()
	go fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", path)
	r := bufio.NewReader(c)
	resp, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != ndjson {
		body, _ := io.ReadAll(resp.Body)
		t.Fatalf("%s: %s", resp.Status, body)
	}
	return c, bufio.NewReader(resp.Body)
}

// chunk returns a part of a body.
func chunk(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }

// countingMethod counts pages. It keeps everything.
type countingMethod struct{ pages atomic.Int64 }

func (m *countingMethod) Name() string { return "counting" }
func (m *countingMethod) Select(_ context.Context, p *method.Page) (*method.Selection, error) {
	m.pages.Add(1)
	return &method.Selection{Keep: []dom.Node{0}, Title: dom.None, Type: "article"}, nil
}

func newCounting(t testing.TB) (*countingMethod, *lede.Extractor) {
	t.Helper()
	m := &countingMethod{}
	ex, err := lede.New(lede.WithCustomMethod(m))
	if err != nil {
		t.Fatal(err)
	}
	return m, ex
}

// storyLine returns the line of a page with a story of some words.
func storyLine(n, words int) string {
	b, _ := json.Marshal(map[string]string{"id": fmt.Sprint("page ", n), "url": fmt.Sprintf("https://paper.example/%d", n), "html": "<p>" + strings.Repeat("word ", words)})
	return string(b) + "\n"
}

// sendBody posts a body and returns the response and its body.
func sendBody(t testing.TB, url, contentType, body string) (*http.Response, string) {
	t.Helper()
	resp, err := http.Post(url, contentType, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(b)
}

// batchLines parses the lines of a response.
func batchLines(t testing.TB, body string) (out []batch.Line) {
	t.Helper()
	for line := range strings.Lines(body) {
		var l batch.Line
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		out = append(out, l)
	}
	return out
}

// TestBatch checks that every line has an answer, in order, whatever it holds.
func TestBatch(t *testing.T) {
	srv := newServer(t, Options{MaxBytes: 1 << 20, Workers: 2})
	in := storyLine(1, 50) +
		"\n" + "not JSON\n" + `{"id":"a","html":""}` + "\n" + `{"id":"b","url":"https://paper.example/2"}` + "\n" + `{"id":"c"}` + "\n" + `[1]` + "\n" +
		`{"id":"d","html":"` + strings.Repeat("x", 3<<20) + `"}` + "\n" + `{"id":"e","html":"<p>` + strings.Repeat("x", 3<<19) + `"}` + "\n" +
		strings.TrimSuffix(storyLine(9, 50), "\n")
	resp, body := sendBody(t, srv.URL+"/v1/batch?body=md", "application/x-ndjson", in)
	if resp.StatusCode != http.StatusOK {
		t.Fatal(resp.Status, body)
	}
	var got []string
	for _, l := range batchLines(t, body) {
		got = append(got, l.ID+" "+l.Kind)
		if (l.Error == "") != (l.Kind == "") || l.Kind == "" && (!strings.Contains(l.Text, "word word") || !bytes.Contains(l.Body, []byte("word"))) {
			t.Errorf("unexpected line %+v", l)
		}
	}
	want := "page 1 ,3 json,a empty,b no-fetch,c json,7 json,8 too-large,e too-large,page 9 "
	if s := strings.Join(got, ","); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
}

// TestBatchOptions checks the options of a batch, and what is refused.
func TestBatchOptions(t *testing.T) {
	srv := newServer(t, Options{})
	for query, kind := range map[string]string{
		"?format=md": "option", "?url=https://paper.example/": "option", "?body=pdf": "option", "?method=none": "method", "?memory=learn": "option", "?%zz": "option",
	} {
		if _, body := sendBody(t, srv.URL+"/v1/batch"+query, "", storyLine(1, 10)); !strings.Contains(body, `"kind":"`+kind+`"`) {
			t.Errorf("%s: %s", query, body)
		}
	}
	if resp, _ := sendBody(t, srv.URL+"/v1/batch", "multipart/form-data; boundary=x", "--x--"); resp.StatusCode != http.StatusUnsupportedMediaType {
		t.Error(resp.Status)
	}
	req, _ := http.NewRequest(http.MethodPost, srv.URL+"/v1/batch", strings.NewReader(storyLine(1, 10)))
	req.Header.Set("Accept", "text/csv")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusNotAcceptable {
		t.Error(resp.Status)
	}
	_, body := sendBody(t, srv.URL+"/v1/batch?method=nce&set=a1=50&set=a3=10&with=comments,tables&favor=recall&pictures=false", "", storyLine(1, 90))
	if l := batchLines(t, body); len(l) != 1 || l[0].Method != "nce" || !strings.HasPrefix(l[0].Text, "word word") {
		t.Error(body)
	}
}

// TestBatchCompressed checks a body with a content coding, also a damaged one.
func TestBatchCompressed(t *testing.T) {
	srv := newServer(t, Options{})
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for n := range 20 {
		_, _ = io.WriteString(z, storyLine(n, 40))
	}
	z.Close()
	for _, cut := range []int{0, 10} {
		req, _ := http.NewRequest(http.MethodPost, srv.URL+"/v1/batch", bytes.NewReader(packed.Bytes()[:packed.Len()-cut]))
		req.Header.Set("Content-Encoding", "gzip")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		got := batchLines(t, string(body))
		last := got[len(got)-1]
		if err != nil || cut == 0 && (len(got) != 20 || last.Kind != "") || cut > 0 && last.Kind != "body" {
			t.Errorf("%v: %d lines, the last is %+v", err, len(got), last)
		}
	}
}

// TestBatchInTurn checks that a line is answered before the next is sent, and that the
// batch ends when the service stops.
func TestBatchInTurn(t *testing.T) {
	m, ex := newCounting(t)
	synctest.Test(t, func(t *testing.T) {
		stopping := make(chan struct{})
		c, answers := openBatch(t, servePipes(t, ex, Options{Workers: 1, Stopping: stopping}), "/v1/batch")
		defer c.Close()
		for n := range 5 {
			_, _ = io.WriteString(c, chunk(storyLine(n, 20)))
			line, err := answers.ReadString('\n')
			if l := batchLines(t, line); err != nil || l[0].ID != fmt.Sprint("page ", n) || m.pages.Load() != int64(n+1) {
				t.Fatalf("%v after %d pages: %s", err, m.pages.Load(), line)
			}
		}
		synctest.Wait()
		close(stopping)
		rest, err := io.ReadAll(answers)
		if l := batchLines(t, string(rest)); err != nil || len(l) != 1 || l[0].Kind != "stopping" {
			t.Errorf("%v: %s", err, rest)
		}
	})
}

// TestBatchContinue checks that a client that waits for leave to send its lines, as curl
// does, gets it at once.
func TestBatchContinue(t *testing.T) {
	_, ex := newCounting(t)
	synctest.Test(t, func(t *testing.T) {
		c := servePipes(t, ex, Options{}).dial()
		defer c.Close()
		line := storyLine(1, 20)
		go fmt.Fprintf(c, "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n", len(line))
		r := bufio.NewReader(c)
		if first, err := r.ReadString('\n'); err != nil || !strings.HasPrefix(first, "HTTP/1.1 100 ") {
			t.Fatalf("%v: %s", err, first)
		}
		go io.WriteString(c, line)
		rest, err := io.ReadAll(r)
		if err != nil || !strings.Contains(string(rest), "HTTP/1.1 200 OK") || !strings.Contains(string(rest), `"id":"page 1"`) {
			t.Errorf("%v: %s", err, rest)
		}
	})
}

// TestBatchSlowSender checks that a client that sends nothing for long is told so.
func TestBatchSlowSender(t *testing.T) {
	_, ex := newCounting(t)
	synctest.Test(t, func(t *testing.T) {
		c, answers := openBatch(t, servePipes(t, ex, Options{}), "/v1/batch")
		defer c.Close()
		_, _ = io.WriteString(c, chunk(storyLine(1, 20)+`{"id":`))
		rest, err := io.ReadAll(answers) // the clock of the bubble goes on
		if l := batchLines(t, string(rest)); err != nil || len(l) != 2 || l[0].Kind != "" || l[1].Kind != "slow" {
			t.Errorf("%v: %s", err, rest)
		}
	})
}

// TestBatchBackPressure checks that a client that does not read gets little ahead, and
// that the work goes on when it does.
func TestBatchBackPressure(t *testing.T) {
	m, ex := newCounting(t)
	synctest.Test(t, func(t *testing.T) {
		const workers, total = 2, 500
		c, answers := openBatch(t, servePipes(t, ex, Options{Workers: workers}), "/v1/batch")
		defer c.Close()
		var sent atomic.Int64 // lines that the service has taken
		go func() {
			for n := range total {
				if _, err := io.WriteString(c, chunk(storyLine(n, 3000))); err != nil {
					return
				}
				sent.Add(1)
			}
			_, _ = io.WriteString(c, "0\r\n\r\n")
		}()
		synctest.Wait() // until nothing moves
		// Buffers of the reader hold 68 KB, those of the writer 4 KB.
		if n := sent.Load(); n > 3*workers+10 || m.pages.Load() > 2*workers+2 {
			t.Errorf("the service took %d lines and extracted %d before any answer was read", n, m.pages.Load())
		}
		for n := range total {
			line, err := answers.ReadString('\n')
			if l := batchLines(t, line); err != nil || l[0].ID != fmt.Sprint("page ", n) {
				t.Fatalf("line %d: %v: %.100s", n, err, line)
			}
			if n == total/2 {
				synctest.Wait()
				if got := sent.Load(); got > total/2+3*workers+20 {
					t.Errorf("after %d answers the service had taken %d lines", n, got)
				}
			}
		}
		if rest, err := io.ReadAll(answers); err != nil || len(rest) > 0 || m.pages.Load() != total {
			t.Errorf("%v: %q after %d pages", err, rest, m.pages.Load())
		}
	})
}

// TestBatchClientGone checks that the work stops when the client goes away, whether it
// reads or not: no page is extracted and no goroutine is left, which the bubble checks.
func TestBatchClientGone(t *testing.T) {
	for _, reads := range []bool{false, true} {
		m, ex := newCounting(t)
		synctest.Test(t, func(t *testing.T) {
			p := servePipes(t, ex, Options{Workers: 1})
			c, answers := openBatch(t, p, "/v1/batch")
			go func() {
				for n := 0; ; n++ {
					if _, err := io.WriteString(c, chunk(storyLine(n, 1000))); err != nil {
						return
					}
				}
			}()
			if reads {
				for range 10 {
					if _, err := answers.ReadString('\n'); err != nil {
						t.Fatal(err)
					}
				}
			}
			synctest.Wait()
			before := m.pages.Load()
			c.Close()
			synctest.Wait()
			if after := m.pages.Load(); after > before+1 {
				t.Errorf("%d pages were extracted after the client went away", after-before)
			}
		})
	}
}

// TestManyBatches checks that the number of batches is bounded.
func TestManyBatches(t *testing.T) {
	_, ex := newCounting(t)
	synctest.Test(t, func(t *testing.T) {
		p := servePipes(t, ex, Options{})
		for range maxBatches {
			c, _ := openBatch(t, p, "/v1/batch")
			defer c.Close()
		}
		c := p.dial()
		defer c.Close()
		go io.WriteString(c, "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" {
			t.Errorf("%v: %+v", err, resp)
		}
	})
}
