package warc

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
)

// BenchmarkRead reads the pages of an archive and, in alternation, only
// decompresses it, so that other load on the machine affects both alike. The metric
// "×gunzip" is the ratio of the two times.
func BenchmarkRead(b *testing.B) {
	packed, _ := archive(b, Gzip, 300, 60_000)
	plain, _ := archive(b, Uncompressed, 300, 60_000)
	for _, digests := range []bool{false, true} {
		name := "pages"
		if digests {
			name = "pages and digests"
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(plain)))
			b.ReportAllocs()
			var gunzip clock
			for b.Loop() {
				if n := countPages(b, packed, Options{CheckDigests: digests}); n != 300 {
					b.Fatal(n, " pages")
				}
				b.StopTimer()
				gunzip.run(func() {
					z, err := gzip.NewReader(bytes.NewReader(packed))
					if err != nil {
						b.Fatal(err)
					}
					if n, err := io.Copy(io.Discard, struct{ io.Reader }{z}); err != nil || n != int64(len(plain)) {
						b.Fatal(n, err)
					}
				})
				b.StartTimer()
			}
			b.ReportMetric(b.Elapsed().Seconds()/gunzip.total.Seconds(), "×gunzip")
		})
	}
}

func countPages(b *testing.B, archive []byte, opts Options) int {
	r, n := NewReader(bytes.NewReader(archive), opts), 0
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return n
		}
		if err != nil {
			b.Fatal(err)
		}
		if _, err := rec.Page(); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

func BenchmarkWrite(b *testing.B) {
	page := story(1, 60_000)
	for name, compression := range map[string]Compression{"gzip": Gzip, "zstd": Zstd, "plain": Uncompressed} {
		b.Run(name, func(b *testing.B) {
			w := NewWriter(io.Discard, WriterOptions{Compression: compression})
			b.SetBytes(int64(len(page)))
			for b.Loop() {
				if _, err := w.WriteResource(Resource{URL: storyURL(1), Date: day, ContentType: "text/html", Body: page}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// clock sums the durations of calls.
type clock struct{ total time.Duration }

func (c *clock) run(f func()) {
	start := time.Now()
	f()
	c.total += time.Since(start)
}
