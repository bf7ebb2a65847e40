package batch

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/warc"
)

// longArchive has pages of a few kilobytes, and a picture before every third.
func longArchive(t testing.TB, packing warc.Packing) ([]byte, []warc.Entry) {
	t.Helper()
	var b bytes.Buffer
	var entries []warc.Entry
	w := warc.NewWriter(&b, warc.WriterOptions{Packing: packing})
	add := func(name, media string, body []byte) {
		t.Helper()
		e, err := w.WriteResponse(warc.Response{URL: "https://paper.example/" + name, Status: 200, Header: http.Header{"Content-Type": {media}}, Body: body})
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

// TestStretch breaks one record, or several in a row, or the end of an archive:
// there is one line for it, with what was lost, and reading goes on.
func TestStretch(t *testing.T) {
	for _, packing := range []warc.Packing{warc.Gzip, warc.Zstd, warc.Plain} {
		whole, entries := longArchive(t, packing)
		ext := []string{".warc.gz", ".warc.zst", ".warc"}[packing]
		at := func(i int) int64 { return entries[i].Offset }
		for name, c := range map[string]struct {
			content []byte
			good    int
			lost    int64
		}{
			"page":    {zeros(whole, at(2)+200, at(3)-10), stories - 1, at(3) - at(2)},
			"picture": {zeros(whole, at(4)+200, at(5)-10), stories, at(5) - at(4)},
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
				file := func() *Inputs { return Find([]string{path, "gone.html"}) }
				pipe := func() *Inputs { return Find([]string{"-", "gone.html"}).WithStdin(bytes.NewReader(c.content)) }
				for i, in := range []func() *Inputs{file, pipe} {
					var out bytes.Buffer
					stats, err := Run(t.Context(), in().All(), echo, &out, Options{})
					good := stats.Done - stats.Failed
					if err != nil || stats.Failed != 2 || stats.Errors[KindSource] != 1 || good > c.good || stats.Lost < c.lost {
						t.Errorf("%v: %d good, %v, %d bytes lost\n%.2000s", err, good, stats.Errors, stats.Lost, out.String())
					}
					// In a pipe, which cannot go back, the next record may be lost too.
					if i == 0 && (good != c.good || stats.Lost != c.lost) || good < c.good-1 {
						t.Errorf("%d good, %d bytes lost; want %d and %d", good, stats.Lost, c.good, c.lost)
					}
					says := "and reading went on at byte "
					if name == "cut" {
						says = "the last 300 bytes are lost"
					}
					if !strings.Contains(out.String(), says) {
						t.Errorf("it does not say %q", says)
					}
					checkPlaces(t, in)
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

// What is no archive at all has one line.
func TestNoArchive(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.warc")
	write(t, path, strings.Repeat("this is no archive ", 20))
	var out bytes.Buffer
	stats, err := Run(t.Context(), Find([]string{path}).All(), echo, &out, Options{})
	if err != nil || stats.Done != 1 || stats.Errors[KindSource] != 1 || !strings.Contains(out.String(), "is this a WARC file?") {
		t.Errorf("%v, %+v\n%s", err, stats, out.String())
	}
}
