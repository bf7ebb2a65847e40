package batch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lede-news/lede/warc"
)

func source(paths ...string) *Source { return &Source{Paths: paths} }

// writeTo returns a function for Run that writes lines to w.
func writeTo(w io.Writer) func(*Result) error {
	return func(r *Result) error {
		_, err := w.Write(r.JSON)
		return err
	}
}

// story returns page n of the archives.
func story(n int) string { return fmt.Sprintf("<p>Story number %d.</p>", n) }

func storyID(n int) string { return fmt.Sprintf("s%02d", n) }

const stories = 12

func gzipped(b []byte) []byte {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(b)
	w.Close()
	return z.Bytes()
}

func zstdCompressed(b []byte) []byte {
	w, _ := zstd.NewWriter(nil)
	return w.EncodeAll(b, nil)
}

func tarOf(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	add := func(name string, body []byte) {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(body))}); err != nil {
			t.Fatal(err)
		}
		w.Write(body)
	}
	add("readme.txt", []byte("not a page"))
	for n := range stories {
		if n%3 == 1 {
			add("pages/"+storyID(n)+".html.gz", gzipped([]byte(story(n))))
		} else {
			add("pages/"+storyID(n)+".html", []byte(story(n)))
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for n := range stories {
		f, err := w.Create("pages/" + storyID(n) + ".htm")
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, story(n))
		w.Create("pages/notes.txt")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func linesOf(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	for n := range stories {
		line, err := json.Marshal(map[string]string{"id": storyID(n), "url": "https://paper.example/" + storyID(n), "html": story(n)})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
		if n == 4 {
			b.WriteString("\n")
		}
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")) // the last line has no line break
}

// repack compresses the records of a .warc.gz as those of a file with another ending, and
// returns their offsets.
func repack(t testing.TB, archive []byte, ext string) (out []byte, offsets []int64) {
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
		switch ext {
		case ".warc.gz":
			record = gzipped(record)
		case ".warc.zst":
			record = zstdCompressed(record)
		}
		out = append(out, record...)
	}
	return out, offsets
}

// warcOf returns a WARC file with the same record IDs each time.
func warcOf(t *testing.T, ext string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := warc.NewWriter(&b, warc.WriterOptions{Random: strings.NewReader(strings.Repeat("0123456789abcdef", 10*stories))})
	for n := range stories {
		r := warc.Response{URL: "https://paper.example/" + storyID(n), Status: 200, Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: []byte(story(n))}
		if err := w.WriteResponse(r); err != nil {
			t.Fatal(err)
		}
		if n%4 == 0 {
			r = warc.Response{URL: "https://paper.example/logo.png", Status: 200, Header: http.Header{"Content-Type": {"image/png"}}, Body: []byte("\x89PNG")}
			if err := w.WriteResponse(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	archive, _ := repack(t, b.Bytes(), ext)
	return archive
}
