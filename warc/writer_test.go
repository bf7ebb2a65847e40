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
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
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

// archive returns an archive of n stories of about size bytes each.
func archive(t testing.TB, compression Compression, n, size int) ([]byte, []CDXEntry) {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, WriterOptions{Compression: compression, Random: seeded()})
	var entries []CDXEntry
	for i := range n {
		e, err := w.WriteResponse(Response{URL: storyURL(i), Date: day, Status: 200,
			Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: story(i, size)})
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	return b.Bytes(), entries
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
func mixed(t testing.TB, w *Writer) []CDXEntry {
	t.Helper()
	var entries []CDXEntry
	add := func(e CDXEntry, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	page := story(1, 3000)
	add(w.WriteInfo(day, Header{{"software", "lede"}, {"description", "two\r\nlines"}}))
	add(w.WriteResponse(Response{URL: storyURL(1), Date: day, Status: 200, Body: page,
		Header: http.Header{"Content-Type": {"text/html"}, "Content-Encoding": {"gzip"}, "Content-Length": {"7"}, "Transfer-Encoding": {"chunked"}}}))
	add(w.WriteResponse(Response{URL: storyURL(2), Date: day, Status: 200, Body: gzipped(t, page), Raw: true,
		Header: http.Header{"Content-Type": {"text/html"}, "Content-Encoding": {"gzip"}}}))
	add(w.WriteResource(Resource{URL: storyURL(3), Date: day, ContentType: "text/html; charset=utf-8", Body: page}))
	add(w.WriteResponse(Response{URL: storyURL(4), Date: day, Status: 204}))
	return entries
}

func TestRoundTrip(t *testing.T) {
	for _, compression := range []Compression{Gzip, Zstd, Uncompressed} {
		var b, twin bytes.Buffer
		entries := mixed(t, NewWriter(&b, WriterOptions{Compression: compression, Random: seeded()}))
		mixed(t, NewWriter(&twin, WriterOptions{Compression: compression, Random: seeded()}))
		if !bytes.Equal(b.Bytes(), twin.Bytes()) {
			t.Errorf("compression %d: the same records make different archives", compression)
		}
		pages, stats := pagesOf(t, bytes.NewReader(b.Bytes()), Options{CheckDigests: true})
		if want := (Stats{Records: 5, Bytes: int64(b.Len())}); stats != want {
			t.Errorf("compression %d: %+v, want %+v", compression, stats, want)
		}
		if len(pages) != 3 {
			t.Errorf("compression %d: %d pages, want 3", compression, len(pages))
		}
		for path, p := range pages {
			if !bytes.Equal(p.Body, story(1, 3000)) || !p.Date.Equal(day) || p.Truncated {
				t.Errorf("compression %d: %s: %d bytes of %v", compression, path, len(p.Body), p.Date)
			}
		}
		for _, e := range entries {
			rec, err := RecordAt(bytes.NewReader(b.Bytes()), e.Offset, Options{CheckDigests: true})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, rec.Block); err != nil || rec.TargetURI != e.URL || rec.Size != e.Length {
				t.Errorf("compression %d: %+v points to %s of %d bytes: %v", compression, e, rec.TargetURI, rec.Size, err)
			}
		}
	}
}

// TestNoInjection checks that nothing in a response can add fields or records.
func TestNoInjection(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b, WriterOptions{Compression: Uncompressed})
	evil := "x\r\nWARC-Target-URI: http://evil.example/\r\n\r\nWARC/1.0\r\n"
	if _, err := w.WriteResponse(Response{URL: "http://a.example/ " + evil, Date: day, Status: 200,
		Header: http.Header{"X-Note": {evil}, "Content-Type": {"text/html"}}, Body: []byte(evil)}); err != nil {
		t.Fatal(err)
	}
	pages, stats := pagesOf(t, &b, Options{CheckDigests: true})
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
		if _, err := w.WriteResource(Resource{URL: storyURL(1), Date: day}); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("error %v, want a closed pipe", err)
		}
	}
	w = NewWriter(io.Discard, WriterOptions{Random: strings.NewReader("")})
	if _, err := w.WriteInfo(day, nil); err == nil {
		t.Error("no error for a record without an ID")
	}
	w = NewWriter(io.Discard, WriterOptions{Compression: 9})
	if _, err := w.WriteInfo(day, nil); err == nil {
		t.Error("no error for an unknown compression")
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
	for name, compression := range map[string]Compression{"a.warc.gz": Gzip, "a.warc": Uncompressed} {
		var b bytes.Buffer
		mixed(t, NewWriter(&b, WriterOptions{Compression: compression, Random: seeded()}))
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(python, "testdata/check.py", path).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		sum := sha1.Sum(story(1, 3000))
		page := hex.EncodeToString(sum[:])
		var types []string
		for line := range strings.Lines(string(out)) {
			var r struct {
				Type, ID, URL, Date, SHA1 string
				Checked                   bool
			}
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatalf("%s: %s", name, line)
			}
			types = append(types, r.Type)
			isPage := r.Type != "warcinfo" && r.URL != storyURL(4)
			if !r.Checked || isPage != (r.SHA1 == page) || r.Date != "2026-03-01T12:30:15.25Z" || !strings.HasPrefix(r.ID, "<urn:uuid:") {
				t.Errorf("%s: %s", name, line)
			}
		}
		if got := strings.Join(types, " "); got != "warcinfo response response resource response" {
			t.Errorf("%s: warcio reads %s", name, got)
		}
	}
}
