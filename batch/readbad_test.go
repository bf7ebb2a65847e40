package batch

import (
	"archive/tar"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/warc"
)

// What is broken costs as little as can be, and is told.
func TestBrokenArchives(t *testing.T) {
	packed, plain := warcOf(t, warc.Gzip), warcOf(t, warc.Plain)
	dir := t.TempDir()
	huge := append([]byte(`{"id":"huge","html":"`), bytes.Repeat([]byte("x"), 200_000)...)
	huge = append(huge, "\"}\n"...)
	longs := bytes.ReplaceAll(plain, []byte("Content-Length: 1"), []byte("Content-Length: 9"))
	for name, c := range map[string]struct {
		content []byte
		good    int // at least
		says    string
	}{
		"cut.tar":       {tarOf(t)[:5000], 2, "cannot be read"},
		"cut.tar.gz":    {gzipped(tarOf(t))[:300], 1, "cannot be read"},
		"no.zip":        {[]byte("PK\x03\x04 and then nothing"), 0, "cannot be read"},
		"no.tar":        {bytes.Repeat([]byte("x"), 2000), 0, "cannot be read"},
		"no.warc":       {[]byte("this is no archive at all"), 0, "is this a WARC file?"},
		"cut.warc.gz":   {packed[:len(packed)-20], stories - 1, "breaks off"},
		"cut.warc":      {plain[:len(plain)-20], stories - 1, ""},
		"lengths.warc":  {longs, 0, ""},
		"middle.warc":   {slices.Concat(plain[:700], []byte("\x00\xff garbage"), plain[700:]), stories - 2, ""},
		"broken.jsonl":  {append([]byte("{\"id\":\"bad\", oh no\n{\"id\":\"none\"}\n"), linesOf(t)...), stories, "not a line of JSON"},
		"long.jsonl":    {append(huge, linesOf(t)...), stories, "too large"},
		"half.jsonl.gz": {gzipped(linesOf(t))[:100], 0, "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, c.content, 0o644); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			in := func() *Inputs { return Find([]string{path, "gone.html"}).WithMaxBytes(50_000) }
			stats, err := Run(t.Context(), in().All(), echo, &out, Options{})
			if err != nil || stats.Failed < 2 && c.says != "" || stats.Done-stats.Failed < c.good {
				t.Errorf("%v, %+v\n%s", err, stats, out.String())
			}
			if !strings.Contains(out.String(), c.says) || !strings.Contains(out.String(), `"id":"gone"`) {
				t.Errorf("it does not say %q, or does not go on:\n%s", c.says, out.String())
			}
			checkPlaces(t, in)
		})
	}
}

// An archive that is there when it is found, and gone when its turn comes, is
// one error.
func TestArchiveGone(t *testing.T) {
	for _, kind := range []kind{warcFile, tarFile, zipFile, linesFile, streamFile} {
		var errs []error
		goesOn := Find(nil).read(file{path: filepath.Join(t.TempDir(), "gone"), kind: kind}, Place{}, func(p Page) bool {
			errs = append(errs, p.Err)
			return true
		})
		if !goesOn || len(errs) != 1 || !errors.Is(errs[0], os.ErrNotExist) || !strings.HasSuffix(errs[0].Error(), "gone: no such file or folder") {
			t.Errorf("kind %d: %v, %v", kind, goesOn, errs)
		}
	}
}

// panics is a body on which a decoder panics.
type panics struct{}

func (panics) Read([]byte) (int, error) { panic("of a decoder") }

func TestPanicWhileReading(t *testing.T) {
	p := pageOf(&warc.Record{ID: "urn:1", Type: "response", TargetURI: "https://paper.example/", Body: panics{}}, "a#1")
	if p == nil || p.ID != "urn:1" || p.URL == "" || p.Body == nil || !errors.Is(p.Err, ErrCrash) || !strings.Contains(p.Err.Error(), "of a decoder") {
		t.Errorf("%+v", p)
	}
}

// A page in an archive that is too large is an error, and costs no memory.
func TestLargeEntry(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: "bomb.html.gz", Size: 5000}); err != nil {
		t.Fatal(err)
	}
	bomb := gzipped(make([]byte, 2<<20))
	w.Write(append(bomb, make([]byte, 5000-len(bomb))...))
	if err := w.WriteHeader(&tar.Header{Name: "large.html", Size: 300_000}); err != nil {
		t.Fatal(err)
	}
	w.Write(make([]byte, 300_000))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.tar")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	n := 0
	for p := range Find([]string{path}).WithMaxBytes(100_000).All() {
		n++
		_, err := p.Open()
		if p.Err == nil {
			p.Err = err
		}
		if !errors.Is(p.Err, ErrTooLarge) || len(p.Body) > 200_000 {
			t.Errorf("%s: %v, %d bytes", p.ID, p.Err, len(p.Body))
		}
	}
	if n != 2 {
		t.Errorf("%d pages", n)
	}
}
