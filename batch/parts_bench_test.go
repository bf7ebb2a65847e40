package batch

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lede-news/lede/warc"
)

// BenchmarkParts reads a packed archive with one reader and with two, in turn.
// "times" is how much faster two are, on as many idle cores.
func BenchmarkParts(b *testing.B) {
	content, _ := longArchive(b, warc.Gzip)
	content = bytes.Repeat(content, 800)
	path := filepath.Join(b.TempDir(), "a.warc.gz")
	if err := os.WriteFile(path, content, 0o644); err != nil {
		b.Fatal(err)
	}
	read := func(readers int) time.Duration {
		start, n := time.Now(), 0
		for range Find([]string{path}).WithReaders(readers).All() {
			n++
		}
		if n != 800*stories {
			b.Fatalf("%d pages", n)
		}
		return time.Since(start)
	}
	var one, two time.Duration
	b.SetBytes(int64(2 * len(content)))
	for b.Loop() {
		one += read(1)
		two += read(2)
	}
	b.ReportMetric(one.Seconds()/two.Seconds(), "times")
}
