package serve

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipeListener accepts connections in memory, which have deadlines of a fake clock.
type pipeListener struct {
	conns chan net.Conn
	once  sync.Once
	ended chan struct{}
}

func newPipes() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), ended: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.ended:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.ended) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

func (l *pipeListener) dial() net.Conn {
	client, server := net.Pipe()
	l.conns <- server
	return client
}

// A client that does not read is cut off, so that it does not hold memory. One that
// reads slowly is not, and neither is one that waits for a slow batch.
func TestClientsThatDoNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{opts: Options{}.withDefaults(), metrics: newMetrics()}
		large := bytes.Repeat([]byte("0123456789abcdef"), 1<<16) // 1 MB
		ended := make(chan time.Duration, 1)
		handler := s.observe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			began := time.Now()
			if r.URL.Path == "/batch" {
				for range 5 {
					time.Sleep(10 * time.Minute)
					_, _ = io.WriteString(w, "line\n")
					if err := http.NewResponseController(w).Flush(); err != nil {
						t.Error(err)
					}
				}
			} else if _, err := w.Write(large); err != nil && r.URL.Path != "/stuck" {
				t.Errorf("%s: %v", r.URL.Path, err)
			}
			ended <- time.Since(began)
		}))
		pipes := newPipes()
		srv := &http.Server{Handler: handler}
		go func() { _ = srv.Serve(pipes) }()

		stuck := pipes.dial()
		_, _ = io.WriteString(stuck, "GET /stuck HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if took := <-ended; took != stallTime {
			t.Errorf("a client that does not read is cut off after %v", took)
		}
		stuck.Close()

		slow := pipes.dial()
		_, _ = io.WriteString(slow, "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
		resp, err := http.ReadResponse(bufio.NewReader(slow), nil)
		if err != nil {
			t.Fatal(err)
		}
		body := &slowReader{in: resp.Body, pause: 10 * time.Second} // 17 minutes for all
		got, err := io.ReadAll(bufio.NewReaderSize(body, 16<<10))
		if err != nil || !bytes.Equal(got, large) {
			t.Errorf("a slow client got %d bytes: %v", len(got), err)
		}
		if took := <-ended; took < 5*time.Minute {
			t.Errorf("the slow client took %v only", took)
		}
		slow.Close()

		patient := pipes.dial()
		go func() { _, _ = io.WriteString(patient, "GET /batch HTTP/1.1\r\nHost: localhost\r\n\r\n") }()
		resp, err = http.ReadResponse(bufio.NewReader(patient), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(resp.Body); err != nil || string(got) != "line\nline\nline\nline\nline\n" {
			t.Errorf("a patient client got %q: %v", got, err)
		}
		<-ended
		patient.Close()
		srv.Close()
		synctest.Wait()
	})
}

// slowReader pauses before each 16 KB.
type slowReader struct {
	in    io.Reader
	pause time.Duration
	left  int
}

func (r *slowReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		time.Sleep(r.pause)
		r.left = 16 << 10
	}
	n, err := r.in.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}
