package warc

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

var day = time.Date(2026, 3, 1, 12, 30, 15, 250_000_000, time.UTC)

// story returns generated page number, of about n bytes.
func story(number, n int) []byte {
	r := rand.New(rand.NewPCG(uint64(number), 1))
	words := strings.Fields("the bridge council mayor closed ferry harbour vote said Monday Lindqvist budget storm school")
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!doctype html><title>Story %d</title><h1>Story %d</h1>\n", number, number)
	for b.Len() < n {
		b.WriteString("<p>")
		for range 40 {
			b.WriteString(words[r.IntN(len(words))])
			fmt.Fprintf(&b, "%d ", r.IntN(90))
		}
		b.WriteString("</p>\n")
	}
	return b.Bytes()
}

func storyURL(n int) string { return fmt.Sprintf("https://news.example/story/%d", n) }

// seeded returns a source of the same bytes each time.
func seeded() io.Reader { return rand.NewChaCha8([32]byte{1}) }

// compression is how the records of an archive are compressed, each on its own.
type compression int

const (
	inGzip compression = iota
	inZstd
	plain
)

var compressions = []compression{inGzip, inZstd, plain}

func (c compression) compress(t testing.TB, record []byte) []byte {
	switch c {
	case inGzip:
		return gzipped(t, record)
	case inZstd:
		w, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		return w.EncodeAll(record, nil)
	}
	return record
}

// repack compresses the records of an archive again, and returns their offsets.
func (c compression) repack(t testing.TB, archive []byte) (out []byte, offsets []int64) {
	t.Helper()
	for in := bytes.NewReader(archive); in.Len() > 0; {
		z, err := gzip.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		z.Multistream(false)
		record, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		offsets = append(offsets, int64(len(out)))
		out = append(out, c.compress(t, record)...)
	}
	return out, offsets
}

// archive returns an archive of n stories of about size bytes each, and their offsets.
func archive(t testing.TB, c compression, n, size int) ([]byte, []int64) {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, WriterOptions{Random: seeded()})
	for i := range n {
		err := w.WriteResponse(Response{URL: storyURL(i), Date: day, Status: 200,
			Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: story(i, size)})
		if err != nil {
			t.Fatal(err)
		}
	}
	return c.repack(t, b.Bytes())
}

func gzipped(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// mixed writes a record of every type that Writer supports.
func mixed(t testing.TB, w *Writer) {
	t.Helper()
	add := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	response := Response{URL: storyURL(1) + "?q=a b", Date: day, Status: 200, Body: story(1, 3000), Header: http.Header{"Content-Type": {"text/html"},
		"Content-Encoding": {"gzip"}, "Content-Length": {"7"}, "Transfer-Encoding": {"chunked"}}}
	add(w.WriteInfo(day, Header{{"software", "lede"}, {"description", "two\r\nlines"}}))
	add(w.WriteResponse(response))
	add(w.WriteResponse(Response{URL: storyURL(4), Date: day, Status: 204}))
	response.Truncated = "disconnect"
	add(w.WriteFetch(Fetch{Response: response,
		Request:  http.Header{"User-Agent": {"lede"}, "Accept": {"text/html"}},
		Metadata: Header{{"found_by", "feed"}, {"found_by", "home"}, {"link_text", "Brücke:\r\n closed"}}}))
}

const mixedTypes = "warcinfo response response request metadata response"

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, compression := range compressions {
		var b bytes.Buffer
		mixed(t, NewWriter(&b, WriterOptions{Random: seeded()}))
		archive, _ := compression.repack(t, b.Bytes())
		r, last := NewReader(bytes.NewReader(archive), Options{}), int64(-1)
		var types []string
		seen := map[string]bool{}
		for {
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			types = append(types, rec.Type)
			if rec.Offset <= last || seen[rec.ID] {
				t.Errorf("%s %s at %d after %d", rec.Type, rec.ID, rec.Offset, last)
			}
			seen[rec.ID], last = true, rec.Offset
			switch rec.Type {
			case "request":
				block, err := io.ReadAll(rec.Block)
				if want := "GET /story/1?q=a%20b HTTP/1.1\r\nAccept: text/html\r\nHost: news.example\r\nUser-Agent: lede\r\n\r\n"; string(block) != want || err != nil {
					t.Errorf("request %q, want %q (%v)", block, want, err)
				}
			case "metadata":
				h, err := rec.Fields()
				if err != nil || !slices.Equal(h.Values("Found_By"), []string{"feed", "home"}) || h.Get("link_text") != "Brücke:  closed" {
					t.Errorf("metadata %q: %v", h, err)
				}
			case "response":
				if _, err := rec.Fields(); !errors.Is(err, ErrMalformed) {
					t.Errorf("fields of a response: %v", err)
				}
				p, err := rec.Page()
				if err == nil && (!bytes.Equal(p.Body, story(1, 3000)) || (p.TruncatedReason != "") != (len(types) == 6) || !p.Date.Equal(day)) ||
					err != nil && (len(types) != 3 || !errors.Is(err, ErrStatus)) {
					t.Errorf("page %d: %v", len(types), err)
				}
			}
		}
		if got := strings.Join(types, " "); got != mixedTypes || r.Stats() != (Stats{Records: 6, Bytes: int64(len(archive))}) {
			t.Errorf("records %s of %d bytes: %+v", got, len(archive), r.Stats())
		}
	}
}

