package compose

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// nest builds a tree that no parser would give: elements in each other, with a
// word before and after each.
func nest(depth int, tags ...string) *html.Node {
	root := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	at := root
	for i := range depth {
		tag := tags[i%len(tags)]
		n := &html.Node{Type: html.ElementNode, Data: tag, DataAtom: atom.Lookup([]byte(tag))}
		at.AppendChild(&html.Node{Type: html.TextNode, Data: "in "})
		at.AppendChild(n)
		at.AppendChild(&html.Node{Type: html.TextNode, Data: " out"})
		at = n
	}
	at.AppendChild(&html.Node{Type: html.TextNode, Data: "bottom"})
	return root
}

// TestDeepTrees sets trees of 10,000 levels: no stack ends, no time is
// squared, no word is lost.
func TestDeepTrees(t *testing.T) {
	const depth = 10_000
	for _, tags := range []string{"div", "span", "b i", "ul li", "blockquote", "figure", "table tbody tr td", "h2", "a", "pre", "dl dd", "pre span", "div figure ul li b"} {
		root := nest(depth, strings.Fields(tags)...)
		d, err := dom.FromNode(root, dom.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		text := article.Text(Blocks(d, all(d), Options{Pictures: true, Captions: true}))
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: took %v", tags, took)
		}
		if n := len(strings.Fields(text)); n != 2*depth+1 {
			t.Errorf("%s: %d words, want %d", tags, n, 2*depth+1)
		}
	}
}

// TestWideTrees sets a paragraph of very many pieces.
func TestWideTrees(t *testing.T) {
	const wide = 50_000
	for _, piece := range []string{"<b>x</b> ", "x<br>", "<i>x</i>\n<img src=a.jpg>", "<li>x", "x<hr>", "<td>x"} {
		d := parse(t, "<div>"+strings.Repeat(piece, wide))
		start := time.Now()
		Blocks(d, all(d), Options{Pictures: true})
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%q: took %v", piece, took)
		}
	}
}
