package warc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"testing"
)

// outcome is what became of an archive of stories.
type outcome struct {
	whole []string // paths of the pages that came whole
	parts []string // of those that came with an error, or in part
	errs  []error
	stats Stats
	end   error
}

// run reads an archive as a batch would.
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
		if err != nil || p.Truncated {
			o.parts = append(o.parts, path)
		} else {
			o.whole = append(o.whole, path)
		}
	}
}

func (o outcome) String() string {
	return fmt.Sprintf("whole %v parts %v skipped %+v digests %d end %v errors %v",
		o.whole, o.parts, o.stats.Skipped, o.stats.Digests, o.end, o.errs)
}

// pipe hides that the input can seek.
func pipe(b []byte) io.Reader { return struct{ io.Reader }{bytes.NewReader(b)} }

func TestWrongLengths(t *testing.T) {
	const n = 6
	for _, packing := range []Packing{Gzip, Zstd, Plain} {
		for _, change := range []int{-500, 500, 20_000, 1 << 40} {
			b := archiveWith(t, packing, n, 2, change)
			o := run(bytes.NewReader(b), Options{})
			if got := strings.Join(o.whole, " "); got != "/story/0 /story/1 /story/3 /story/4 /story/5" ||
				o.stats.Skipped.Total() != 1 || o.end != io.EOF || fmt.Sprint(o.parts) != "[/story/2]" {
				t.Errorf("packing %d, length changed by %d: %v", packing, change, o)
			}
			if len(o.errs) != 1 || !errors.Is(o.errs[0], ErrMalformed) && !errors.Is(o.errs[0], ErrTruncated) {
				t.Errorf("packing %d, length changed by %d: errors %v", packing, change, o.errs)
			}
			// From a pipe a plain file may lose what the length swallowed, and no more.
			o = run(pipe(b), Options{})
			if want := []int{5, 5, 2}[packing]; len(o.whole) < want || o.end != io.EOF || o.stats.Skipped.Total() != 1 {
				t.Errorf("packing %d, length changed by %d, from a pipe: %v", packing, change, o)
			}
		}
	}
}

// archiveWith changes the length that one record says.
func archiveWith(t *testing.T, packing Packing, n, which, change int) []byte {
	t.Helper()
	plain, entries := archive(t, Plain, n, 3000)
	w := NewWriter(nil, WriterOptions{Packing: packing})
	var out bytes.Buffer
	for i, e := range entries {
		rec, err := At(bytes.NewReader(plain), e.Offset, Options{})
		if err != nil {
			t.Fatal(err)
		}
		block, err := io.ReadAll(rec.Body)
		if err != nil {
			t.Fatal(err)
		}
		for j := range rec.Header {
			if rec.Header[j].Name == "Content-Length" && i == which {
				rec.Header[j].Value = fmt.Sprint(rec.Length + int64(change))
			}
		}
		w.buf.Reset()
		if err := w.pack(rec.Header, block); err != nil {
			t.Fatal(err)
		}
		out.Write(w.buf.Bytes())
	}
	return out.Bytes()
}

// TestLengthOffByOne: newlines around a record are nobody's loss.
func TestLengthOffByOne(t *testing.T) {
	for _, packing := range []Packing{Gzip, Zstd, Plain} {
		for _, change := range []int{-1, 1, 2} {
			o := run(bytes.NewReader(archiveWith(t, packing, 4, 2, change)), Options{})
			if len(o.whole)+len(o.parts) != 4 || len(o.errs) != 0 || o.stats.Skipped.Total() != 0 || o.end != io.EOF {
				t.Errorf("packing %d, length changed by %d: %v", packing, change, o)
			}
		}
	}
}

func TestBrokenBytes(t *testing.T) {
	const n = 8
	for _, packing := range []Packing{Gzip, Zstd} {
		whole, entries := archive(t, packing, n, 3000)
		for at := entries[3].Offset; at < entries[4].Offset; at += 13 {
			b := bytes.Clone(whole)
			b[at] ^= 0x55
			for _, in := range []io.Reader{bytes.NewReader(b), pipe(b)} {
				o := run(in, Options{CheckDigests: true})
				want := n - 1
				if _, seeks := in.(io.Seeker); !seeks {
					want = n - 2 // broken data may run on into the next record
				}
				if len(o.whole) < want || o.end != io.EOF || len(o.whole) < n && o.stats.Skipped.Total()+o.stats.Digests == 0 {
					t.Fatalf("packing %d, byte %d: %v", packing, at, o)
				}
			}
		}
	}
}

