package wrapper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/method"
)

var _ method.Method = (*Wrapper)(nil)

func choose(t testing.TB, c Config, d *dom.Document, l *method.Layout) *method.Selection {
	t.Helper()
	s, err := New(c).Select(context.Background(), &method.Page{Doc: d, Layout: l})
	if err != nil {
		t.Fatal(err)
	}
	methodtest.Check(t, d, s)
	return s
}

const sentence = "The old mill at the river opens its doors again on Saturday, and visitors can watch the wheel turn. "

// story is a page with an article and the usual boilerplate.
var story = `<title>Old mill opens its doors | The Weir Gazette</title>
<body at="0 0 1000 2400">
<ul id=menu at="0 0 1000 40"><li at="0 0 90 40"><a href=/>Home</a><li at="100 0 90 40"><a href=/sport>Sport</a></ul>
<div id=section at="50 60 600 40" font=30>Local</div>
<h1 id=headline at="50 110 600 50" font=30>Old mill opens its doors</h1>
<div id=body at="50 180 600 900">
	<div id=share class="share-bar" at="50 180 600 20"><a href=/x>Share</a> this</div>
	` + strings.Repeat(`<p at="50 210 600 100">`+sentence+`</p>`, 8) + `
	<div id=also at="50 1000 600 50"><a href=/1>A heron was seen at the lock</a> <a href=/2>The ferry runs again</a></div>
</div>
<div id=side at="700 180 250 600"><p at="700 180 250 20">Most read</p><a href=/3>Bridge closed for repairs</a></div>
<div id=comments at="50 1200 600 900">` + strings.Repeat(`<p at="50 1200 600 60">`+sentence+`</p>`, 4) + `</div>`

func TestSelect(t *testing.T) {
	d, l := lay(t, story)
	s := choose(t, Default(), d, l)
	if len(s.Keep) != 1 || s.Keep[0] != byID(t, d, "body") {
		t.Fatalf("kept %s", ids(d, s.Keep))
	}
	if s.Title != byID(t, d, "headline") {
		t.Errorf("the title is %s", ids(d, []dom.Node{s.Title}))
	}
	if got := ids(d, s.Drop); got != "share also" {
		t.Errorf("dropped %s", got)
	}
	if s.Type != article.TypeArticle || s.Confidence < 0.5 {
		t.Errorf("a %s, confidence %.3f", s.Type, s.Confidence)
	}
}

func TestReasons(t *testing.T) {
	d, l := lay(t, story)
	var body, title, share bool
	for _, r := range choose(t, Default(), d, l).Reasons {
		methodtest.CheckWords(t, r.Why)
		switch d.Attr(r.Node, "id") {
		case "body":
			body = strings.Contains(r.Why, " %, the body of the story: ") && strings.Contains(r.Why, "sentences")
		case "headline":
			title = strings.Contains(r.Why, " %, the headline: ") && strings.Contains(r.Why, "letters")
		case "share":
			share = r.Why == "in a box named “share”"
		}
	}
	if !body || !title || !share {
		t.Errorf("body %v, title %v, share %v", body, title, share)
	}
}

// TestPaper checks that the preset of the paper drops nothing from the body.
func TestPaper(t *testing.T) {
	d, l := lay(t, story)
	c := Paper()
	if New(c).Name() != "wrapper:paper" || New(Default()).Name() != "wrapper" {
		t.Error("wrong names")
	}
	if s := choose(t, c, d, l); s.Keep[0] != byID(t, d, "body") || len(s.Drop) > 0 {
		t.Errorf("kept %s, dropped %s", ids(d, s.Keep), ids(d, s.Drop))
	}
	// Every page is an article.
	links, _ := lay(t, `<body>`+strings.Repeat(`<p><a href=/x>Somewhere else</a></p>`, 40))
	if s := choose(t, c, links, nil); s.Type != article.TypeArticle {
		t.Errorf("a page of links is %s", s.Type)
	}
}

// TestTitleInside checks that the title inside a body is dropped from it, with what
// is before it.
func TestTitleInside(t *testing.T) {
	d, l := lay(t, `<title>Old mill opens its doors</title><body at="0 0 1000 2000"><article id=body at="50 60 600 1900">
		<div id=crumb at="50 60 600 20">News and more</div><h1 id=headline at="50 90 600 50" font=30>Old mill opens its doors</h1>`+
		strings.Repeat(`<p at="50 210 600 100">`+sentence+`</p>`, 8)+`</article>`)
	s := choose(t, Default(), d, l)
	if s.Keep[0] != byID(t, d, "body") || ids(d, s.Drop) != "crumb headline" {
		t.Errorf("kept %s, dropped %s, title %s", ids(d, s.Keep), ids(d, s.Drop), ids(d, []dom.Node{s.Title}))
	}
}

