package stadynot

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/param"
	"github.com/lede-news/lede/method"
)

var _ method.Method = (*StaDyNoT)(nil)

func parse(t testing.TB, html string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(html), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func paper() Config {
	c, _ := Preset("paper")
	return c
}

// choose runs the method with the other pages as neighbours.
func choose(t testing.TB, c Config, d *dom.Document, others ...*dom.Document) *method.Selection {
	t.Helper()
	m := New(c)
	p := &method.Page{Doc: d}
	if len(others) > 0 {
		support := NewSupport()
		for _, o := range others {
			support.Add(o)
		}
		p.Site = m.Site(support, d)
	}
	s, err := m.Select(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	hold(t, d, s)
	return s
}

// hold checks what is true of every selection: Keep and Drop are in order, in
// range and apart, and the reasons say the same as they do.
func hold(t testing.TB, d *dom.Document, s *method.Selection) {
	t.Helper()
	for _, nodes := range [][]dom.Node{s.Keep, s.Drop} {
		last := dom.Node(0)
		for _, n := range nodes {
			if n < last || int(n) >= d.Len() {
				t.Fatalf("node %d of %v is out of range or inside the one before", n, nodes)
			}
			last = d.End(n)
		}
	}
	for _, n := range s.Drop {
		if !slices.ContainsFunc(s.Keep, func(k dom.Node) bool { return d.Contains(k, n) }) {
			t.Errorf("node %d is dropped, but not inside what is kept", n)
		}
	}
	if s.Confidence < 0 || s.Confidence > 1 {
		t.Errorf("confidence %v", s.Confidence)
	}
	var keep, drop []dom.Node
	for i, r := range s.Reasons {
		if i > 0 && r.Node <= s.Reasons[i-1].Node {
			t.Errorf("reason %d is out of order", i)
		}
		if r.Kept {
			keep = append(keep, r.Node)
		} else {
			drop = append(drop, r.Node)
		}
	}
	if !slices.Equal(keep, s.Keep) || !slices.Equal(drop, s.Drop) {
		t.Error("the reasons are not those of the selection")
	}
}

func why(d *dom.Document, s *method.Selection, text string) string {
	for _, r := range s.Reasons {
		if !r.Kept && strings.Contains(d.Text(r.Node), text) {
			return r.Why
		}
	}
	return ""
}

// contains reports what is wrong with a text that should hold some words and
// not others.
func contains(t *testing.T, text string, with, without []string) {
	t.Helper()
	for _, w := range with {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing in %q", w, text)
		}
	}
	for _, w := range without {
		if strings.Contains(text, w) {
			t.Errorf("%q is in %q", w, text)
		}
	}
}

const lorem = "The council met on Monday and agreed, after a long debate, to build the bridge over the river at last. "

// news is a page of a made-up site.
func news(headline, story string) string {
	return `<title>` + headline + ` | The Quay</title><body>
<ul class="menu"><li><a href="/">Home</a><li><a href="/sport">Sport</a></ul>
<div class="share">Tell a friend about this, it is simple and it helps us a lot, they say</div>
<div id="story"><h1>` + headline + `</h1><p>` + story + `</p></div>
<div class="foot">The Quay is published by Quay Papers, 1 Harbour Lane. All rights reserved in all lands.</div>`
}

// TestStatic is section 3.1: what stands on all neighbours is static noise,
// and a box that is on all of them with another text in it is none.
func TestStatic(t *testing.T) {
	d := parse(t, news("Bridge", lorem+"One."))
	s := choose(t, paper(), d, parse(t, news("Ferry", lorem+"Two.")), parse(t, news("Tunnel", "Another story. "+lorem)))
	contains(t, s.Text(d), []string{"Bridge", "The council", "One."}, []string{"Home", "Tell a friend", "published by"})
	if got := why(d, s, "published by"); got != "static noise" {
		t.Errorf("the imprint is out for %q", got)
	}
}

// TestPages is the difference between the paper's count and the default's.
func TestPages(t *testing.T) {
	const box = `<div class="promo">Win a week on the lake with our big prize draw for readers of this paper.</div>`
	with := func(i int) *dom.Document { return parse(t, news("S", fmt.Sprint(lorem, i))+box) }
	without := func(i int) *dom.Document { return parse(t, news("S", fmt.Sprint(lorem, i))) }
	d := with(0)
	others := []*dom.Document{with(1), with(2), without(3), without(4)}
	contains(t, choose(t, paper(), d, others...).Text(d), []string{"prize draw", "The council"}, nil)
	contains(t, choose(t, Default(), d, others...).Text(d), []string{"The council"}, []string{"prize draw"})
}

// figure3 is the paper's Figure 3 in small: a list of links in a footer.
const figure3 = `<html><head></head><body><div><p>` + lorem + lorem + `<a href="/a">see</a></p></div>
<div><div></div><footer><div><ul><li>Recent<ul>
<li><a href="/1">First story of the day</a></li><li><a href="/2">Second story of the day</a></li>
<li><a href="/3">Third story of the day</a></li></ul></li></ul></div></footer></div></body></html>`

// TestPathString is Figure 4: the path of the list is what the paths of its
// links begin with.
func TestPathString(t *testing.T) {
	d := parse(t, figure3)
	links := slices.Collect(d.All(d.Root(), dom.A))[1:]
	list := d.CommonAncestor(links[0], links[2])
	const want = "0(html)-1(body)-1(div)-1(footer)-0(div)-0(ul)-0(li)-0(ul)"
	if got := PathString(d, list); got != want {
		t.Errorf("the list is %s, want %s", got, want)
	}
	for i, a := range links {
		if got, want := PathString(d, a), fmt.Sprintf("%s-%d(li)-0(a)", want, i); got != want {
			t.Errorf("link %d is %s, want %s", i, got, want)
		}
	}
	if PathString(d, links[0]+1) != PathString(d, links[0]) || PathString(d, d.Root()) != "" {
		t.Error("text has the path of its parent, and the document none")
	}
}

// TestDynamic is section 3.2: the list of links is noise, a link in a <p> is not.
func TestDynamic(t *testing.T) {
	d := parse(t, figure3)
	s := choose(t, paper(), d)
	contains(t, s.Text(d), []string{"The council", "see", "Recent"}, []string{"story of the day"})
	if got := why(d, s, "Second"); got != "dynamic noise: 0 characters outside links" {
		t.Errorf("the list is out for %q", got)
	}
	// Beyond the paper, the word over the list goes with it.
	contains(t, choose(t, Default(), d).Text(d), []string{"The council"}, []string{"Recent"})
}

// TestThresholds is α and β of section 3.2.
func TestThresholds(t *testing.T) {
	links := `<a href="/1">` + strings.Repeat("x", 10) + `</a><a href="/2">` + strings.Repeat("y", 10) + `</a>`
	page := func(plain int) string {
		return `<p>` + lorem + `</p><div>` + strings.Repeat("z", plain) + links + `</div><p>` + lorem + `</p>`
	}
	for _, c := range []struct {
		plain       int
		alpha       int
		beta        float64
		kept        bool
		description string
	}{
		{49, 50, 1, false, "fewer characters than α"},
		{50, 50, 1, true, "as many as α"},
		{79, 50, 0.2, false, "more links than β"},
		{80, 50, 0.2, true, "as many links as β"},
	} {
		cfg := paper()
		cfg.Alpha, cfg.Beta = c.alpha, c.beta
		d := parse(t, page(c.plain))
		if got := strings.Contains(choose(t, cfg, d).Text(d), "zzz"); got != c.kept {
			t.Errorf("%s: kept is %v", c.description, got)
		}
	}
}

// TestParagraph is filter 1 of section 3.2.
func TestParagraph(t *testing.T) {
	links := `<a href="/1">one of many links</a> <a href="/2">another of many links</a>`
	d := parse(t, `<p>`+links+`</p><div>`+links+`</div><p>`+lorem)
	if got := strings.Count(choose(t, paper(), d).Text(d), "another"); got != 1 {
		t.Errorf("the links are kept %d times, want once, in <p>", got)
	}
}

// TestBody: a page full of links does not lose its story for them, when they
// stand in lists of their own.
func TestBody(t *testing.T) {
	list := `<ul>` + strings.Repeat(`<li><a href="/x">A headline of another story</a>`, 40) + `</ul>`
	d := parse(t, list+`<div><p>`+lorem+`<a href="/y">More</a></p>`+list+`</div>`)
	for _, c := range []Config{paper(), Default()} {
		contains(t, choose(t, c, d).Text(d), []string{"The council"}, []string{"A headline"})
	}
}

// TestTags is the list of section 3.3, and what the default adds to it.
func TestTags(t *testing.T) {
	d := parse(t, `<p>`+lorem+`</p><form>Vote now</form><table><caption>Figures</caption><tr><td>Twelve</table>
<textarea>Your words</textarea><nav>Sections of the paper</nav><img src="a.png">`)
	s := choose(t, paper(), d)
	contains(t, s.Text(d), []string{"The council", "Twelve", "Sections"}, []string{"Vote", "Figures", "Your words"})
	if img := d.First(dom.Img); !slices.Contains(s.Drop, img) {
		t.Error("the picture is kept")
	}
	s = choose(t, Default(), d)
	contains(t, s.Text(d), []string{"The council"}, []string{"Vote", "Figures", "Your words", "Sections"})
	if img := d.First(dom.Img); !s.Mask(d)[img] {
		t.Error("the picture is lost")
	}
	whole := parse(t, `<form><p>`+lorem+`</p></form>`)
	contains(t, choose(t, Default(), whole).Text(whole), []string{"The council"}, nil)
	if _, err := New(paper()).Select(context.Background(), &method.Page{Doc: whole}); !errors.Is(err, method.ErrNoContent) {
		t.Errorf("the paper removes forms, but got %v", err)
	}
}

// TestList is beyond the paper: comments are longer than their links.
func TestList(t *testing.T) {
	item := `<div class="c"><a href="/u">Reader</a> writes: ` + lorem + lorem + `</div>`
	d := parse(t, `<div><p>`+strings.Repeat(lorem, 5)+`</p></div><div>`+strings.Repeat(item, 4)+`</div>`)
	contains(t, choose(t, Default(), d).Text(d), []string{"The council"}, []string{"writes:"})
	contains(t, choose(t, paper(), d).Text(d), []string{"The council", "writes:"}, nil)
}

// TestHome is beyond the paper: the box that holds most of the text is the
// story's, however many links are in it.
func TestHome(t *testing.T) {
	d := parse(t, `<div>`+strings.Repeat(lorem+`<a href="/x">a link of quite some length, for it says a lot</a> `, 6)+`</div>`)
	contains(t, choose(t, Default(), d).Text(d), []string{"The council"}, nil)
	if _, err := New(paper()).Select(context.Background(), &method.Page{Doc: d}); !errors.Is(err, method.ErrNoContent) {
		t.Errorf("by the paper's β it is noise, but got %v", err)
	}
}

func TestJudge(t *testing.T) {
	story := parse(t, news("Bridge", strings.Repeat(lorem, 4)))
	if s := choose(t, Default(), story); s.Type != article.TypeArticle || s.Confidence < 0.8 {
		t.Errorf("a story is %s, %.2f", s.Type, s.Confidence)
	}
	home := parse(t, strings.Repeat(`<div><h2><a href="/x">A headline</a></h2> in short <a href="/y">more</a></div>`, 30)+`<p>Good morning.</p>`)
	if s := choose(t, Default(), home); s.Type != article.TypeIndex {
		t.Errorf("a page of headlines is %s", s.Type)
	}
	short := parse(t, `<p>Not found.</p>`)
	if s := choose(t, Default(), short); s.Type != article.TypeOther {
		t.Errorf("a page of two words is %s", s.Type)
	}
}

func TestNames(t *testing.T) {
	if n := New(Default()).Name(); n != "stadynot" {
		t.Error(n)
	}
	if n := New(paper()).Name(); n != "stadynot:paper" {
		t.Error(n)
	}
	if _, ok := Preset("best"); ok {
		t.Error("there is no preset best")
	}
	for _, p := range param.List(Default()) {
		if p.About == "" {
			t.Errorf("%s says nothing about itself", p.Name)
		}
	}
}

func TestEnded(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	gone := errors.New("gone home")
	cancel(gone)
	if _, err := New(Default()).Select(ctx, &method.Page{Doc: parse(t, "<p>x")}); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
}

// FuzzSelect: whatever the page and its neighbour, there is a sound selection
// or no content, and the clean page reads like the selection.
func FuzzSelect(f *testing.F) {
	f.Add([]byte(figure3), []byte(news("A", lorem)))
	f.Add([]byte(news("A", lorem)), []byte(news("B", lorem)))
	f.Add([]byte(`<b>x<p>y<a href=a>z<table>w<form><td>v</b><i>u<a href=b>t`), []byte(`<p>x`))
	f.Add([]byte(`<a href=x>1<div><a href=y>2<pre>3
4<form>5<select><option>6<button>7<svg>8`), []byte(`<frameset><frame>`))
	f.Fuzz(func(t *testing.T, page, other []byte) {
		d, err := dom.Parse(context.Background(), page, dom.Options{})
		if err != nil {
			t.Skip("not a page: ", err)
		}
		support := NewSupport()
		if o, err := dom.Parse(context.Background(), other, dom.Options{}); err == nil {
			support.Add(o)
		}
		for _, c := range []Config{Default(), paper(), {}} {
			m := New(c)
			s, err := m.Select(context.Background(), &method.Page{Doc: d, Site: m.Site(support, d)})
			if err != nil {
				if !errors.Is(err, method.ErrNoContent) {
					t.Fatal(err)
				}
				continue
			}
			hold(t, d, s)
			if clean := Clean(d, s); len(clean) > 0 {
				again, err := dom.Parse(context.Background(), []byte(clean), dom.Options{Charset: "utf-8"})
				if err != nil {
					t.Fatalf("the clean page is none: %v", err)
				}
				for n := range again.Len() {
					switch again.Tag(dom.Node(n)) {
					case dom.Script, dom.Style, dom.Iframe, dom.Object, dom.Embed, dom.Form, dom.Link, dom.Base:
						t.Fatalf("<%s> on the clean page", again.Name(dom.Node(n)))
					}
				}
			}
		}
	})
}

// BenchmarkShare reports what the parts cost as a share of parsing the same
// pages, page by page in turn, so that noise hits all: x-parse.
func BenchmarkShare(b *testing.B) {
	pages := corpusPages(b)
	ctx := context.Background()
	support := NewSupport()
	for _, p := range pages[:min(len(pages), 20)] {
		if d, err := dom.Parse(ctx, p, dom.Options{Charset: "utf-8"}); err == nil {
			support.Add(d)
		}
	}
	m := New(Default())
	for _, part := range []struct {
		name string
		run  func(*dom.Document, *method.Site)
	}{
		{"Keys", func(d *dom.Document, _ *method.Site) { Keys(d) }},
		{"Site", func(d *dom.Document, _ *method.Site) { m.Site(support, d) }},
		{"Select", func(d *dom.Document, s *method.Site) { _, _ = m.Select(ctx, &method.Page{Doc: d, Site: s}) }},
	} {
		b.Run(part.name, func(b *testing.B) {
			var parsing, running time.Duration
			b.ReportAllocs()
			for b.Loop() {
				for _, p := range pages {
					start := time.Now()
					d, err := dom.Parse(ctx, p, dom.Options{Charset: "utf-8"})
					parsing += time.Since(start)
					if err != nil {
						b.Fatal(err)
					}
					site := &method.Site{}
					if part.name == "Select" {
						site = m.Site(support, d)
					}
					start = time.Now()
					part.run(d, site)
					running += time.Since(start)
				}
			}
			b.ReportMetric(float64(running)/float64(parsing), "x-parse")
			b.ReportMetric(float64(running.Microseconds())/float64(b.N*len(pages)), "µs/page")
		})
	}
}

func corpusPages(b *testing.B) (pages [][]byte) {
	const most = 200
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "corpora", "wcxb", "pages", "*.html.gz"))
	if len(files) == 0 {
		b.Skip("no corpora beside the repository: nothing to measure on real pages")
	}
	for i := 0; i < len(files); i += 1 + len(files)/most {
		f, err := os.Open(files[i])
		if err != nil {
			b.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			b.Fatal(err)
		}
		page, err := io.ReadAll(z)
		f.Close()
		if err != nil {
			b.Fatal(err)
		}
		pages = append(pages, page)
	}
	return pages
}
