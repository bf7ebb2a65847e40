package dom

import (
	"context"
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
		t.Error("not the same node")
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
			t.Errorf("%s: not the given node", sel)
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
		t.Error("no error for nil")
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

// TestFromDeepNode indexes a tree that is deeper than a parser would build.
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
	if got, want := d.PathName(d.Path(Node(d.Len()-1))), "…"+strings.Repeat(">?", 40); got != want {
		t.Errorf("the path is %q, want %q", got, want)
	}
}

func TestConcurrentReaders(t *testing.T) {
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
				_, _, _ = d.ImageURL(n), d.PathName(d.Path(n)), d.Raw(n)
			}
		})
	}
	wg.Wait()
}
