package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/lede-news/lede/article"
)

// responseRecord returns a record with an HTTP response and additional header fields.
func responseRecord(fields, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Target-URI: https://news.example/\r\n"+
		"WARC-Date: 2026-03-01\r\nContent-Type: application/http\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n", fields, len(block), block)
}

func onlyPage(t *testing.T, record string, opts Options) (*Page, error) {
	t.Helper()
	rec, err := NewReader(strings.NewReader(record), opts).Next()
	if err != nil {
		t.Fatal(err)
	}
	return rec.Page()
}

// TestResponses reads responses as crawlers store them: the header does not always
// match the body.
func TestResponses(t *testing.T) {
	const page = "<!doctype html><p>The bridge stays closed."
	packed := string(gzipped(t, []byte(page)))
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	for _, c := range []struct {
		name, fields, block string
		want                string
		truncated           article.PartialReason
		err                 error
	}{
		{name: "plain", block: head + "\r\n" + page, want: page},
		{name: "bare newlines", block: strings.ReplaceAll(head, "\r", "") + "\n" + page, want: page},
		{name: "HTTP/2", block: "HTTP/2 200\r\nContent-Type: text/html\r\n\r\n" + page, want: page},
		{name: "malformed lines", block: head + "no colon\r\n: no name\r\nX: a\r\n folded\r\n\r\n" + page, want: page},
		{name: "already dechunked", block: head + "Transfer-Encoding: chunked\r\n\r\n" + page, want: page},
		{name: "already decoded gzip", block: head + "Content-Encoding: gzip\r\n\r\n" + page, want: page},
		{name: "already decoded brotli", block: head + "Content-Encoding: br\r\n\r\n" + page, want: page},
		{name: "already decoded deflate", block: head + "Content-Encoding: deflate\r\n\r\n" + page, want: page},
		{name: "already decoded zstd", block: head + "Content-Encoding: zstd\r\n\r\n" + page, want: page},
		{name: "unknown encoding of plain text", block: head + "Content-Encoding: utf-8\r\n\r\n" + page, want: page},
		{name: "padded gzip", block: head + "Content-Encoding: gzip\r\n\r\n" + packed + "\x00\x00\x00", want: page},
		{name: "two members", block: head + "Content-Encoding: gzip\r\n\r\n" + packed + packed, want: page + page},
		{name: "no body", block: head + "Content-Encoding: gzip\r\n\r\n", want: ""},
		{name: "truncated gzip", block: head + "Content-Encoding: gzip\r\n\r\n" + packed[:len(packed)-8], want: page, truncated: article.PartialCompressed},
		{name: "truncated chunks", block: head + "Transfer-Encoding: chunked\r\n\r\n5\r\n<!doc\r\n5\r\nty", want: "<!docty", truncated: article.PartialClosed},
		{name: "malformed chunks", block: head + "Transfer-Encoding: chunked\r\n\r\n5\r\n<!doc\r\nnonsense\r\n", want: "<!doc", truncated: article.PartialClosed},
		{name: "shorter than Content-Length", block: head + "Content-Length: 100\r\n\r\n" + page, want: page, truncated: article.PartialLength},
		{name: "truncated by the crawler", fields: "WARC-Truncated: length\r\n", block: head + "\r\n" + page, want: page, truncated: article.PartialRecord},
		{name: "partial content", block: "HTTP/1.1 206 Partial Content\r\nContent-Type: text/html\r\n\r\n" + page, want: page, truncated: article.PartialStatus},
		{name: "all of the content as a part", block: "HTTP/1.1 206 Partial Content\r\nContent-Type: text/html\r\nContent-Range: bytes 0-" + strconv.Itoa(len(page)-1) + "/" + strconv.Itoa(len(page)) + "\r\n\r\n" + page, want: page},
		{name: "a segment of a record", fields: "WARC-Segment-Number: 1\r\n", block: head + "\r\n" + page, want: page, truncated: article.PartialRecord},
		{name: "truncated chunks of gzip", block: head + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n" + packed[:len(packed)-8], want: page, truncated: article.PartialClosed},
		{name: "XHTML as XML", block: "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<?xml version='1.0'?><HTML/>", want: "<?xml version='1.0'?><HTML/>"},
		{name: "feed", block: "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<rss/>", err: ErrNotPage},
		{name: "image without a type", block: "HTTP/1.1 200 OK\r\n\r\n\x89PNG\r\n\x1a\n", err: ErrNotPage},
		{name: "script", block: "HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\n\r\nx()", err: ErrNotPage},
		{name: "redirect", block: "HTTP/1.1 302 Found\r\nContent-Type: text/html\r\nLocation: /\r\n\r\n" + page, err: ErrStatus},
		{name: "redirect without a type", block: "HTTP/1.1 301 Moved Permanently\r\nLocation: /\r\n\r\n", err: ErrStatus},
		{name: "forbidden", block: "HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\n\r\n" + page, err: ErrStatus},
		{name: "no content", block: "HTTP/1.1 204 No Content\r\n\r\n", err: ErrStatus},
		{name: "missing picture", block: "HTTP/1.1 404 Not Found\r\nContent-Type: image/png\r\n\r\n\x89PNG", err: ErrNotPage},
		{name: "not HTTP", block: "220 ready\r\n", err: ErrMalformed},
		{name: "corrupt gzip", block: head + "Content-Encoding: gzip\r\n\r\n" + packed[:12] + "\xff\xff\xff\xff" + packed[16:], err: ErrMalformed},
		{name: "unknown encoding", block: head + "Content-Encoding: compress\r\n\r\n\x1f\x9d\x90", err: ErrMalformed},
		{name: "too many encodings", block: head + "Content-Encoding: gzip, gzip, gzip, gzip, gzip\r\n\r\n" + packed, err: ErrMalformed},
	} {
		p, err := onlyPage(t, responseRecord(c.fields, c.block), Options{})
		if !errors.Is(err, c.err) || errors.Is(err, ErrStatus) && (c.err != ErrStatus || !errors.Is(err, ErrNotPage)) || (p == nil) != (c.err != nil) {
			t.Errorf("%s: page %v, error %v, want %v", c.name, p != nil, err, c.err)
		} else if p != nil && (string(p.Body) != c.want || p.TruncatedReason != c.truncated || p.Date.Day() != 1) {
			t.Errorf("%s: %q, truncated %q; want %q, %q", c.name, p.Body, p.TruncatedReason, c.want, c.truncated)
		}
	}
}

func TestPageLimit(t *testing.T) {
	record := responseRecord("", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+strings.Repeat("a", 100))
	if p, err := onlyPage(t, record, Options{MaxPage: 100}); err != nil || len(p.Body) != 100 {
		t.Errorf("a page of the limit: %v", err)
	}
	if _, err := onlyPage(t, record, Options{MaxPage: 99}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a page over the limit: %v", err)
	}
}

// TestStaleRecord checks that reading a record after the next one fails, and that
// an unread block does not affect the next record.
func TestStaleRecord(t *testing.T) {
	b, _ := archive(t, inGzip, 2, 500)
	r := NewReader(bytes.NewReader(b), Options{})
	first, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	second, err := r.Next()
	if err != nil || second.TargetURI != storyURL(1) {
		t.Fatal(second, err)
	}
	if p, err := first.Page(); p != nil || !errors.Is(err, os.ErrClosed) {
		t.Errorf("%v, %v", p, err)
	}
	if p, err := second.Page(); err != nil || !bytes.Equal(p.Body, story(1, 500)) {
		t.Error(err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Error(err)
	}
}

// reads counts the bytes that are read.
type reads struct {
	*bytes.Reader
	n int64
}

func (r *reads) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.n += int64(n)
	return n, err
}

// TestFalseLengths bounds how often a file is read again whose records all claim to
// extend far beyond the end of the file.
func TestFalseLengths(t *testing.T) {
	file := strings.Repeat("WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 900000000\r\n\r\n", 20_000)
	in := &reads{Reader: bytes.NewReader([]byte(file))}
	o := run(in, Options{})
	if o.end != io.EOF || o.stats.Damaged == 0 || in.n > 6*int64(len(file)) {
		t.Errorf("%d bytes read of %d; %+v, %v", in.n, len(file), o.stats, o.end)
	}
}

// maxMemory is how much memory may be allocated to read past a large record, also
// with the race detector.
const maxMemory = 16 << 20

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// letters reads as n letters that are not held in memory.
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

const responseHead = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"

func recordHead(length int64) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:large>\r\n"+
		"WARC-Target-URI: https://news.example/large\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n", length)
}

