package blend

import (
	"context"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/newsroom"
	"github.com/lede-news/lede/method"
)

// BenchmarkSelect chooses the story of a page of every made-up site, parsed
// before.
func BenchmarkSelect(b *testing.B) {
	var docs []*dom.Document
	var size int64
	for _, s := range newsroom.New(1).Sites() {
		p := s.Page(0)
		docs = append(docs, parse(b, string(p.HTML)))
		size += int64(len(p.HTML))
	}
	m := New(Config{})
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, d := range docs {
			if _, err := m.Select(context.Background(), &method.Page{Doc: d}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
