package batch

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/warc"
)

// describeAll returns all that is known of the pages of a source, and their size.
func describeAll(t *testing.T, in *Source) (list []string, size int64) {
	t.Helper()
	for p := range in.Inputs() {
		list = append(list, fmt.Sprintf("%s %s %v %d %+v %s", p.ID, p.URL, p.Err, p.Lost, p.found, body(t, p)))
		size += p.Size
	}
	return list, size
}

// sourceInParts returns a source that is read in parts of size bytes.
func sourceInParts(path string, readers int, size int64) *Source {
	in := &Source{Paths: []string{path}, MaxBytes: 1 << 16, Readers: readers}
	in.partBytes = size
	return in
}

// firstDiff describes where two lists differ; it returns "" if they do not.
func firstDiff(got, want []string) string {
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			return fmt.Sprintf("%d pages and %d, and at %d\ngot  %.400q\nwant %.400q", len(got), len(want), i, got[min(i, len(got)):], want[min(i, len(want)):])
		}
	}
	return ""
}

// checkParts checks that reading in parts gives the same pages.
func checkParts(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	want, _ := describeAll(t, sourceInParts(path, 1, 1))
	for _, size := range []int64{300, 5000} {
		got, bytes := describeAll(t, sourceInParts(path, 4, size))
		if diff := firstDiff(got, want); diff != "" {
			t.Fatalf("in parts of %d bytes: %s", size, diff)
		}
		if bytes > int64(len(content)) {
			t.Errorf("%d bytes read of %d", bytes, len(content))
		}
	}
	checkPositions(t, func() *Source { return sourceInParts(path, 3, 2000) })
}

func TestParts(t *testing.T) {
	for _, compression := range []warc.Compression{warc.Gzip, warc.Zstd, warc.Uncompressed} {
		whole, entries := longArchive(t, compression)
		ext := []string{".warc.gz", ".warc.zst", ".warc"}[compression]
		at := func(i int) int64 { return entries[i] }
		for name, content := range map[string][]byte{
			"whole":   whole,
			"damaged": zeros(whole, at(4)+200, at(8)-10),
			"gap":     append(bytes.Clone(whole[:at(6)+300]), whole[at(9):]...),
			"cut":     whole[:at(14)+300],
			"ends":    append(bytes.Clone(whole[:at(9)]), bytes.Repeat([]byte("noise"), 2000)...),
			"nothing": bytes.Repeat([]byte("this is no archive "), 500),
		} {
			t.Run(name+ext, func(t *testing.T) { checkParts(t, filepath.Join(t.TempDir(), "a"+ext), content) })
		}
	}
	plain, _ := longArchive(t, warc.Uncompressed)
	t.Run("in one piece", func(t *testing.T) { checkParts(t, filepath.Join(t.TempDir(), "a.warc.gz"), gzipped(plain)) })
}