// TestScroll finds a body below screens of menus, but not with the settings of the
// paper.
func TestScroll(t *testing.T) {
	page := `<title>Old mill opens its doors</title><body at="0 0 1000 9000"><ul at="0 0 1000 3000">` +
		strings.Repeat(`<li at="0 0 1000 20"><a href=/x>Somewhere else</a>`, 50) + `</ul><h1 id=headline at="50 3110 600 50" font=30>Old mill opens its doors</h1>
		<div id=body at="50 3180 600 900">` + strings.Repeat(`<p at="50 3210 600 100">`+sentence+`</p>`, 8) + `</div>`
	d, l := lay(t, page)
	s := choose(t, Default(), d, l)
	if s.Keep[0] != byID(t, d, "body") || s.Title != byID(t, d, "headline") {
		t.Errorf("kept %s, title %d", ids(d, s.Keep), s.Title)
	}
	c := Default()
	c.Scroll = false
	if s := choose(t, c, d, l); s.Keep[0] == byID(t, d, "body") {
		t.Error("the body is not in the first screen")
	}
}

// TestEstimate selects without a layout, in several languages.
func TestEstimate(t *testing.T) {
	for name, page := range map[string]string{
		"en": strings.Repeat("<p>"+sentence+"</p>", 6),
		"zh": strings.Repeat("<p>河边的老磨坊周六重新开放，游客可以观看水轮转动，还能购买面粉。市长说，修缮花了三年时间。</p>", 6),
		"ja": strings.Repeat("川辺の古い水車小屋が土曜日に再び開く。訪れた人は水車が回るのを見て、粉を買うことができる。<br><br>", 6),
	} {
		d, _ := lay(t, `<title>Mill</title><body><ul><li><a href=/>Home</a><li><a href=/sport>Sport</a></ul><h1>Mill 磨坊</h1><div id=body>`+page+`</div>`)
		for _, l := range []*method.Layout{nil, {}, {Boxes: make([]method.Box, 3)}} { // none, and those of other pages
			s := choose(t, Default(), d, l)
			if s.Keep[0] != byID(t, d, "body") || d.Text(s.Title) != "Mill 磨坊" {
				t.Errorf("%s: kept %s, title %d", name, ids(d, s.Keep), s.Title)
			}
		}
	}
}

func TestClean(t *testing.T) {
	text := "<p>" + sentence + "</p>"
	for _, x := range []struct{ name, page, want string }{
		{"elements", text + text + `<aside>Also</aside><nav>a</nav><form>b</form><footer>c</footer>`, "aside nav form footer"},
		{"names", text + text + `<div id=a class="c-related_box">Also</div><div id=shareBar>x</div><div id=b class=shared>y</div>`, "a shareBar"},
		{"links", text + text + `<p id=a><a href=x>Read all about it</a></p><p id=b>Said <a href=x>Ann</a> of the old mill.</p>`, "a"},
		{"not half of the words", `<div id=a class=sidebar>` + text + text + `</div>` + text, ""},
		{"nor together", `<div class=ad>` + text + `</div><div class=ad>` + text + `</div><p>A few words</p>`, ""},
		{"no words in a line", text + text + `<p id=a>By <span class=author>Ann</span> of the mill</p>`, ""},
	} {
		d, _ := lay(t, `<body id=body>`+x.page)
		var s method.Selection
		clean(d, byID(t, d, "body"), dom.None, &s)
		if got := ids(d, s.Drop); got != x.want {
			t.Errorf("%s: dropped %q, want %q", x.name, got, x.want)
		}
	}
}

func TestPageType(t *testing.T) {
	links := `<body at="0 0 1000 900">` + strings.Repeat(`<div at="0 0 500 100"><a href=x>Old mill opens</a></div>`, 30)
	d, l := lay(t, links)
	if s := choose(t, Default(), d, l); s.Type != article.TypeIndex {
		t.Errorf("a page of links is a %s", s.Type)
	}
	d, l = lay(t, `<body at="0 0 1000 900"><div at="0 0 500 100">Log in</div>`)
	if s := choose(t, Default(), d, l); s.Type != article.TypeOther {
		t.Errorf("a page without a story is a %s", s.Type)
	}
}

