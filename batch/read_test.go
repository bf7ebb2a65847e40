package batch

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/warc"
)

// body is what a page holds.
func body(t *testing.T, p Page) string {
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

// checkPlaces is that reading goes on from every page's place with the next.
func checkPlaces(t *testing.T, in func() *Inputs) []string {
	t.Helper()
	var all []string
	var places []Place
	for p := range in().All() {
		all = append(all, body(t, p))
		places = append(places, p.After)
	}
	for i, place := range places {
		b, err := json.Marshal(place) // as a journal keeps it
		if err != nil {
			t.Fatal(err)
		}
		var kept Place
		if err := json.Unmarshal(b, &kept); err != nil {
			t.Fatal(err)
		}
		var rest []string
		for p := range in().From(kept) {
			rest = append(rest, body(t, p))
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
	plain := warcOf(t, warc.Plain)
	for name, content := range map[string][]byte{
		"a.tar": tars, "a.tar.gz": gzipped(tars), "a.tgz": gzipped(tars), "a.tar.zst": zstded(tars), "a.zip": zips,
		"a.jsonl": jsonl, "a.jsonl.gz": gzipped(jsonl), "a.ndjson.zst": zstded(jsonl),
		"a.warc": plain, "a.warc.gz": warcOf(t, warc.Gzip), "a.warc.zst": warcOf(t, warc.Zstd), "whole.warc.gz": gzipped(plain),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, content, 0o644); err != nil {
				t.Fatal(err)
			}
			if got := checkPlaces(t, func() *Inputs { return Find([]string{path}) }); !slices.Equal(got, want) {
				t.Errorf("got %q", got)
			}
			if n := Find([]string{path}).Bytes(); n != int64(len(content)) {
				t.Errorf("%d bytes, want %d", n, len(content))
			}
			stdin := func() *Inputs { return Find([]string{"-"}).WithStdin(bytes.NewReader(content)) }
			if name == "a.zip" { // which no pipe can give
				for p := range stdin().All() {
					if p.Err == nil || !strings.Contains(p.Err.Error(), "save it to a file") {
						t.Errorf("from a pipe: %v", p.Err)
					}
				}
				return
			}
			if got := checkPlaces(t, stdin); !slices.Equal(got, want) {
				t.Errorf("from a pipe: got %q", got)
			}
		})
	}
}

func TestArchivesSayURLs(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string][]byte{"a.jsonl": linesOf(t), "a.warc.gz": warcOf(t, warc.Gzip)} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if _, err := Run(t.Context(), Find([]string{path}).All(), echo, &out, Options{}); err != nil {
			t.Fatal(err)
		}
		got := strings.Count(out.String(), `"url":"https://paper.example/s`)
		if got != stories || name == "a.warc.gz" && strings.Count(out.String(), `{"id":"urn:uuid:`) != stories {
			t.Errorf("%s: %d URLs of %d\n%s", name, got, stories, out.String())
		}
	}
}

// Folders give pages and archives, at any depth, and can be begun anywhere.
func TestFolderPlaces(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"a.html", "a/z.html", "a-b/y.html", "a/b/x.html.gz", "b.htm", "c/notes.txt", "d/deep/er/w.html"} {
		write(t, filepath.Join(dir, f), "page "+f)
	}
	if err := os.WriteFile(filepath.Join(dir, "a", "crawl.warc.gz"), warcOf(t, warc.Gzip), 0o644); err != nil {
		t.Fatal(err)
	}
	got := checkPlaces(t, func() *Inputs { return Find([]string{dir, filepath.Join(dir, "gone"), filepath.Join(dir, "b.htm")}) })
	if len(got) != 6+stories+2 || got[len(got)-2] != "error" || got[len(got)-1] != "page b.htm" {
		t.Errorf("%d pages: %q", len(got), got)
	}
}

// FuzzStream is that nothing that comes from a pipe does harm, and that reading
// goes on from every place as it would have.
func FuzzStream(f *testing.F) {
	t := new(testing.T)
	for _, seed := range [][]byte{tarOf(t), linesOf(t), warcOf(t, warc.Gzip), warcOf(t, warc.Plain), gzipped(tarOf(t)), []byte("<p>page"), []byte("PK\x03\x04")} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		checkPlaces(t, func() *Inputs {
			return Find([]string{"-"}).WithStdin(bytes.NewReader(content)).WithMaxBytes(1 << 16)
		})
	})
}

// FuzzFiles is the same for files, which are read on from the middle.
func FuzzFiles(f *testing.F) {
	t := new(testing.T)
	for kind, seed := range [][]byte{warcOf(t, warc.Gzip), warcOf(t, warc.Plain), gzipped(warcOf(t, warc.Plain)), linesOf(t), zipOf(t)} {
		f.Add(byte(kind), seed)
	}
	f.Fuzz(func(t *testing.T, kind byte, content []byte) {
		path := filepath.Join(t.TempDir(), []string{"a.warc.gz", "a.warc", "a.warc.gz", "a.jsonl", "a.zip"}[kind%5])
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		checkPlaces(t, func() *Inputs { return Find([]string{path}).WithMaxBytes(1 << 16) })
	})
}