// TestCutAnywhere cuts an archive at every byte, and puts a whole one after it.
func TestCutAnywhere(t *testing.T) {
	for _, packing := range []Packing{Gzip, Zstd, Plain} {
		b, entries := archive(t, packing, 2, 300)
		last := entries[1].Offset
		for cut := last + 1; cut < int64(len(b))-4; cut++ {
			o := run(bytes.NewReader(b[:cut]), Options{})
			if len(o.whole) != 1 || o.end != io.EOF || o.stats.Skipped.Truncated+o.stats.Skipped.Header != 1 || o.stats.Skipped.Total() != 1 {
				t.Fatalf("packing %d, cut at %d of %d: %v", packing, cut, len(b), o)
			}
			o = run(bytes.NewReader(append(bytes.Clone(b[:cut]), b...)), Options{})
			// A first line or less is not missed: the next record's stands for it.
			if n := o.stats.Skipped.Total(); len(o.whole) != 3 || o.end != io.EOF || n > 1 || n == 0 && cut > last+20 {
				t.Fatalf("packing %d, cut at %d of %d, and then the rest: %v", packing, cut, len(b), o)
			}
		}
	}
}

func TestGarbage(t *testing.T) {
	noise := bytes.Repeat([]byte("\x1f\x8b\x08\x00garbage\nWARC/x\n\x28\xb5\x2f"), 20_000)
	for _, packing := range []Packing{Gzip, Zstd, Plain} {
		b, _ := archive(t, packing, 3, 500)
		for _, in := range [][]byte{append(bytes.Clone(noise), b...), append(bytes.Clone(b), noise...), append(append(bytes.Clone(b), noise...), b...)} {
			o := run(bytes.NewReader(in), Options{})
			if len(o.whole) != 3 && len(o.whole) != 6 || o.end != io.EOF || o.stats.Skipped.Total() == 0 || o.stats.Bytes != int64(len(in)) {
				t.Errorf("packing %d: %v", packing, o)
			}
		}
	}
}

// TestPadding holds that a good record stays good with rubbish behind it.
func TestPadding(t *testing.T) {
	for _, packing := range []Packing{Gzip, Zstd, Plain} {
		b, _ := archive(t, packing, 2, 500)
		for _, in := range []io.Reader{bytes.NewReader(append(bytes.Clone(b), make([]byte, 100_000)...)), pipe(append(bytes.Clone(b), "rubbish"...))} {
			if o := run(in, Options{}); len(o.whole) != 2 || o.stats.Skipped != (Skipped{Header: 1}) || o.end != io.EOF {
				t.Errorf("packing %d: %v", packing, o)
			}
		}
	}
}

func TestNotWARC(t *testing.T) {
	for _, in := range []string{"<!doctype html><p>a page", "\x1f\x8b", "WARC/1.0", string(gzipped(t, []byte("a page"))), "\x28\xb5\x2f\xfd", "PK\x03\x04"} {
		if o := run(strings.NewReader(in), Options{}); !errors.Is(o.end, ErrNotWARC) || o.stats.Skipped.Total() == 0 {
			t.Errorf("%q: %v", in, o)
		}
	}
	if o := run(strings.NewReader(""), Options{}); o.end != io.EOF {
		t.Errorf("an empty file: %v", o)
	}
}

// TestDictionaryMissing: frames that need a dictionary which is not there are
// passed over, one by one.
func TestDictionaryMissing(t *testing.T) {
	b, err := os.ReadFile("testdata/dict.warc.zst")
	if err != nil {
		t.Fatal(err)
	}
	b[0]-- // a skippable frame, but not the dictionary's
	for _, in := range []io.Reader{bytes.NewReader(b), pipe(b)} {
		if o := run(in, Options{}); !errors.Is(o.end, ErrNotWARC) || o.stats.Skipped != (Skipped{Packing: 1}) {
			t.Error(o)
		}
	}
}

func TestSameRecordTwice(t *testing.T) {
	b, _ := archive(t, Gzip, 2, 500)
	o := run(bytes.NewReader(append(bytes.Clone(b), b...)), Options{})
	if fmt.Sprint(o.whole) != "[/story/0 /story/1 /story/0 /story/1]" || o.end != io.EOF {
		t.Error(o)
	}
}
