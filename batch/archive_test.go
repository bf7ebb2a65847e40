package batch

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/warc"
)

// body returns the text of a page, or "error".
func body(t *testing.T, p Input) string {
	t.Helper()
	if p.Err != nil {
		return "error"
	}
	r, err := p.Open()
	if err != nil {
		return "error"
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// checkPositions checks that reading can be resumed after every page, and returns the
// pages.
func checkPositions(t *testing.T, in func() *Source) []string {
	t.Helper()
	var all, known []string
	var positions []position
	for p := range in().Inputs() {
		all, known = append(all, body(t, p)), append(known, p.LinkText)
		positions = append(positions, p.next)
	}
	for i, at := range positions {
		b, err := json.Marshal(at) // as the journal records it
		if err != nil {
			t.Fatal(err)
		}
		var recorded position
		if err := json.Unmarshal(b, &recorded); err != nil {
			t.Fatal(err)
		}
		var rest, restKnown []string
		for p := range in().from(recorded) {
			rest, restKnown = append(rest, body(t, p)), append(restKnown, p.LinkText)
		}
		if !slices.Equal(restKnown, known[i+1:]) {
			t.Fatalf("after page %d, at %s: link texts %q, want %q", i, b, restKnown, known[i+1:])
		}
		if !slices.Equal(rest, all[i+1:]) {
			t.Fatalf("after page %d, at %s:\ngot  %q\nwant %q", i, b, rest, all[i+1:])
		}
	}
	return all
}

func TestArchives(t *testing.T) {
	var want []string
	for n := range stories {
		want = append(want, story(n))
	}
	tars, zips, jsonl := tarOf(t), zipOf(t), linesOf(t)
	plain := warcOf(t, ".warc")
	for name, content := range map[string][]byte{
		"a.tar": tars, "a.tar.gz": gzipped(tars), "a.tgz": gzipped(tars), "a.tar.zst": zstdCompressed(tars), "a.zip": zips,
		"a.jsonl": jsonl, "a.jsonl.gz": gzipped(jsonl), "a.ndjson.zst": zstdCompressed(jsonl),
		"a.warc": plain, "a.warc.gz": warcOf(t, ".warc.gz"), "a.warc.zst": warcOf(t, ".warc.zst"), "whole.warc.gz": gzipped(plain),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, content, 0o644); err != nil {
				t.Fatal(err)
			}
			if got := checkPositions(t, func() *Source { return source(path) }); !slices.Equal(got, want) {
				t.Errorf("got %q", got)
			}
			if n := source(path).Size(); n != int64(len(content)) {
				t.Errorf("%d bytes, want %d", n, len(content))
			}
			stdin := func() *Source { return &Source{Paths: []string{"-"}, Stdin: bytes.NewReader(content)} }
			if name == "a.zip" { // which cannot be read from a pipe
				for p := range stdin().Inputs() {
					if p.Err == nil || !strings.Contains(p.Err.Error(), "save it to a file") {
						t.Errorf("from a pipe: %v", p.Err)
					}
				}
				return
			}
			if got := checkPositions(t, stdin); !slices.Equal(got, want) {
				t.Errorf("from a pipe: got %q", got)
			}
		})
	}
}

// TestFolderPositions checks that folders are read at any depth and from anywhere.
func TestFolderPositions(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"a.html", "a/z.html", "a-b/y.html", "a/b/x.html.gz", "b.htm", "c/notes.txt", "d/deep/er/w.html"} {
		write(t, filepath.Join(dir, f), "page "+f)
	}
	if err := os.WriteFile(filepath.Join(dir, "a", "crawl.warc.gz"), warcOf(t, ".warc.gz"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := checkPositions(t, func() *Source { return source(dir, filepath.Join(dir, "gone"), filepath.Join(dir, "b.htm")) })
	if len(got) != 6+stories+2 || got[len(got)-2] != "error" || got[len(got)-1] != "page b.htm" {
		t.Errorf("%d pages: %q", len(got), got)
	}
}

// FuzzStream checks that reading can be resumed after every page of a stream, whatever
// it contains.
func FuzzStream(f *testing.F) {
	t := new(testing.T)
	for _, seed := range [][]byte{tarOf(t), linesOf(t), warcOf(t, ".warc.gz"), warcOf(t, ".warc"), gzipped(tarOf(t)), []byte("<p>page"), []byte("PK\x03\x04")} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		checkPositions(t, func() *Source {
			return &Source{Paths: []string{"-"}, Stdin: bytes.NewReader(content), MaxBytes: 1 << 16}
		})
	})
}

