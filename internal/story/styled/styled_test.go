package styled_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/story/styled"
	"github.com/lede-news/lede/method"
)

var update = flag.Bool("update", false, "write the golden files anew")

// keepStory selects the element with the id story, or else the <article> without
// its header, and drops what has the class noise.
type keepStory struct{}

func (keepStory) Name() string { return "test" }

func (keepStory) Select(_ context.Context, p *method.Page) (*method.Selection, error) {
	d := p.Doc
	sel := &method.Selection{Title: dom.None, Confidence: 1}
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		switch {
		case d.Attr(n, "id") == "story", d.Tag(n) == dom.Article && len(sel.Keep) == 0:
			sel.Keep = []dom.Node{n}
		case d.HasClass(n, "noise"), d.Tag(n) == dom.Header, d.HasClass(n, "comments"):
			sel.Drop = append(sel.Drop, n)
		}
	}
	return sel, nil
}

func explain(t testing.TB, page []byte, opts ...lede.Option) *lede.Explanation {
	t.Helper()
	x, err := tryExplain(page, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func tryExplain(page []byte, opts ...lede.Option) (*lede.Explanation, error) {
	e, err := lede.New(lede.WithCustomMethod(keepStory{}))
	if err != nil {
		return nil, err
	}
	return e.Explain(context.Background(), bytes.NewReader(page), opts...)
}

// writePage writes the story of a page.
func writePage(t testing.TB, page string, opts styled.Options) []byte {
	t.Helper()
	return writePageAt(t, page, "", opts)
}

// writePageAt writes the story of a page at a URL.
func writePageAt(t testing.TB, page, url string, opts styled.Options) []byte {
	t.Helper()
	return writeStory(t, explain(t, []byte(page), lede.WithURL(url)), opts)
}

func writeStory(t testing.TB, x *lede.Explanation, opts styled.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	opts.Places, opts.Selected = x.Places(), x.Selection().Mask(x.Document())
	if err := styled.Write(context.Background(), &b, x.Document(), x.Article, x.Nodes(), opts); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// write writes an article whose page is what package format makes of it.
func write(t testing.TB, a *article.Article, opts styled.Options) []byte {
	t.Helper()
	x := explain(t, pageOf(t, a))
	x.Article = a
	return writeStory(t, x, opts)
}

func pageOf(t testing.TB, a *article.Article) []byte {
	t.Helper()
	var page bytes.Buffer
	if err := format.HTML(&page, a, format.Options{}); err != nil {
		t.Fatal(err)
	}
	return page.Bytes()
}

// story reads an article that package format is tested with.
func story(t testing.TB, name string) *article.Article {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "format", "testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var a article.Article
	if err := json.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	return &a
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var goldens = []struct {
	page, url string
	opts      styled.Options
}{
	{"english", "https://courier.example/2024/harbour", styled.Options{Assets: []styled.Assets{styled.Folder(os.DirFS("testdata/assets"))}}},
	{"arabic", "https://marfa.example/1", styled.Options{}},
	{"japanese", "https://paper.example/1", styled.Options{Assets: []styled.Assets{styled.Folder(os.DirFS("testdata/assets"))}}},
}

func TestGolden(t *testing.T) {
	for _, g := range goldens {
		t.Run(g.page, func(t *testing.T) {
			got := writePageAt(t, readFile(t, g.page+".html"), g.url, g.opts)
			checkDocument(t, got)
			golden := filepath.Join("testdata", g.page+".golden.html")
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v (go test -update writes it)", err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("differs from %s (go test -update accepts it); got:\n%s", golden, got)
			}
		})
	}
}

// TestArticles writes the articles that package format is tested with.
func TestArticles(t *testing.T) {
	for _, name := range []string{"english", "arabic", "japanese"} {
		out := write(t, story(t, name), styled.Options{Assets: []styled.Assets{styled.Folder(os.DirFS("testdata/assets"))}})
		checkDocument(t, out)
		checkSameText(t, explain(t, pageOf(t, story(t, name))).Article, out)
	}
}

func body(out []byte) string {
	_, s, _ := strings.Cut(string(out), "<body>\n")
	return s
}

func TestNothing(t *testing.T) {
	for _, page := range []string{"<p>", "<html lang=ar><p>", "<title>x</title><article></article>"} {
		d := parse(t, page)
		for _, a := range []*article.Article{{}, {Lang: "ar"}, {URL: "https://paper.example/x", Title: "x"}} {
			var b bytes.Buffer
			if err := styled.Write(context.Background(), &b, d, a, nil, styled.Options{}); err != nil {
				t.Fatal(err)
			}
			checkDocument(t, b.Bytes())
		}
	}
}

func TestDirection(t *testing.T) {
	for lang, want := range map[string]string{"ar": `<html lang="ar" dir="rtl">`, "he-IL": `<html lang="he-IL" dir="rtl">`, "ja": `<html lang="ja">`} {
		if out := write(t, &article.Article{Lang: lang, Title: "x", Body: smallStory().Body}, styled.Options{}); !bytes.Contains(out, []byte(want)) {
			t.Errorf("%s: no %s", lang, want)
		}
	}
}

// TestLabels checks the texts of links to pictures and players.
func TestLabels(t *testing.T) {
	for _, c := range []struct{ name, media, want string }{
		{"player with a title", `<iframe src="https://v.example/embed/1" title="The storm"></iframe>`, `<a href="https://v.example/embed/1"><span class="watch">The storm</span></a>`},
		{"player without", `<iframe src="https://v.example/embed/1"></iframe>`, `<span class="watch">v.example/1</span>`},
		{"animation", `<object data="/flood.swf" title="The flood"><p>Get the plugin.</p></object>`, `<a href="https://paper.example/flood.swf"><span class="watch">The flood</span></a>`},
		{"animation for two browsers", `<p><object classid="clsid:1"><param name="movie" value="/flood.swf"><embed src="/flood.swf"></object></p>`, `<p><span class="video"><a href="https://paper.example/flood.swf"><span class="watch">paper.example/flood.swf</span></a></span></p>`},
		{"embedded animation", `<embed src="/flood.swf">`, `<span class="watch">paper.example/flood.swf</span>`},
		{"still that is lost", `<video src="https://v.example/1" title="The storm" poster="https://v.example/lost.png"></video>`, `<a href="https://v.example/1"><span class="watch">The storm</span></a>`},
		{"still", `<video src="https://v.example/1" title="The storm" poster="https://v.example/1.png"></video>`, "alt=\"\" width=\"4\" height=\"3\"/>\n<span class=\"watch\">The storm</span></a>"},
		{"still without a video", `<video title="The storm" poster="https://v.example/1.png"></video>`, "width=\"4\" height=\"3\"/>\n<span class=\"watch\">The storm</span></span>"},
		{"lost picture", `<figure><img src="/lost.png" alt="A wall"><figcaption>The wall.</figcaption></figure>`, `<span class="missing"><a href="https://paper.example/lost.png">A wall</a></span><figcaption>The wall.`},
		{"lost picture without words", `<img src="/lost.png">`, `<a href="https://paper.example/lost.png">paper.example/lost.png</a>`},
		{"lost picture in a link", `<a href="/big"><img src="/lost.png" alt="A wall"></a>`, `<span><span class="missing"><a href="https://paper.example/lost.png">A wall</a></span></span>`},
		{"lost picture in a link with words", `<a href="/big"><img src="/lost.png" alt="A wall"> and more</a>`, `<span class="missing">A wall</span> and more</a>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			assets := styled.Assets(func(_ context.Context, url string) ([]byte, error) {
				if strings.Contains(url, "lost") {
					return nil, context.DeadlineExceeded
				}
				return pngOf(t, 4, 3), nil
			})
			x := explain(t, []byte(`<title>x</title><div id=story><p>Some words of the story.</p>`+c.media+`<p>More words.</p></div>`), lede.WithURL("https://paper.example/story"))
			out := writeStory(t, x, styled.Options{Assets: []styled.Assets{assets}})
			checkDocument(t, out)
			if !strings.Contains(body(out), c.want) {
				t.Errorf("no %s in\n%s", c.want, body(out))
			}
		})
	}
}

// TestFooter checks that the date in the footer is that of the story.
func TestFooter(t *testing.T) {
	page := `<title>A wall</title><h1>A wall</h1><div id=story><p>It holds since <time>Monday</time>.</p></div>`
	out := body(writePageAt(t, page, "https://www.paper.example/story", styled.Options{}))
	if !strings.Contains(out, `<footer><p><a href="https://www.paper.example/story">paper.example</a></p></footer>`) || strings.Count(out, "Monday") != 1 {
		t.Error(out)
	}
}

// TestLead checks that the lead picture stands where the page has it.
func TestLead(t *testing.T) {
	head := `<title>A wall</title><meta property="og:image" content="https://cdn.example/w1200/wall.jpg"><h1>A wall</h1>`
	for _, c := range []struct{ name, page, want string }{
		{"above the story", `<figure><img src="/wall.jpg" alt="x"><figcaption>The wall.</figcaption></figure><div id=story><p>It holds.</p></div>`,
			`<div class="story"><div><figure><img src="data:image/png;base64,`},
		{"in the story", `<div id=story><p>It holds.</p><img src="/wall.jpg" alt="x"><p>Still.</p></div>`, `<p>It holds.</p>` + "\n" + `<img`},
		{"nowhere", `<div id=story><p>It holds.</p></div>`, `</header>` + "\n" + `<figure>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := body(writePageAt(t, head+c.page, "https://paper.example/story", styled.Options{Assets: []styled.Assets{always(pngOf(t, 4, 3))}}))
			if !strings.Contains(out, c.want) || strings.Count(out, "<img") != 1 {
				t.Errorf("no %s in\n%s", c.want, out)
			}
		})
	}
}

func TestLinks(t *testing.T) {
	for href, want := range map[string]string{
		"/x": `<a href="https://paper.example/x">here</a>`, "x?a=1&b=2": `<a href="https://paper.example/2024/x?a=1&amp;b=2">here</a>`,
		"mailto:a@b.example": `<a href="mailto:a@b.example">here</a>`, "#top": `<span>here</span>`, "java\nscript:alert(1)": `<span>here</span>`,
		"data:text/html,x": `<span>here</span>`, "file:///etc/passwd": `<span>here</span>`,
	} {
		out := regexp.MustCompile(` class="s\d+"`).ReplaceAllString(body(writePageAt(t, `<title>x</title><div id=story><p>It is <a href="`+href+`">here</a>.</p>`, "https://paper.example/2024/story", styled.Options{})), "")
		if !strings.Contains(out, "<p>It is "+want+".</p>") {
			t.Errorf("%q gives %s", href, out)
		}
	}
}

// TestStructure checks what becomes of the elements of a page.
func TestStructure(t *testing.T) {
	for _, c := range []struct{ page, want string }{
		{`<div><div><section><p>a</p></section></div></div>`, "<p>a</p>"},
		{`<p>a</p><nav class=noise>b</nav><p>c</p>`, "<p>a</p>\n<p>c</p>"},
		{`<p>all <font>but</font>,<x-y> this</x-y></p>`, "<p>all <span>but</span>, <span>this</span></p>"},
		{`<form><fieldset><p>a</p><input><button>b</button></fieldset></form>`, "<p>a</p>"},
		{`a<br><br><br><br>b<br>`, "a<br/><br/>b"},
		{`<table><tr><td><p>a</p></td><td class=noise>x</td></tr></table>`, "<p>a</p>"},
		{`<ul><li>a</li><li class=noise>x</li></ul><li>b`, "<ul><li>a</li>\n</ul>\n<div>b</div>"},
		{`<dl><dt>a</dt><dd>b</dd></dl>`, "<dl><dt>a</dt>\n<dd>b</dd>\n</dl>"},
		{`<h2>a <h3>b</h3></h2>`, ""},
		{`<a href="https://a.example/"><p>a</p><p>b</p></a>`, ""},
		{`<svg><text>a</text><script>b()</script></svg><math><mi>c</mi></math>`, ""},
		{`<p>a<script>b()</script><style>c{}</style><template>d</template><noscript>e</noscript></p>`, "<p>a</p>"},
		{`<details><summary>a</summary>b</details>`, ""},
		{`<p>a</p><pre>  b
   <b>c</b>
</pre>`, "<p>a</p>\n<pre>  b\n   c</pre>"},
	} {
		out := writePage(t, `<title>x y</title><h1>x y</h1><div id=story>`+c.page+`</div>`, styled.Options{})
		checkDocument(t, out)
		_, got, _ := strings.Cut(string(out), `<div class="story">`)
		got, _, _ = strings.Cut(got, "</article>")
		got = regexp.MustCompile(` class="s\d+"`).ReplaceAllString(got, "")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s gives %s, want %s", c.page, got, c.want)
		}
	}
}

func TestDeep(t *testing.T) {
	for _, tag := range []string{"div", "span", "b", "blockquote", "ul><li", "table><tr><td", "p><table><td", "a href=x"} {
		t.Run(tag, func(t *testing.T) {
			testkit.Linear(t, 5000, func(n int) func() {
				page := "<title>x</title><div id=story>" + strings.Repeat("<"+tag+">w", n)
				return func() { checkDocument(t, writePage(t, page, styled.Options{})) }
			})
		})
	}
}

// TestLarge writes large pages in linear time.
func TestLarge(t *testing.T) {
	if testing.Short() || testkit.Race {
		t.Skip("slow: runs without -short and without the race detector")
	}
	for name, body := range map[string]func(n int) string{
		"styles": func(n int) string {
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, `<p style="color:#%06x;margin:%dpx">w<b>x</b></p>`, i, i)
			}
			return b.String()
		},
		"captions": func(n int) string {
			return strings.Repeat(`<figure><img src="https://i.example/a.jpg" width=400><figcaption style="display:none">w</figcaption></figure>`, n)
		},
		"rules": func(n int) string {
			return "<style>" + strings.Repeat("p:not(.a) > b ~ b, .x .y .z p b { color: var(--x); font: 12px x }", n/10) + "</style>" + strings.Repeat("<p class=x>w<b>x</b>", n)
		},
		"long attributes": func(n int) string {
			long := strings.Repeat("x", 10*n)
			return "<font face='" + long + "' color='" + long + "'>" + strings.Repeat("<p>w<a href=/x>y</a>", n)
		},
		"flat":   func(n int) string { return strings.Repeat("<br>w", 3*n) },
		"inline": func(n int) string { return strings.Repeat("<span>w</span>", 3*n) },
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Linear(t, 5000, func(n int) func() {
				body := body(n)
				x := explain(t, []byte("<title>A wall</title><div id=story>"+body))
				return func() {
					if out := writeStory(t, x, styled.Options{}); len(out) > 10*len(body)+1<<20 {
						t.Errorf("%d bytes from %d", len(out), len(body))
					}
				}
			})
		})
	}
}
