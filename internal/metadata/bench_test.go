package metadata

import (
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

// BenchmarkRead stands beside the cost of parsing the same page, a long story:
// it should stay below 0.15 of it.
func BenchmarkRead(b *testing.B) {
	page := strings.Replace(story(b), "</article>", strings.Repeat(body, 100)+"</article>", 1)
	b.Run("parse", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			parse(b, page)
		}
	})
	b.Run("read", func(b *testing.B) {
		d := parse(b, page)
		b.ReportAllocs()
		for b.Loop() {
			Read(d, Options{URL: "https://www.quaycourier.example/news/cranes", Title: dom.None, Body: dom.None})
		}
	})
}