// TestNoInjection checks that nothing in a response can add fields or records.
func TestNoInjection(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b, WriterOptions{})
	evil := "x\r\nWARC-Target-URI: http://evil.example/\r\n\r\nWARC/1.0\r\n"
	if err := w.WriteResponse(Response{URL: "http://a.example/ " + evil, Date: day, Status: 200,
		Header: http.Header{"X-Note": {evil}, "Content-Type": {"text/html"}}, Body: []byte(evil)}); err != nil {
		t.Fatal(err)
	}
	pages, stats := pagesOf(t, &b)
	if stats.Records != 1 || len(pages) != 1 {
		t.Fatalf("%+v, %d pages", stats, len(pages))
	}
	for _, p := range pages {
		if string(p.Body) != evil || !strings.HasPrefix(p.URL, "http://a.example/%20x%0D%0A") {
			t.Errorf("%q %q", p.URL, p.Body)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write(p []byte) (int, error) { return 3, io.ErrClosedPipe }

func TestWriteFails(t *testing.T) {
	w := NewWriter(brokenPipe{}, WriterOptions{})
	for range 2 { // the error is permanent
		if err := w.WriteInfo(day, nil); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("error %v, want a closed pipe", err)
		}
	}
	w = NewWriter(io.Discard, WriterOptions{Random: strings.NewReader("")})
	if err := w.WriteInfo(day, nil); err == nil {
		t.Error("no error for a record without an ID")
	}
}

// pythonWithWarcio returns a Python with warcio: that of scripts/test.sh or the system.
func pythonWithWarcio(t *testing.T) string {
	t.Helper()
	for _, python := range []string{"../bin/warcio/bin/python", "python3"} {
		if exec.Command(python, "-c", "import warcio").Run() == nil {
			return python
		}
	}
	t.Skip("python3 with warcio is not installed; scripts/test.sh installs it")
	return ""
}

// TestWarcioReadsOurs checks what Writer writes with another implementation.
func TestWarcioReadsOurs(t *testing.T) {
	python := pythonWithWarcio(t)
	for name, compression := range map[string]compression{"a.warc.gz": inGzip, "a.warc": plain} {
		var b bytes.Buffer
		mixed(t, NewWriter(&b, WriterOptions{Random: seeded()}))
		archive, _ := compression.repack(t, b.Bytes())
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, archive, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(python, "testdata/check.py", path).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		sum := sha1.Sum(story(1, 3000))
		page := hex.EncodeToString(sum[:])
		type record struct {
			Type, ID, URL, Date, SHA1, Concurrent, HTTP, Fields string
			Checked                                             bool
		}
		var types []string
		var records []record
		for line := range strings.Lines(string(out)) {
			var r record
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatalf("%s: %s", name, line)
			}
			types, records = append(types, r.Type), append(records, r)
			isPage := r.Type == "response" && r.URL != storyURL(4)
			if !r.Checked || isPage != (r.SHA1 == page) || r.Date != "2026-03-01T12:30:15.25Z" || !strings.HasPrefix(r.ID, "<urn:uuid:") {
				t.Errorf("%s: %s", name, line)
			}
		}
		if got := strings.Join(types, " "); got != mixedTypes {
			t.Fatalf("%s: warcio reads %s", name, got)
		}
		request, metadata, response := records[3], records[4], records[5]
		if !strings.HasPrefix(request.HTTP, "GET /story/1?q=a%20b HTTP/1.1\r\n") || request.Concurrent != response.ID ||
			metadata.Concurrent != response.ID || metadata.Fields != "found_by: feed\r\nfound_by: home\r\nlink_text: Brücke:  closed\r\n" ||
			response.Concurrent != "" || response.URL != request.URL {
			t.Errorf("%s: %+v\n%+v\n%+v", name, request, metadata, response)
		}
	}
}
