package format_test

import (
	"io"
	"testing"

	"github.com/lede-news/lede/format"
)

func benchmark(b *testing.B, name string) {
	a := load(b, "testdata/english.json")
	for len(a.Body) < 200 {
		a.Body = append(a.Body, a.Body...)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := format.Write(io.Discard, a, name, format.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkText(b *testing.B)     { benchmark(b, "text") }
func BenchmarkMarkdown(b *testing.B) { benchmark(b, "md") }
func BenchmarkHTML(b *testing.B)     { benchmark(b, "html") }
func BenchmarkJSON(b *testing.B)     { benchmark(b, "json") }