// recordsInPages returns a WARC file with 20 pages that contain WARC records as text.
func recordsInPages(t *testing.T) []byte {
	t.Helper()
	shown := "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:uuid:shown>\r\nWARC-Target-URI: https://paper.example/shown\r\n" +
		"Content-Type: text/html\r\nContent-Length: 24\r\n\r\n<p>It is in a page.</p>\r\n\r\n\r\n"
	var b bytes.Buffer
	w := warc.NewWriter(&b, warc.WriterOptions{Compression: warc.Uncompressed})
	for n := range 20 {
		page := warc.Resource{URL: fmt.Sprintf("https://paper.example/%d", n), ContentType: "text/html", Body: []byte(strings.Repeat(shown, 30))}
		if _, err := w.WriteResource(page); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// TestPartsWithRecordsInPages has pages that contain WARC records as text. A part that
// begins in such a page must not read them as records.
func TestPartsWithRecordsInPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.warc")
	checkParts(t, path, recordsInPages(t))
	if got, _ := describeAll(t, sourceInParts(path, 4, 1000)); len(got) != 20 {
		t.Errorf("%d pages, want 20", len(got))
	}
}

// TestPartsAbandoned checks that no reader blocks forever if reading stops early.
func TestPartsAbandoned(t *testing.T) {
	content, _ := longArchive(t, warc.Gzip)
	path := filepath.Join(t.TempDir(), "a.warc.gz")
	if err := os.WriteFile(path, bytes.Repeat(content, 20), 0o644); err != nil {
		t.Fatal(err)
	}
	for stop := range 30 {
		n := 0
		for range sourceInParts(path, 4, 5000).Inputs() {
			if n++; n > stop {
				break
			}
		}
		if n != stop+1 {
			t.Fatalf("%d pages, want %d", n, stop+1)
		}
	}
	p := newPart(0)
	p.bytes = maxPartBytes + 1
	p.abandon()
	if p.put(Input{}) {
		t.Error("an abandoned part accepts pages")
	}
}

// FuzzParts checks that reading in parts gives the same pages, whatever the archive
// contains.
func FuzzParts(f *testing.F) {
	t := new(testing.T)
	for kind, seed := range [][]byte{warcOf(t, warc.Gzip), warcOf(t, warc.Uncompressed), warcOf(t, warc.Zstd)} {
		f.Add(byte(kind), seed)
	}
	// The last frame needs a dictionary, number 7, which the archive has not.
	f.Add(byte(2), append(warcOf(t, warc.Zstd), "\x28\xb5\x2f\xfd\x01\x00\x07 and some more."...))
	f.Fuzz(func(t *testing.T, kind byte, content []byte) {
		path := filepath.Join(t.TempDir(), []string{"a.warc.gz", "a.warc", "a.warc.zst"}[kind%3])
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		want, _ := describeAll(t, sourceInParts(path, 1, 1))
		got, _ := describeAll(t, sourceInParts(path, 3, 400))
		if diff := firstDiff(got, want); diff != "" {
			t.Fatal(diff)
		}
	})
}

// longArchive returns an archive of pages of a few kilobytes, with an image before
// every third. It is the same each time: how much of a damaged pipe can be read
// depends on every byte.
func longArchive(t testing.TB, compression warc.Compression) ([]byte, []int64) {
	t.Helper()
	var b bytes.Buffer
	var entries []int64
	w := warc.NewWriter(&b, warc.WriterOptions{Compression: compression, Random: rand.NewChaCha8([32]byte{})})
	add := func(name, media string, body []byte) {
		t.Helper()
		e, err := w.WriteResponse(warc.Response{
			URL: "https://paper.example/" + name, Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Status: 200,
			Header: http.Header{"Content-Type": {media}}, Body: body,
		})
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	for n := range stories {
		if n%3 == 0 {
			add("logo.png", "image/png", bytes.Repeat([]byte("\x89PNG picture"), 300))
		}
		var page strings.Builder
		for line := range 200 {
			fmt.Fprintf(&page, "<p>Line %d of story %d: %x.</p>\n", line, n, line*line*(n+7))
		}
		add(storyID(n), "text/html", []byte(page.String()))
	}
	return b.Bytes(), entries
}

// TestDamage damages one record, or several in a row, or the end of an archive. There
// is one line for it, with the number of bytes lost, and reading continues.
func TestDamage(t *testing.T) {
	// In a pipe, which cannot seek, the record after the damage may be lost too.
	lostInPipe := map[string]int{"gap.warc": 1, "gap.warc.gz": 1, "gap.warc.zst": 1, "image.warc.gz": 1, "several.warc.gz": 1}
	for _, compression := range []warc.Compression{warc.Gzip, warc.Zstd, warc.Uncompressed} {
		whole, entries := longArchive(t, compression)
		ext := []string{".warc.gz", ".warc.zst", ".warc"}[compression]
		at := func(i int) int64 { return entries[i] }
		for name, c := range map[string]struct {
			content []byte
			good    int
			lost    int64
		}{
			"page":    {zeros(whole, at(2)+200, at(3)-10), stories - 1, at(3) - at(2)},
			"image":   {zeros(whole, at(4)+200, at(5)-10), stories, at(5) - at(4)},
			"several": {zeros(whole, at(4)+200, at(8)-10), stories - 3, at(8) - at(4)},
			"gap":     {append(bytes.Clone(whole[:at(6)+300]), whole[at(9):]...), stories - 2, 300},
			"cut":     {whole[:at(14)+300], stories - 2, 300},
			"noise":   {bytes.Join([][]byte{whole[:at(6)], bytes.Repeat([]byte("noise"), 200), whole[at(6):]}, nil), stories, 1000},
		} {
			t.Run(name+ext, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "a"+ext)
				if err := os.WriteFile(path, c.content, 0o644); err != nil {
					t.Fatal(err)
				}
				file := func() *Source { return source(path, "gone.html") }
				pipe := func() *Source { return &Source{Paths: []string{"-", "gone.html"}, Stdin: bytes.NewReader(c.content)} }
				for i, in := range []func() *Source{file, pipe} {
					var out bytes.Buffer
					stats, err := Run(t.Context(), in().Inputs(), echo, writeTo(&out), Options{})
					good := stats.Done - stats.Failed
					want := c.good
					if i == 1 {
						want -= lostInPipe[name+ext]
					}
					if err != nil || stats.Failed != 2 || stats.Errors["source"] != 1 || good != want {
						t.Errorf("%v: %d good, want %d; errors %v\n%.2000s", err, good, want, stats.Errors, out.String())
					}
					if stats.Lost < c.lost || i == 0 && stats.Lost != c.lost {
						t.Errorf("%d bytes lost, want %d", stats.Lost, c.lost)
					}
					says := "and reading continued at byte "
					if name == "cut" {
						says = "the last 300 bytes are lost"
					}
					if !strings.Contains(out.String(), says) {
						t.Errorf("%q is not reported", says)
					}
					checkPositions(t, in)
				}
			})
		}
	}
}

func zeros(b []byte, from, to int64) []byte {
	b = bytes.Clone(b)
	clear(b[from:to])
	return b
}

// TestNoArchive checks that a file that is not an archive has one line.
func TestNoArchive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.warc")
	write(t, path, strings.Repeat("this is no archive ", 20))
	var out bytes.Buffer
	stats, err := Run(t.Context(), source(path).Inputs(), echo, writeTo(&out), Options{})
	if err != nil || stats.Done != 1 || stats.Errors["source"] != 1 || !strings.Contains(out.String(), "is this a WARC file?") {
		t.Errorf("%v, %+v\n%s", err, stats, out.String())
	}
}

// BenchmarkParts reads a compressed archive with one reader and with two, in
// alternation. The metric "times" is the speedup; it needs two idle cores.
func BenchmarkParts(b *testing.B) {
	content, _ := longArchive(b, warc.Gzip)
	content = bytes.Repeat(content, 800)
	path := filepath.Join(b.TempDir(), "a.warc.gz")
	if err := os.WriteFile(path, content, 0o644); err != nil {
		b.Fatal(err)
	}
	read := func(readers int) time.Duration {
		start, n := time.Now(), 0
		for range (&Source{Paths: []string{path}, Readers: readers}).Inputs() {
			n++
		}
		if n != 800*stories {
			b.Fatalf("%d pages", n)
		}
		return time.Since(start)
	}
	var one, two time.Duration
	b.SetBytes(int64(2 * len(content)))
	for b.Loop() {
		one += read(1)
		two += read(2)
	}
	b.ReportMetric(one.Seconds()/two.Seconds(), "times")
}
