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

// longArchive returns an archive of pages of a few kilobytes, with an image before
// every third. It is the same each time.
func longArchive(t testing.TB, ext string) (archive []byte, offsets []int64) {
	t.Helper()
	var b bytes.Buffer
	w := warc.NewWriter(&b, warc.WriterOptions{Random: rand.NewChaCha8([32]byte{})})
	add := func(name, media string, body []byte) {
		t.Helper()
		err := w.WriteResponse(warc.Response{
			URL: "https://paper.example/" + name, Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Status: 200,
			Header: http.Header{"Content-Type": {media}}, Body: body,
		})
		if err != nil {
			t.Fatal(err)
		}
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
	return repack(t, b.Bytes(), ext)
}

// TestDamage damages one record, or several in a row, or the end of an archive. There
// is one line for it, with the number of bytes lost, and reading continues.
func TestDamage(t *testing.T) {
	for _, ext := range []string{".warc.gz", ".warc.zst", ".warc"} {
		whole, offsets := longArchive(t, ext)
		at := func(i int) int64 { return offsets[i] }
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
				for _, in := range []func() *Source{file, pipe} {
					var out bytes.Buffer
					stats, err := Run(t.Context(), in().Inputs(), echo, writeTo(&out), Options{})
					good := stats.Done - stats.Failed
					if err != nil || stats.Failed != 2 || stats.Errors["source"] != 1 || good != c.good {
						t.Errorf("%v: %d good, want %d; errors %v\n%.2000s", err, good, c.good, stats.Errors, out.String())
					}
					if stats.Lost != c.lost {
						t.Errorf("%d bytes lost, want %d", stats.Lost, c.lost)
					}
					says := fmt.Sprintf("; %d bytes are lost", stats.Lost)
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
