package warc

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
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

// pagesOf returns all pages of an archive by the path of their URL.
func pagesOf(t testing.TB, r io.Reader) (map[string]*Page, Stats) {
	t.Helper()
	reader := NewReader(r, Options{})
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

func TestArchivesOfOtherTools(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file    string
		records int64
		more    int // pages without an HTTP response
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
			// From a file, from a pipe, and a few bytes at a time.
			for _, in := range []io.Reader{bytes.NewReader(b), struct{ io.Reader }{bytes.NewReader(b)}, &trickle{b}} {
				pages, stats := pagesOf(t, in)
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
		if p.TruncatedReason != "" || p.Date.Year() < 2020 || !strings.HasPrefix(p.ID, "urn:uuid:") || strings.ContainsAny(p.URL, "<>") {
			t.Errorf("%s: truncated %q, date %v, id %q, URL %q", path, p.TruncatedReason, p.Date, p.ID, p.URL)
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

// trickle reads a few bytes at a time.
type trickle struct{ b []byte }

func (r *trickle) Read(p []byte) (int, error) {
	if len(r.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 7)], r.b)
	r.b = r.b[n:]
	return n, nil
}

// outcome is the result of reading an archive of stories.
type outcome struct {
	whole []string // paths of complete pages
	parts []string // paths of incomplete pages and of pages with an error
	errs  []error
	stats Stats
	end   error
}

// run reads all pages of an archive.
func run(r io.Reader, opts Options) (o outcome) {
	reader := NewReader(r, opts)
	for {
		rec, err := reader.Next()
		if err != nil {
			o.stats, o.end = reader.Stats(), err
			return o
		}
		p, err := rec.Page()
		if errors.Is(err, ErrNotPage) {
			continue
		}
		path := rec.TargetURI
		if u, err := url.Parse(path); err == nil {
			path = u.Path
		}
		if err != nil {
			o.errs = append(o.errs, err)
		}
		if err != nil || p.TruncatedReason != "" {
			o.parts = append(o.parts, path)
		} else {
			o.whole = append(o.whole, path)
		}
	}
}

func (o outcome) String() string {
	return fmt.Sprintf("whole %v parts %v stats %+v end %v errors %v",
		o.whole, o.parts, o.stats, o.end, o.errs)
}

// pipe hides that the input can seek.
func pipe(b []byte) io.Reader { return struct{ io.Reader }{bytes.NewReader(b)} }

func TestWrongLengths(t *testing.T) {
	t.Parallel()
	const n = 6
	for _, compression := range compressions {
		for _, change := range []int{-500, 500, 20_000, 1 << 40} {
			b := archiveWithLength(t, compression, n, 2, change)
			for _, in := range []io.Reader{bytes.NewReader(b), pipe(b)} {
				o := run(in, Options{})
				if got := strings.Join(o.whole, " "); got != "/story/0 /story/1 /story/3 /story/4 /story/5" ||
					o.stats.Damaged != 1 || o.end != io.EOF || fmt.Sprint(o.parts) != "[/story/2]" {
					t.Errorf("compression %d, length changed by %d: %v", compression, change, o)
				}
				if len(o.errs) != 1 || !errors.Is(o.errs[0], ErrMalformed) && !errors.Is(o.errs[0], ErrTruncated) {
					t.Errorf("compression %d, length changed by %d: errors %v", compression, change, o.errs)
				}
			}
		}
	}
}

// archiveWithLength returns an archive in which one record has a wrong length.
func archiveWithLength(t *testing.T, c compression, n, which, change int) []byte {
	t.Helper()
	whole, _ := archive(t, plain, n, 3000)
	in := NewReader(bytes.NewReader(whole), Options{})
	var out []byte
	for i := range n {
		rec, err := in.Next()
		if err != nil {
			t.Fatal(err)
		}
		block, err := io.ReadAll(rec.Block)
		if err != nil {
			t.Fatal(err)
		}
		for j := range rec.Header {
			if rec.Header[j].Name == "Content-Length" && i == which {
				rec.Header[j].Value = fmt.Sprint(rec.ContentLength + int64(change))
			}
		}
		text := fmt.Sprintf("WARC/1.1\r\n%s\r\n%s\r\n\r\n", encodeFields(rec.Header), block)
		out = append(out, c.compress(t, []byte(text))...)
	}
	return out
}

// TestLengthOffByOne checks that lengths may include or exclude line breaks.
func TestLengthOffByOne(t *testing.T) {
	t.Parallel()
	for _, compression := range compressions {
		for _, change := range []int{-1, 1, 2} {
			o := run(bytes.NewReader(archiveWithLength(t, compression, 4, 2, change)), Options{})
			if len(o.whole)+len(o.parts) != 4 || len(o.errs) != 0 || o.stats.Damaged != 0 || o.end != io.EOF {
				t.Errorf("compression %d, length changed by %d: %v", compression, change, o)
			}
		}
	}
}

func TestCorruptBytes(t *testing.T) {
	t.Parallel()
	const n = 8
	for _, compression := range compressions[:2] {
		whole, offsets := archive(t, compression, n, 3000)
		for at := offsets[3]; at < offsets[4]; at += 29 {
			b := bytes.Clone(whole)
			b[at] ^= 0x55
			for _, in := range []io.Reader{bytes.NewReader(b), pipe(b)} {
				o := run(in, Options{})
				if len(o.whole) < n-1 || o.end != io.EOF || len(o.whole) < n && o.stats.Damaged == 0 {
					t.Fatalf("compression %d, byte %d: %v", compression, at, o)
				}
			}
		}
	}
}

// TestCutAnywhere cuts an archive at every seventh byte and appends a complete one.
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	for _, compression := range compressions {
		b, offsets := archive(t, compression, 2, 300)
		last, lost := offsets[1], 0
		for cut := last + 1; cut < int64(len(b))-4; cut += 7 {
			o := run(bytes.NewReader(b[:cut]), Options{})
			if len(o.whole) != 1 || o.end != io.EOF || o.stats.Damaged != 1 {
				t.Fatalf("compression %d, cut at %d of %d: %v", compression, cut, len(b), o)
			}
			o = run(bytes.NewReader(append(bytes.Clone(b[:cut]), b...)), Options{})
			// A part of the first line is not counted: the first line of the next record completes it.
			if n := o.stats.Damaged; len(o.whole) < 2 || o.end != io.EOF || n > 1 || n == 0 && cut > last+20 {
				t.Fatalf("compression %d, cut at %d of %d, and a complete one appended: %v", compression, cut, len(b), o)
			}
			lost += 3 - len(o.whole)
		}
		// An uncompressed block may end at two line breaks of the next record by chance.
		if lost > 1 || lost > 0 && compression != plain {
			t.Errorf("compression %d: %d records lost that are not damaged", compression, lost)
		}
	}
}

func TestGarbage(t *testing.T) {
	t.Parallel()
	noise := bytes.Repeat([]byte("\x1f\x8b\x08\x00garbage\nWARC/x\n\x28\xb5\x2f"), 20_000)
	for _, compression := range compressions {
		b, _ := archive(t, compression, 3, 500)
		for _, in := range [][]byte{append(bytes.Clone(noise), b...), append(bytes.Clone(b), noise...), append(append(bytes.Clone(b), noise...), b...)} {
			o := run(bytes.NewReader(in), Options{})
			if len(o.whole) != 3 && len(o.whole) != 6 || o.end != io.EOF || o.stats.Damaged == 0 || o.stats.Bytes != int64(len(in)) {
				t.Errorf("compression %d: %v", compression, o)
			}
		}
	}
}

func TestNotWARC(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"<!doctype html><p>a page", "\x1f\x8b", "WARC/1.0", string(gzipped(t, []byte("a page"))), "\x28\xb5\x2f\xfd", "PK\x03\x04"} {
		if o := run(strings.NewReader(in), Options{}); !errors.Is(o.end, ErrNotWARC) || o.stats.Damaged == 0 {
			t.Errorf("%q: %v", in, o)
		}
	}
	if o := run(strings.NewReader(""), Options{}); o.end != io.EOF {
		t.Errorf("an empty file: %v", o)
	}
}

