package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// allocated is how much memory f asks for, all together.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// letters gives n bytes without holding them.
type letters struct{ n int64 }

func (l *letters) Read(p []byte) (int, error) {
	if l.n == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(int64(len(p)), l.n)], manyLetters)
	l.n -= int64(n)
	return n, nil
}

var manyLetters = strings.Repeat("a", bufferSize)

const answerHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

func recordHead(length int64) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:large>\r\n"+
		"WARC-Target-URI: https://news.example/large\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n", length)
}

// TestLargeRecord reads past a record of 5 GB.
func TestLargeRecord(t *testing.T) {
	const size = 5 << 30
	after, _ := archive(t, Plain, 1, 500)
	in := func() io.Reader {
		head := answerHead + "\r\n"
		return io.MultiReader(strings.NewReader(recordHead(size+int64(len(head)))+head), &letters{size},
			strings.NewReader("\r\n\r\n"), bytes.NewReader(after))
	}
	var o outcome
	used := allocated(func() { o = run(in(), Options{MaxPage: 1 << 20}) })
	if len(o.errs) != 1 || !errors.Is(o.errs[0], ErrTooLarge) || fmt.Sprint(o.whole) != "[/story/0]" || o.stats.Skipped.Total() != 0 {
		t.Error(o)
	}
	if used > most {
		t.Errorf("%d bytes of memory for a limit of 1 MiB", used)
	}
}

// TestPackedBomb reads past a record of 1 GB in a megabyte of gzip.
func TestPackedBomb(t *testing.T) {
	const size = 1 << 30
	head := answerHead + "\r\n"
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(z, recordHead(size+int64(len(head)))+head)
	io.Copy(z, &letters{size})
	io.WriteString(z, "\r\n\r\n")
	z.Close()
	after, _ := archive(t, Gzip, 1, 500)
	b.Write(after)
	var o outcome
	used := allocated(func() { o = run(&b, Options{MaxPage: 1 << 20}) })
	if len(o.errs) != 1 || !errors.Is(o.errs[0], ErrTooLarge) || fmt.Sprint(o.whole) != "[/story/0]" || o.stats.Skipped.Total() != 0 {
		t.Error(o)
	}
	if used > most {
		t.Errorf("%d bytes of memory for a limit of 1 MiB", used)
	}
}

// TestEncodedBomb has a page that is small on the wire and 64 MB decoded.
func TestEncodedBomb(t *testing.T) {
	var b bytes.Buffer
	if _, err := NewWriter(&b, WriterOptions{}).WriteResponse(Response{URL: storyURL(1), Date: day, Status: 200,
		Body: gzipped(t, make([]byte, 64<<20)), Wire: true,
		Header: http.Header{"Content-Type": {"text/html"}, "Content-Encoding": {"gzip"}}}); err != nil {
		t.Fatal(err)
	}
	var o outcome
	used := allocated(func() { o = run(&b, Options{MaxPage: 1 << 20}) })
	if len(o.errs) != 1 || !errors.Is(o.errs[0], ErrTooLarge) || o.end != io.EOF {
		t.Error(o)
	}
	if used > 24<<20 {
		t.Errorf("%d bytes of memory for a limit of 1 MiB", used)
	}
}

// TestEndlessChunks has a chunked answer that goes on for as long as it is read.
func TestEndlessChunks(t *testing.T) {
	const size = 1 << 40
	head := answerHead + "Transfer-Encoding: chunked\r\n\r\n"
	endless := &repeat{s: "400\r\n" + strings.Repeat("a", 0x400) + "\r\n"}
	reader := NewReader(io.MultiReader(strings.NewReader(recordHead(size)+head), endless), Options{MaxPage: 1 << 20})
	rec, err := reader.Next()
	if err != nil {
		t.Fatal(err)
	}
	used := allocated(func() { _, err = rec.Page() })
	if !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	if used > most || reader.Stats().Bytes > 2<<20 {
		t.Errorf("%d bytes of memory, %d read for a limit of 1 MiB", used, reader.Stats().Bytes)
	}
}

// repeat says the same for ever.
type repeat struct {
	s  string
	at int
}

func (r *repeat) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		m := copy(p[n:], r.s[r.at:])
		n, r.at = n+m, (r.at+m)%len(r.s)
	}
	return n, nil
}

// TestEndlessHeader has lines that never end, in records and in answers.
func TestEndlessHeader(t *testing.T) {
	for _, start := range []string{"WARC/1.0\r\n", "WARC/1.0\r\nX: ", recordHead(1<<40) + answerHead, recordHead(1<<40) + answerHead + "X: "} {
		for _, more := range []string{"a", "a: b\r\n", "\n "} {
			in := io.MultiReader(strings.NewReader(start), io.LimitReader(&repeat{s: more}, 8<<20))
			var o outcome
			used := allocated(func() { o = run(in, Options{MaxPage: 1 << 20}) })
			if o.stats.Skipped.Total() == 0 || len(o.whole) > 0 || used > most {
				t.Errorf("%.40q and %q for ever: %v, %d bytes of memory", start, more, o, used)
			}
		}
	}
}
