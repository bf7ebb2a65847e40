package dom

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

func mustParse(tb testing.TB, page string) *Document {
	tb.Helper()
	d, err := Parse(context.Background(), []byte(page), Options{Charset: "utf-8"})
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

const interopPage = `<html><body><div id=a><p class="lead one">One <b>two</b></p><p>Three</p></div><div id=b hidden>Four</div></body></html>`

func TestToGoquery(t *testing.T) {
	d := mustParse(t, interopPage)
	doc := goquery.NewDocumentFromNode(d.HTML(d.Root()))
	if got := doc.Find("p.lead b").Text(); got != "two" {
		t.Errorf("goquery finds %q", got)
	}
	if got := doc.Find("#a").Get(0); got != d.HTML(d.First(Div)) {
		t.Error("another node")
	}
	if !d.HasClass(d.First(P), "lead") || d.HasClass(d.First(P), "lea") {
		t.Error("HasClass is wrong")
	}
}

func TestFromGoquery(t *testing.T) {
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(interopPage))
	if err != nil {
		t.Fatal(err)
	}
	for sel, want := range map[string]string{"#a": "One two\nThree", "p.lead": "One two", "b": "two", "body": "One two\nThree", "#b": ""} {
		d, err := FromNode(doc.Find(sel).Get(0), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Text(0); got != want {
			t.Errorf("%s: %q, want %q", sel, got, want)
		}
		if err := checkTree(d); err != nil {
			t.Errorf("%s: %v", sel, err)
		}
		if d.HTML(1) != doc.Find(sel).Get(0) || d.Charset() != "utf-8" {
			t.Errorf("%s: not the node that was given", sel)
		}
	}
	d, err := FromNode(doc.Get(0), Limits{})
	if err != nil || d.Text(0) != "One two\nThree" {
		t.Errorf("whole document: %v", err)
	}
	if err := checkAgainst(d, doc.Get(0)); err != nil {
		t.Error(err)
	}
}

func TestFromOddNodes(t *testing.T) {
	if _, err := FromNode(nil, Limits{}); err == nil {
		t.Error("no error for no node")
	}
	for name, n := range map[string]*html.Node{
		"comment":  {Type: html.CommentNode, Data: "x"},
		"text":     {Type: html.TextNode, Data: "x"},
		"space":    {Type: html.TextNode, Data: " "},
		"document": {Type: html.DocumentNode},
		"element":  {Type: html.ElementNode, Data: "p"},
	} {
		d, err := FromNode(n, Limits{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := checkTree(d); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFromDeepNode takes a tree deeper than any parser would build.
func TestFromDeepNode(t *testing.T) {
	root := &html.Node{Type: html.ElementNode, Data: "div"}
	n := root
	for range 300_000 {
		c := &html.Node{Type: html.ElementNode, Data: "div"}
		n.AppendChild(c)
		n = c
	}
	n.AppendChild(&html.Node{Type: html.TextNode, Data: "x"})
	d, err := FromNode(root, Limits{})
	if err != nil || d.Text(0) != "x" || d.Raw(0) != "x" {
		t.Fatal(err)
	}
	if got := len(d.PathName(d.Path(Node(d.Len() - 1)))); got < 300_000 {
		t.Errorf("path of %d bytes", got)
	}
}

func TestReadersSideBySide(t *testing.T) {
	d, err := Parse(context.Background(), []byte(strings.Repeat(interopPage, 50)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := checkTree(d); err != nil {
				t.Error(err)
			}
			for n := range d.All(0, P) {
				_, _, _ = d.Source(n), d.PathName(d.Path(n)), d.Raw(n)
			}
		})
	}
	wg.Wait()
}

// corpusFiles names the pages of corpora beside the repository, if any.
func corpusFiles(names ...string) []string {
	var all []string
	for _, name := range names {
		files, _ := filepath.Glob(filepath.Join("..", "..", "shared", "corpora", name, "pages", "*.html.gz"))
		all = append(all, files...)
	}
	return all
}

// corpusPages reads pages of the corpora beside the repository, or skips.
func corpusPages(tb testing.TB, names ...string) [][]byte {
	tb.Helper()
	files := corpusFiles(names...)
	if len(files) == 0 {
		tb.Skip("no corpora beside the repository (../../shared/corpora): nothing to measure on real pages")
	}
	pages := make([][]byte, len(files))
	for i, f := range files {
		pages[i] = gunzip(tb, f)
	}
	return pages
}

func gunzip(tb testing.TB, path string) []byte {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// madeUpPages stand in for the corpora where there are none.
func madeUpPages() [][]byte {
	var pages [][]byte
	for n := 20; n <= 2000; n *= 10 {
		var b strings.Builder
		b.WriteString("<!DOCTYPE html><html><head><title>The bridge</title><script>var a = 1 < 2;</script></head><body><nav><ul>")
		for range n {
			b.WriteString(`<li class="menu-item"><a href="/section/town">Town</a></li>`)
		}
		b.WriteString("</ul></nav><article><h1>The bridge is open again</h1>")
		for range n {
			b.WriteString(`<div class="row"><p class="text">The old bridge over the river was <b>opened</b> again on Monday, ` +
				`said the <a href="/mayor">mayor</a>; it had been closed since the flood &amp; the winter’s ice.</p></div>` + "\n")
		}
		b.WriteString("</article></body></html>")
		pages = append(pages, []byte(b.String()))
	}
	return pages
}