// TestCompressedBomb reads past a record of 256 MB in a quarter of a megabyte of gzip.
func TestCompressedBomb(t *testing.T) {
	const size = 256 << 20
	head := responseHead + "\r\n"
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(z, recordHead(size+int64(len(head)))+head)
	io.Copy(z, &letters{size})
	io.WriteString(z, "\r\n\r\n")
	z.Close()
	after, _ := archive(t, inGzip, 1, 500)
	b.Write(after)
	var o outcome
	used := allocated(func() { o = run(&b, Options{MaxPage: 1 << 20}) })
	if len(o.errs) != 1 || !errors.Is(o.errs[0], ErrTooLarge) || fmt.Sprint(o.whole) != "[/story/0]" || o.stats.Damaged != 0 {
		t.Error(o)
	}
	if used > maxMemory {
		t.Errorf("%d bytes of memory for a limit of 1 MiB", used)
	}
}

// TestEncodedBomb has a page that is small as sent and 64 MB decoded.
func TestEncodedBomb(t *testing.T) {
	record := responseRecord("", responseHead+"Content-Encoding: gzip\r\n\r\n"+string(gzipped(t, make([]byte, 64<<20))))
	var o outcome
	used := allocated(func() { o = run(strings.NewReader(record), Options{MaxPage: 1 << 20}) })
	if len(o.errs) != 1 || !errors.Is(o.errs[0], ErrTooLarge) || o.end != io.EOF {
		t.Error(o)
	}
	if used > maxMemory {
		t.Errorf("%d bytes of memory for a limit of 1 MiB", used)
	}
}

// TestEndlessChunks has a chunked response that never ends.
func TestEndlessChunks(t *testing.T) {
	const size = 1 << 40
	head := responseHead + "Transfer-Encoding: chunked\r\n\r\n"
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
	if used > maxMemory || reader.Stats().Bytes > 2<<20 {
		t.Errorf("%d bytes of memory, %d read for a limit of 1 MiB", used, reader.Stats().Bytes)
	}
}

// repeat reads as endless repetitions of s.
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

// TestEndlessHeader has lines that never end, in records and in responses.
func TestEndlessHeader(t *testing.T) {
	for _, start := range []string{"WARC/1.0\r\n", "WARC/1.0\r\nX: ", recordHead(1<<40) + responseHead, recordHead(1<<40) + responseHead + "X: "} {
		for _, more := range []string{"a", "a: b\r\n", "\n "} {
			in := io.MultiReader(strings.NewReader(start), io.LimitReader(&repeat{s: more}, 3<<20))
			var o outcome
			used := allocated(func() { o = run(in, Options{MaxPage: 1 << 20}) })
			if o.stats.Damaged == 0 || len(o.whole) > 0 || used > maxMemory {
				t.Errorf("%.40q and %q for ever: %v, %d bytes of memory", start, more, o, used)
			}
		}
	}
}
