package format_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
)

// nested wraps words in n layers, each with words of its own.
func nested(n int, layer func(inner []article.Block) article.Block) []article.Block {
	bs := []article.Block{says("innermost")}
	for range n {
		bs = []article.Block{says("x"), layer(bs)}
	}
	return bs
}

var layers = map[string]func([]article.Block) article.Block{
	"quote": func(bs []article.Block) article.Block { return article.Block{Kind: article.Quote, Blocks: bs} },
	"list": func(bs []article.Block) article.Block {
		return article.Block{Kind: article.List, Ordered: true, Items: [][]article.Block{bs}}
	},
	"table": func(bs []article.Block) article.Block {
		return article.Block{Kind: article.Table, Rows: [][]article.Cell{{{Blocks: bs}}}}
	},
}

// The time limit is far above what a linear writer needs, and far below what
// a quadratic one takes.
func TestAbsurdNesting(t *testing.T) {
	for kind, layer := range layers {
		a := &article.Article{Body: nested(10_000, layer)}
		for _, name := range format.Names() {
			var b bytes.Buffer
			start := time.Now()
			if err := format.Write(&b, a, name, format.Options{}); err != nil {
				t.Errorf("%s in %s: %v", kind, name, err)
			}
			if d := time.Since(start); d > 10*time.Second {
				t.Errorf("%s in %s took %v", kind, name, d)
			}
			if !strings.Contains(b.String(), "innermost") {
				t.Errorf("%s in %s: words are lost", kind, name)
			}
			if b.Len() > 20<<20 {
				t.Errorf("%s in %s: %d bytes", kind, name, b.Len())
			}
		}
	}
}

func TestDepthIsCapped(t *testing.T) {
	var b bytes.Buffer
	if err := format.HTML(&b, &article.Article{Body: nested(500, layers["quote"])}, format.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "<blockquote>"); n != 100 {
		t.Errorf("%d quotes", n)
	}
	if n := strings.Count(b.String(), "<p>x</p>"); n != 500 {
		t.Errorf("%d paragraphs of 500", n)
	}
}

// Long runs of the things that make a writer look ahead or back.
func TestLongRuns(t *testing.T) {
	var spans, blanks []article.Span
	for i := range 50_000 {
		spans = append(spans, article.Span{Text: "a", Mark: article.Mark(i % 64), Href: []string{"", "/x", "/y"}[i%3]})
		blanks = append(blanks, article.Span{Text: " ", Mark: article.Mark(i % 2)})
	}
	long := map[string]article.Block{
		"spans":  para(spans...),
		"blanks": para(append(blanks, article.Span{Text: "x"})...),
	}
	for _, s := range []string{"http://[", "www._", "http://x)))", "&a", "*", "_", "`", "\n", "1.", "\\", "<", " "} {
		long[s] = says(strings.Repeat(s, 100_000))
	}
	for name, b := range long {
		for _, f := range format.Names() {
			start := time.Now()
			if err := format.Write(&bytes.Buffer{}, &article.Article{Body: []article.Block{b}}, f, format.Options{}); err != nil {
				t.Fatal(err)
			}
			if d := time.Since(start); d > 10*time.Second {
				t.Errorf("%q in %s took %v", name, f, d)
			}
		}
	}
}

func TestWideTable(t *testing.T) {
	var rows [][]article.Cell
	for range 1000 {
		rows = append(rows, []article.Cell{{ColSpan: 1 << 30, RowSpan: 1 << 30}, {ColSpan: 1000, Blocks: []article.Block{says("a")}}})
	}
	a := &article.Article{Body: []article.Block{{Kind: article.Table, Rows: rows}}}
	for _, name := range format.Names() {
		var b bytes.Buffer
		if err := format.Write(&b, a, name, format.Options{}); err != nil {
			t.Fatal(err)
		}
		if b.Len() > 4<<20 {
			t.Errorf("%s: %d bytes", name, b.Len())
		}
	}
}
