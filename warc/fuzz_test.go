package warc

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// FuzzReader checks that reading ends, that offsets are valid, and that
// a file and a pipe give the same records if nothing is damaged.
func FuzzReader(f *testing.F) {
	names, err := filepath.Glob("testdata/*.warc*")
	if err != nil || len(names) == 0 {
		f.Fatal("no seeds: ", err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, compression := range compressions {
		b, _ := archive(f, compression, 2, 200)
		f.Add(b)
		f.Add(b[:len(b)*2/3])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var ends [2]Stats
		for i, in := range []io.Reader{bytes.NewReader(b), pipe(b)} {
			r, last := NewReader(in, Options{MaxPage: 1 << 20}), int64(-1)
			for n := 0; ; n++ {
				rec, err := r.Next()
				if err != nil {
					if err != io.EOF && !errors.Is(err, ErrNotWARC) {
						t.Fatal(err)
					}
					break
				}
				if rec.Offset >= 0 && rec.Offset <= last || rec.Offset >= int64(len(b)) || rec.ContentLength < 0 || n > len(b) {
					t.Fatalf("record %d at %d after %d, of %d bytes", n, rec.Offset, last, rec.ContentLength)
				}
				if rec.Offset >= 0 {
					last = rec.Offset
				}
				size, err := io.Copy(io.Discard, rec.Block)
				if size > rec.ContentLength || err == nil && size != rec.ContentLength {
					t.Fatalf("%d bytes of %d, %v", size, rec.ContentLength, err)
				}
			}
			ends[i] = r.Stats()
			if ends[i].Bytes != int64(len(b)) {
				t.Fatalf("%d bytes read of %d", ends[i].Bytes, len(b))
			}
		}
		if ends[0].Damaged == 0 && ends[0] != ends[1] {
			t.Fatalf("from a file %+v, from a pipe %+v", ends[0], ends[1])
		}
	})
}

// FuzzPage checks that every block gives a page within its limit, or an error.
func FuzzPage(f *testing.F) {
	names, err := filepath.Glob("testdata/w*.warc*")
	if err != nil || len(names) == 0 {
		f.Fatal("no seeds: ", err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for r := NewReader(bytes.NewReader(b), Options{}); ; {
			rec, err := r.Next()
			if err != nil {
				break
			}
			block, err := io.ReadAll(rec.Block)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(rec.Type, rec.ContentType, block)
		}
	}
	f.Fuzz(func(t *testing.T, kind, contentType string, block []byte) {
		const limit = 1 << 16
		var b bytes.Buffer
		w := NewWriter(&b, WriterOptions{Random: seeded()})
		if err := w.write(recordData{kind: "k" + kind, contentType: contentType, date: day, block: block}); err != nil {
			t.Fatal(err)
		}
		rec, err := NewReader(&b, Options{MaxPage: limit}).Next()
		if err != nil {
			t.Fatal(err)
		}
		rec.Type = kind
		p, err := rec.Page()
		if (p == nil) == (err == nil) || p != nil && len(p.Body) > limit {
			t.Fatalf("page %v, error %v", p != nil, err)
		}
		if err != nil && !errors.Is(err, ErrNotPage) && !errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrMalformed) {
			t.Fatal(err)
		}
	})
}
