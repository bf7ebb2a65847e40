package blend

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/method"
)

var update = flag.Bool("update", false, "rewrite the expected results in testdata")

// TestSmallPages runs the cases of testdata/pages.txt: "### name", the page,
// "---", the headline and the text that is kept, or the error.
func TestSmallPages(t *testing.T) {
	const file = "testdata/pages.txt"
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for c := range strings.SplitSeq(strings.TrimPrefix(string(src), "### "), "\n### ") {
		name, rest, _ := strings.Cut(c, "\n")
		page, want, _ := strings.Cut(rest+"\n", "\n---\n")
		page = strings.TrimSuffix(page, "\n")
		d := methodtest.Parse(t, page)
		got := ""
		s, err := New(Config{}).Select(context.Background(), &method.Page{Doc: d})
		if err != nil {
			got = "error: " + err.Error()
		} else {
			if s.Title != dom.None {
				got = "# " + d.Text(s.Title) + "\n"
			}
			got += s.Text(d)
			checkSelection(t, name, d, s)
		}
		fmt.Fprintf(&out, "### %s\n%s\n---\n%s\n", name, page, got)
		if !*update && got != strings.TrimSpace(want) {
			t.Errorf("%s:\n%s\ngives\n%s\nwant\n%s", name, page, got, want)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkSelection checks what must hold for every selection.
func checkSelection(t *testing.T, name string, d *dom.Document, s *method.Selection) {
	t.Helper()
	if s.Confidence < 0 || s.Confidence > 1 {
		t.Errorf("%s: confidence %v", name, s.Confidence)
	}
	mask := s.Mask(d)
	for _, r := range s.Reasons {
		if d.IsText(r.Node) && !d.Hidden(r.Node) && mask[r.Node] != r.Kept {
			t.Errorf("%s: %q: kept is %v, but its reason says %v: %s", name, d.Text(r.Node), mask[r.Node], r.Kept, r.Why)
		}
	}
	checkReasons(t, name, d, s)
}

// TestNewIsCheap checks that New does not decode the model, and that the model is
// decoded once for all.
func TestNewIsCheap(t *testing.T) {
	const maxAllocs = 20
	if n := testing.AllocsPerRun(10, func() { New(Config{}) }); n > maxAllocs {
		t.Errorf("New allocates %v times, want at most %d", n, maxAllocs)
	}
	if a, b := New(Config{}), New(Config{}); a.model() != b.model() {
		t.Error("two methods have two models")
	}
}

// TestDeepTree selects from deeply nested pages.
func TestDeepTree(t *testing.T) {
	for _, tag := range []string{"div", "span", "figure", "li"} {
		root := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
		at := root
		for range 20_000 {
			n := &html.Node{Type: html.ElementNode, Data: tag, DataAtom: atom.Lookup([]byte(tag))}
			at.AppendChild(&html.Node{Type: html.TextNode, Data: "a few words, "})
			at.AppendChild(n)
			at = n
		}
		d, err := dom.FromNode(root, dom.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(Config{}).Select(context.Background(), &method.Page{Doc: d, NoReasons: true}); err != nil && !errors.Is(err, method.ErrNoContent) {
			t.Error(err)
		}
	}
}

// FuzzSelect checks the selections of arbitrary pages.
func FuzzSelect(f *testing.F) {
	for _, s := range newsroom.New(1).Sites()[:4] {
		f.Add(string(s.Page(0).HTML))
	}
	f.Add("<table><tr><td>A<td>B</table>")
	f.Add("<p>a<br><br>b<br>c")
	m := New(Config{})
	f.Fuzz(func(t *testing.T, page string) {
		d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
		if err != nil {
			return
		}
		s, err := m.Select(context.Background(), &method.Page{Doc: d})
		if errors.Is(err, method.ErrNoContent) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if s.Text(d) == "" {
			t.Error("selection without text and without error")
		}
		checkSelection(t, "page", d, s)
	})
}

// BenchmarkSelect selects from a parsed page of every made-up site.
func BenchmarkSelect(b *testing.B) {
	var docs []*dom.Document
	var size int64
	for _, s := range newsroom.New(1).Sites() {
		p := s.Page(0)
		docs = append(docs, methodtest.Parse(b, string(p.HTML)))
		size += int64(len(p.HTML))
	}
	m := New(Config{})
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, d := range docs {
			if _, err := m.Select(context.Background(), &method.Page{Doc: d, NoReasons: true}); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func TestContext(t *testing.T) {
	methodtest.TestContext(t, New(Config{}), &method.Page{Doc: methodtest.Parse(t, "<p>x")})
}

// TestURLIsNoSwitch checks that the URL of a page changes neither its text nor the
// confidence, even if it is that of a section.
func TestURLIsNoSwitch(t *testing.T) {
	m := New(Config{})
	for _, site := range newsroom.New(7).Sites() {
		for _, page := range []newsroom.Page{site.Page(0), site.Index("")} {
			d := methodtest.Parse(t, string(page.HTML))
			want, err := m.Select(context.Background(), &method.Page{Doc: d, NoReasons: true})
			for _, url := range []string{page.Gold.URL, "https://paper.example/news/", "https://paper.example/?page=2"} {
				got, failed := m.Select(context.Background(), &method.Page{Doc: d, URL: url, NoReasons: true})
				if (err == nil) != (failed == nil) || err == nil && (got.Text(d) != want.Text(d) || got.Confidence != want.Confidence) {
					t.Errorf("%s: another article with the URL %s: %v, %v", page.Gold.URL, url, err, failed)
				}
			}
		}
	}
}