// TestDamagedArchives checks that damage is reported and costs few pages.
func TestDamagedArchives(t *testing.T) {
	packed, plain := warcOf(t, ".warc.gz"), warcOf(t, ".warc")
	dir := t.TempDir()
	huge := append([]byte(`{"id":"huge","html":"`), bytes.Repeat([]byte("x"), 200_000)...)
	huge = append(huge, "\"}\n"...)
	for name, c := range map[string]struct {
		content []byte
		good    int
		failed  int // besides gone.html
		says    string
	}{
		"cut.tar":       {tarOf(t)[:5200], 4, 1, "cannot be read"},
		"cut.tar.gz":    {gzipped(tarOf(t))[:300], 5, 1, "cannot be read"},
		"no.zip":        {[]byte("PK\x03\x04 and then nothing"), 0, 1, "cannot be read"},
		"no.tar":        {bytes.Repeat([]byte("x"), 2000), 0, 1, "cannot be read"},
		"no.warc":       {[]byte("this is no archive at all"), 0, 1, "is this a WARC file?"},
		"cut.warc.gz":   {packed[:len(packed)-20], stories - 1, 1, "is cut off"},
		"cut.warc":      {plain[:len(plain)-20], stories - 1, 1, ""},
		"invalid.jsonl": {append([]byte("{\"id\":\"bad\", oh no\n{\"id\":\"none\"}\n"), linesOf(t)...), stories, 2, "is invalid JSON"},
		"long.jsonl":    {append(huge, linesOf(t)...), stories, 1, "too large"},
		"half.jsonl.gz": {gzipped(linesOf(t))[:100], 0, 1, "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, c.content, 0o644); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			in := func() *Source { return &Source{Paths: []string{path, "gone.html"}, MaxBytes: 50_000} }
			stats, err := Run(t.Context(), in().Inputs(), echo, writeTo(&out), Options{})
			if err != nil || stats.Failed != c.failed+1 || stats.Done-stats.Failed != c.good {
				t.Errorf("%v, %+v; want %d good and %d failed\n%s", err, stats, c.good, c.failed+1, out.String())
			}
			if !strings.Contains(out.String(), c.says) || !strings.Contains(out.String(), `"id":"gone"`) {
				t.Errorf("%q is not reported, or the rest is not read:\n%s", c.says, out.String())
			}
			checkPositions(t, in)
		})
	}
}

// TestArchiveRemoved checks that an archive that is removed during the run is one
// error.
func TestArchiveRemoved(t *testing.T) {
	for _, kind := range []fileKind{warcFile, tarFile, zipFile, linesFile, streamFile} {
		var errs []error
		path := filepath.Join(t.TempDir(), "gone")
		source().read(file{path: path, kind: kind}, func(p Input) bool {
			errs = append(errs, p.Err)
			return true
		})
		if len(errs) != 1 || !errors.Is(errs[0], os.ErrNotExist) || !strings.HasSuffix(errs[0].Error(), "gone: no such file or folder") {
			t.Errorf("kind %d: %v", kind, errs)
		}
	}
}

// panics is a block on which a decoder panics.
type panics struct{}

func (panics) Read([]byte) (int, error) { panic("of a decoder") }

func TestPanicWhileReading(t *testing.T) {
	p := recordInput(&warc.Record{ID: "urn:1", Type: "response", TargetURI: "https://paper.example/", Block: panics{}}, "a#1")
	if p == nil || p.ID != "urn:1" || p.URL == "" || p.Body == nil || !errors.Is(p.Err, ErrCrash) || !strings.Contains(p.Err.Error(), "of a decoder") {
		t.Errorf("%+v", p)
	}
}

// TestLargeEntry checks that pages in an archive that are too large are errors and
// take no memory.
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
	for p := range (&Source{Paths: []string{path}, MaxBytes: 100_000}).Inputs() {
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