// TestDictionaryMissing checks that frames are skipped whose dictionary is missing.
func TestDictionaryMissing(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("testdata/dict.warc.zst")
	if err != nil {
		t.Fatal(err)
	}
	b[0]-- // another skippable frame than that of the dictionary
	for _, in := range []io.Reader{bytes.NewReader(b), pipe(b)} {
		if o := run(in, Options{}); !errors.Is(o.end, ErrNotWARC) || o.stats.Damaged != 1 {
			t.Error(o)
		}
	}
}

// failingReader fails after n bytes.
type failingReader struct {
	r io.Reader
	n int
}

var errRemoved = errors.New("device removed")

func (v *failingReader) Read(p []byte) (int, error) {
	if v.n == 0 {
		return 0, errRemoved
	}
	n, err := v.r.Read(p[:min(len(p), v.n)])
	v.n -= n
	return n, err
}

func TestInputFails(t *testing.T) {
	t.Parallel()
	for _, compression := range compressions {
		b, offsets := archive(t, compression, 4, 3000)
		for cut := int(offsets[2]) - 3; cut < int(offsets[2])+200; cut += 7 {
			o := run(&failingReader{bytes.NewReader(b), cut}, Options{})
			if !errors.Is(o.end, ErrInput) || !errors.Is(o.end, errRemoved) || len(o.whole) < 1 || len(o.whole) > 2 {
				t.Fatalf("compression %d, failing after %d: %v", compression, cut, o)
			}
		}
	}
	// A reader that returns neither bytes nor errors.
	if o := run(emptyReader{}, Options{}); !errors.Is(o.end, io.ErrNoProgress) {
		t.Errorf("an empty reader: %v", o)
	}
}

type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, nil }
