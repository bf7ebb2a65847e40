package warc

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The archives in testdata are made by warcio, Wget and python-zstandard; see
// testdata/make.py.

type madePage struct {
	Status  int
	Charset string
	SHA1    string
}

func expected(t testing.TB) map[string]madePage {
	t.Helper()
	b, err := os.ReadFile("testdata/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var pages map[string]madePage
	if err := json.Unmarshal(b, &pages); err != nil {
		t.Fatal(err)
	}
	return pages
}

// pagesOf reads all pages of an archive, by their path.
func pagesOf(t testing.TB, r io.Reader, opts Options) (map[string]*Page, Stats) {
	t.Helper()
	reader := NewReader(r, opts)
	pages := map[string]*Page{}
	for {
		rec, err := reader.Next()
		if err == io.EOF {
			return pages, reader.Stats()
		}
		if err != nil {
			t.Fatal(err)
		}
		p, err := rec.Page()
		if errors.Is(err, ErrNotPage) {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", rec.TargetURI, err)
		}
		u, err := url.Parse(p.URL)
		if err != nil {
			t.Fatal(err)
		}
		pages[u.Path] = p
	}
}

func TestArchivesOfOthers(t *testing.T) {
	for _, c := range []struct {
		file    string
		records int64
		more    int // pages that are not answers of the server
	}{
		{"capture.warc.gz", 26, 0},
		{"wget.warc.gz", 32, 0},
		{"warcio.warc", 19, 2},
		{"warcio11.warc.gz", 19, 2},
		{"whole.warc.gz", 19, 2},
		{"frames.warc.zst", 19, 2},
		{"dict.warc.zst", 19, 2},
		{"dictpacked.warc.zst", 19, 2},
	} {
		t.Run(c.file, func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join("testdata", c.file))
			if err != nil {
				t.Fatal(err)
			}
			// From a file, and from a pipe that gives little at a time.
			for _, in := range []io.Reader{bytes.NewReader(b), struct{ io.Reader }{bytes.NewReader(b)}, &trickle{b}} {
				pages, stats := pagesOf(t, in, Options{CheckDigests: true})
				if want := (Stats{Records: c.records, Bytes: int64(len(b))}); stats != want {
					t.Errorf("%T: stats %+v, want %+v", in, stats, want)
				}
				checkPages(t, pages, c.more)
			}
		})
	}
}

func checkPages(t *testing.T, pages map[string]*Page, more int) {
	t.Helper()
	want := expected(t)
	if len(pages) != len(want)+more {
		t.Errorf("%d pages, want %d", len(pages), len(want)+more)
	}
	for path, w := range want {
		p := pages[path]
		if p == nil {
			t.Errorf("%s is missing", path)
			continue
		}
		sum := sha1.Sum(p.Body)
		if got := (madePage{p.Status, p.Charset, hex.EncodeToString(sum[:])}); got != w {
			t.Errorf("%s: %+v, want %+v; body %.60q", path, got, w, p.Body)
		}
		if p.Truncated || p.Date.Year() < 2020 || !strings.HasPrefix(p.ID, "urn:uuid:") || strings.ContainsAny(p.URL, "<>") {
			t.Errorf("%s: truncated %v, date %v, id %q, URL %q", path, p.Truncated, p.Date, p.ID, p.URL)
		}
	}
	if more == 0 {
		return
	}
	if p := pages["/conversion.txt"]; p == nil || string(p.Body) != "The bridge stays closed.\n" || p.Charset != "utf-8" || p.ContentType != "text/plain" || p.Status != 0 {
		t.Errorf("conversion: %+v", p)
	}
	if p := pages["/resource.html"]; p == nil || !bytes.Contains(p.Body, []byte("Story 10")) || p.ContentType != "text/html" {
		t.Errorf("resource: %+v", p)
	}
}

// trickle gives a few bytes at a time.
type trickle struct{ b []byte }

func (r *trickle) Read(p []byte) (int, error) {
	if len(r.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 7)], r.b)
	r.b = r.b[n:]
	return n, nil
}

// TestOffsets holds that every record can be opened where Next found it.
func TestOffsets(t *testing.T) {
	for _, name := range []string{"warcio.warc", "warcio11.warc.gz", "wget.warc.gz", "frames.warc.zst", "dict.warc.zst", "dictpacked.warc.zst"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		reader, end := NewReader(bytes.NewReader(b), Options{}), int64(-1)
		for {
			rec, err := reader.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(name, err)
			}
			if end >= 0 && rec.Offset != end {
				t.Errorf("%s: record at %d, but the one before ended at %d", name, rec.Offset, end)
			}
			body, err := io.ReadAll(rec.Body)
			if err != nil {
				t.Fatal(name, err)
			}
			end = rec.Offset + rec.Size
			again, err := At(bytes.NewReader(b), rec.Offset, Options{CheckDigests: true})
			if err != nil {
				t.Fatal(name, err)
			}
			twin, err := io.ReadAll(again.Body)
			if err != nil || again.ID != rec.ID || !bytes.Equal(twin, body) || again.Offset != rec.Offset || again.Size != rec.Size {
				t.Errorf("%s: At(%d) gives %s of %d bytes, %v; want %s of %d", name, rec.Offset, again.ID, len(twin), err, rec.ID, len(body))
			}
		}
		if end != int64(len(b)) {
			t.Errorf("%s: the last record ends at %d of %d", name, end, len(b))
		}
	}
}

// TestIndexOfOthers follows an index by cdxj-indexer.
func TestIndexOfOthers(t *testing.T) {
	archive, err := os.ReadFile("testdata/warcio11.warc.gz")
	if err != nil {
		t.Fatal(err)
	}
	want := expected(t)
	for _, name := range []string{"warcio11.cdxj", "warcio11.cdx"} {
		f, err := os.Open(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		index, found := NewCDX(f, Options{}), 0
		for {
			e, err := index.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(name, err)
			}
			rec, err := At(bytes.NewReader(archive), e.Offset, Options{})
			if err != nil {
				t.Fatal(name, err)
			}
			p, err := rec.Page()
			if err != nil && !errors.Is(err, ErrNotPage) {
				t.Fatal(name, err)
			}
			if rec.TargetURI != e.URL || e.Filename != "warcio11.warc.gz" || !e.Date.Equal(rec.Date.Truncate(1e9)) {
				t.Errorf("%s: %+v leads to %s of %v", name, e, rec.TargetURI, rec.Date)
			}
			if p == nil {
				continue
			}
			if io.Copy(io.Discard, rec.Body); e.Length != rec.Size {
				t.Errorf("%s: %s takes %d bytes, the index says %d", name, e.URL, rec.Size, e.Length)
			}
			u, _ := url.Parse(e.URL)
			if w, ok := want[u.Path]; ok && w.Status == e.Status {
				found++
			}
		}
		if found != len(want) || index.Skipped() != 0 {
			t.Errorf("%s: %d pages found of %d, %d lines skipped", name, found, len(want), index.Skipped())
		}
	}
}
