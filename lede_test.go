package lede_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/method"
)

// TestConcurrentUse extracts the same pages from many goroutines with one
// extractor. Each must get the same articles.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	type page struct {
		newsroom.Page
		want string
	}
	e := newExtractor(t)
	extract := func(p newsroom.Page) (string, error) {
		a, err := e.Extract(t.Context(), bytes.NewReader(p.HTML), lede.WithURL(p.Gold.URL))
		if err != nil {
			return "", err
		}
		b, err := json.Marshal(a)
		return string(b), err
	}
	var pages []page
	for _, s := range newsroom.New(1).Sites() {
		p := page{Page: s.Page(0)}
		var err error
		if p.want, err = extract(p.Page); err != nil {
			t.Fatal(s.Name, err)
		}
		pages = append(pages, p)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range pages {
				p := pages[(i+g*5)%len(pages)]
				if got, err := extract(p.Page); err != nil || got != p.want {
					t.Errorf("%s: %v: goroutines get different articles", p.Gold.ID, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestNewsroom checks some 270 snippets that must be in the text of made-up
// pages, and some 320 that must not. Wrong are mostly subheadings between short paragraphs.
func TestNewsroom(t *testing.T) {
	t.Parallel()
	const most = 10 // mistakes
	var mistakes []string
	for _, s := range newsroom.New(2).Sites() {
		for i := range 3 {
			p := s.Page(i)
			a, err := lede.Extract(t.Context(), bytes.NewReader(p.HTML), lede.WithURL(p.Gold.URL))
			if err != nil {
				t.Errorf("%s: %v", p.Gold.ID, err)
				continue
			}
			text := a.Text()
			for _, w := range p.Gold.With {
				if !strings.Contains(text, w) {
					mistakes = append(mistakes, fmt.Sprintf("%s: missing %q", p.Gold.ID, w))
				}
			}
			for _, w := range p.Gold.Without {
				if strings.Contains(text, w) {
					mistakes = append(mistakes, fmt.Sprintf("%s: unwanted %q", p.Gold.ID, w))
				}
			}
		}
	}
	if len(mistakes) > most {
		t.Errorf("%d mistakes, more than %d:\n%s", len(mistakes), most, strings.Join(mistakes, "\n"))
	}
}

// TestSafe checks that an article has no scripts and no script addresses.
func TestSafe(t *testing.T) {
	t.Parallel()
	page := strings.Repeat(prose, 3) + `<p onclick="x()">One <a href="javascript:x()">two</a> <a href=" jAvAscript:x()">three</a>
<img src="javascript:x()" onerror="x()"> <script>x()</script><a href="data:text/html,x">four</a> and more words of the story.</p>
<iframe src="javascript:player()"></iframe><svg onload="x()"><a xlink:href="javascript:x()">five</a></svg>` + prose
	a, err := lede.Extract(t.Context(), strings.NewReader(page), lede.WithURL("https://paper.example/x"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"javascript", "data:", "onclick", "onerror", "onload", "x()"} {
		if strings.Contains(strings.ToLower(string(b)), bad) {
			t.Errorf("%q got through: %s", bad, b)
		}
	}
}

func TestExtractNode(t *testing.T) {
	t.Parallel()
	for _, p := range goldenPages(t) {
		if bytes.Contains(p.source, []byte("charset=")) && !bytes.Contains(p.source, []byte(`charset="utf-8"`)) {
			continue // goquery reads UTF-8 only
		}
		doc, err := goquery.NewDocumentFromReader(bytes.NewReader(p.source))
		if err != nil {
			t.Fatal(err)
		}
		var before, after bytes.Buffer
		render := func(w *bytes.Buffer) {
			if err := html.Render(w, doc.Nodes[0]); err != nil {
				t.Fatal(err)
			}
		}
		render(&before)
		got, err := lede.ExtractNode(t.Context(), doc.Nodes[0], p.opts...)
		if err != nil {
			t.Fatal(p.dir, err)
		}
		want, err := lede.Extract(t.Context(), bytes.NewReader(p.source), p.opts...)
		if err != nil {
			t.Fatal(p.dir, err)
		}
		if got.Text() != want.Text() || got.Title != want.Title {
			t.Errorf("%s: from the tree\n%s\nfrom the page\n%s", p.dir, got.Text(), want.Text())
		}
		if render(&after); !bytes.Equal(before.Bytes(), after.Bytes()) {
			t.Errorf("%s: the tree was changed", p.dir)
		}
	}
}

// TestExtractNodeOfSelection extracts from a part of a page.
func TestExtractNodeOfSelection(t *testing.T) {
	t.Parallel()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(`<div id="a">` + prose + `</div><div id="b">` + strings.Repeat(prose, 4) + `</div>`))
	if err != nil {
		t.Fatal(err)
	}
	a, err := lede.ExtractNode(t.Context(), doc.Find("#a").Nodes[0])
	if err != nil || strings.Count(a.Text(), "council") != 1 {
		t.Errorf("%v: %+v", err, a)
	}
	if _, err := lede.ExtractNode(t.Context(), nil); err == nil || errors.Is(err, lede.ErrInternal) {
		t.Errorf("no node: %v", err)
	}
}

func TestLogger(t *testing.T) {
	var std, own bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&std, &slog.HandlerOptions{Level: slog.LevelDebug})))
	defer slog.SetDefault(old)
	page := strings.Repeat(prose, 5)
	for _, opts := range [][]lede.Option{nil, {lede.WithLogger(nil)}} {
		if _, err := lede.Extract(t.Context(), strings.NewReader(page), opts...); err != nil {
			t.Fatal(err)
		}
	}
	if std.Len() > 0 {
		t.Errorf("logged without WithLogger: %s", std.String())
	}
	l := slog.New(slog.NewTextHandler(&own, &slog.HandlerOptions{Level: slog.LevelDebug}))
	if _, err := lede.Extract(t.Context(), strings.NewReader(page), lede.WithLogger(l), lede.WithURL("https://paper.example/x")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"level=DEBUG", "paper.example/x", "method=blend"} {
		if !strings.Contains(own.String(), want) {
			t.Errorf("no %q in %q", want, own.String())
		}
	}
}

func TestMethods(t *testing.T) {
	t.Parallel()
	list := lede.Methods()
	if len(list) == 0 || list[0].Name != lede.DefaultMethod {
		t.Fatalf("the default is not first: %+v", list)
	}
	for _, m := range list {
		got, err := lede.NewMethod(m.Name)
		if err != nil || got.Name() != m.Name || m.About == "" {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}

// TestDecisions checks that an explanation covers every block of the page.
func TestDecisions(t *testing.T) {
	t.Parallel()
	page := `<title>The bridge</title><nav><a href="/">Home</a></nav><h1>The bridge</h1>` + strings.Repeat(prose, 3) + `<p hidden>secret</p><footer>All rights reserved.</footer>`
	x, err := newExtractor(t).Explain(t.Context(), strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	roles := map[string]string{}
	texts := make([]string, x.Document().Len()) // of the block of each text node
	for _, v := range x.Decisions() {
		roles[v.Text] = v.Role
		for n := v.First; n <= v.Last; n++ {
			if texts[n] != "" {
				t.Errorf("node %d is in the blocks %q and %q", n, texts[n], v.Text)
			}
			texts[n] = v.Text
		}
		if v.Role == "kept" && v.Why == "" {
			t.Errorf("no reason for %+v", v)
		}
	}
	for text, want := range map[string]string{"Home": "dropped", "secret": "hidden", "All rights reserved.": "dropped"} {
		if roles[text] != want {
			t.Errorf("%q is %q, want %q", text, roles[text], want)
		}
	}
	for n, text := range texts {
		if n := dom.Node(n); x.Document().IsText(n) && (text == "" || !strings.Contains(text, x.Document().Text(n))) {
			t.Errorf("text node %d, %q, is in the block %q", n, x.Document().Text(n), text)
		}
	}
	if !strings.Contains(x.Article.Text(), "council") {
		t.Error("no article in the explanation")
	}
}

// TestPlaces checks that values of JSON-LD are found where the page shows them.
func TestPlaces(t *testing.T) {
	t.Parallel()
	page := `<title>The bridge</title><script type="application/ld+json">{"@type": "NewsArticle", "headline": "The bridge",
"author": [{"@type": "Person", "name": "Ann Quay"}, {"@type": "Person", "name": "Olaf Pier"}], "datePublished": "2024-05-03T22:00:00Z"}</script>
<p>Joann Quayle was here on 3 May 2024, which is a line that is far too long for a byline, even in the longest of papers; and it goes on, on and on, until it ends here.</p>
<h1>The bridge</h1><div class=meta><p>By <b>ANN QUAY</b> and <a href=/olaf>Olaf Pier</a>, reporters</p> <span>Saturday</span> <span>4 May 2024</span></div>` + strings.Repeat(prose, 3)
	x, err := newExtractor(t).Explain(t.Context(), strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for name, n := range x.Places() {
		got[name] = x.Document().Text(n)
	}
	want := map[string]string{"title": "The bridge", "authors": "By ANN QUAY and Olaf Pier, reporters", "published": "4 May 2024"}
	if !maps.Equal(got, want) {
		t.Errorf("places %q, want %q; article %+v", got, want, x.Article)
	}
}

// newExtractor returns an extractor, or fails the test.
func newExtractor(tb testing.TB, opts ...lede.Option) *lede.Extractor {
	tb.Helper()
	e, err := lede.New(opts...)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func TestMethodTitle(t *testing.T) {
	t.Parallel()
	const page = `<html><head><title>Ferry returns | The Quay Courier</title></head><body><h1>Ferry returns</h1>
<p>The ferry to Saltmarsh End is back in service after a winter in the dock.</p></body></html>`
	for _, c := range []struct {
		title dom.Tag
		want  string
	}{{dom.H1, "Ferry returns"}, {dom.Title, "Ferry returns | The Quay Courier"}, {dom.H2, ""}} {
		m := titleMethod{c.title}
		x, err := newExtractor(t, lede.WithCustomMethod(m)).Explain(t.Context(), strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		if got := x.MethodTitle(); got != c.want || x.Article.Title != "Ferry returns" {
			t.Errorf("<%v>: method's title %q, want %q; headline %q", c.title, got, c.want, x.Article.Title)
		}
	}
}

// titleMethod takes the paragraph for the story and an element for its headline.
type titleMethod struct{ tag dom.Tag }

func (titleMethod) Name() string { return "title" }

func (m titleMethod) Select(_ context.Context, p *method.Page) (*method.Selection, error) {
	return &method.Selection{Title: p.Doc.First(m.tag), Keep: []dom.Node{p.Doc.First(dom.P)}}, nil
}