func TestNoContent(t *testing.T) {
	for name, page := range map[string]string{
		"nothing":   `<html>`,
		"no boxes":  `<body><p>` + sentence,
		"no words":  `<body at="0 0 1000 900"><div at="0 0 500 500"><img src=x></div> — `,
		"too small": `<body at="0 0 10 10"><p at="0 0 9 9">` + sentence,
		"hidden":    `<body at="0 0 1000 900"><p hidden at="0 0 500 500">` + sentence,
		"nonsense":  `<body at="NaN NaN NaN NaN"><p at="-Inf -Inf Inf Inf">` + sentence,
	} {
		d, l := lay(t, page)
		if s, err := New(Default()).Select(context.Background(), &method.Page{Doc: d, Layout: l}); !errors.Is(err, method.ErrNoContent) {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

// TestHuge checks that absurd sizes are clipped, and absurd screens ignored.
func TestHuge(t *testing.T) {
	d, l := lay(t, `<body at="0 0 1e300 1e300"><div id=body at="0 1e9 1e12 1e300">`+
		strings.Repeat(`<p at="0 1e9 1e12 1e12" font=1e300>`+sentence+`</p>`, 6)+`</div>`)
	choose(t, Default(), d, l)
	l.Screen = method.Screen{Width: 1e-9, Height: -5}
	choose(t, Default(), d, l)
	deep, _ := lay(t, strings.Repeat("<div>", 2000)+sentence+strings.Repeat("</div><p>x", 2000))
	if _, err := New(Default()).Select(context.Background(), &method.Page{Doc: deep}); err != nil && !errors.Is(err, method.ErrNoContent) {
		t.Error(err)
	}
}

func TestModels(t *testing.T) {
	for name, m := range map[string]*Model{"model.json": mustDecode(embeddedJSON), "paper.json": mustDecode(paperJSON)} {
		if err := m.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if m.Card.About == "" || len(m.Card.Pages) == 0 {
			t.Errorf("%s: empty card: %+v", name, m.Card)
		}
	}
	for _, f := range slices.Concat(mustDecode(paperJSON).Body.Features, mustDecode(paperJSON).Title.Features) {
		for _, own := range slices.Concat(BodyFeatures(), TitleFeatures()) {
			if own.Own && own.Name == f {
				t.Errorf("%s is not in the paper", f)
			}
		}
	}
	if size := len(embeddedJSON) + len(paperJSON); size > 200<<10 {
		t.Errorf("%d bytes of models", size)
	}
	again := new(Model)
	if data, err := json.Marshal(mustDecode(embeddedJSON)); err != nil || json.Unmarshal(data, again) != nil {
		t.Error("a model cannot be encoded and decoded: ", err)
	}
	for name, data := range map[string]string{
		"empty": `{}`, "no JSON": `{`, "half": fmt.Sprintf(`{"body": %s}`, marshal(t, mustDecode(embeddedJSON).Body)),
		"swapped": fmt.Sprintf(`{"body": %s, "title": %s}`, marshal(t, mustDecode(embeddedJSON).Title), marshal(t, mustDecode(embeddedJSON).Body)),
	} {
		m := new(Model)
		if err := m.UnmarshalJSON([]byte(data)); !errors.Is(err, ErrModel) {
			t.Errorf("%s: %v", name, err)
		}
		d, l := lay(t, story)
		if _, err := New(Config{Model: m}).Select(context.Background(), &method.Page{Doc: d, Layout: l}); !errors.Is(err, ErrModel) {
			t.Errorf("%s: Select: error %v, want ErrModel", name, err)
		}
	}
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// FuzzSelect checks the selections of arbitrary pages and layouts.
func FuzzSelect(f *testing.F) {
	f.Add([]byte(story), 10.0, 20.0, 300.0, 40.0)
	f.Add([]byte(`<b>x<p>y<a href=a>z<table>w<form><td>v</b><i>u<a href=b>t`), 0.0, 1e9, 1e300, 1e300)
	f.Add([]byte(`<a href=#><h1>1<div><br>2<pre>3<nav>4<frameset>`), -5.0, -1e9, 0.0, 2000.0)
	f.Fuzz(func(t *testing.T, page []byte, x, y, w, h float64) {
		d, err := dom.Parse(context.Background(), page, dom.Options{})
		if err != nil {
			t.Skip("not a page: ", err)
		}
		made := &method.Layout{Screen: method.Screen{Width: w, Height: h}, Boxes: make([]method.Box, d.Len()), Fonts: make([]method.Font, d.Len())}
		for n := range made.Boxes {
			k := float64(n)
			made.Boxes[n] = method.Box{X: x * k, Y: y * k, W: w + k, H: h - k}
			made.Fonts[n].Size = x - k
		}
		for _, c := range []Config{Default(), Paper(), {}} {
			for _, l := range []*method.Layout{nil, made} {
				s, err := New(c).Select(context.Background(), &method.Page{Doc: d, Layout: l})
				if err == nil {
					methodtest.Check(t, d, s)
				} else if !errors.Is(err, method.ErrNoContent) {
					t.Fatal(err)
				}
			}
		}
	})
}

func TestContext(t *testing.T) {
	d, l := lay(t, story)
	methodtest.TestContext(t, New(Default()), &method.Page{Doc: d, Layout: l})
}

// TestNewIsCheap checks that New does not decode the models, and that each is
// decoded once for all.
func TestNewIsCheap(t *testing.T) {
	for _, c := range []Config{Default(), Paper()} {
		const maxAllocs = 5
		if n := testing.AllocsPerRun(10, func() { New(c) }); n > maxAllocs {
			t.Errorf("New allocates %v times, want at most %d", n, maxAllocs)
		}
		a, _ := New(c).classifiers()
		b, _ := New(c).classifiers()
		if a != b {
			t.Error("two methods have two models")
		}
	}
}
