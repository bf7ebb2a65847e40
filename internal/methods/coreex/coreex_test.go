package coreex

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/method"
)

var _ method.Method = (*CoreEx)(nil)

func choose(t testing.TB, c Config, d *dom.Document) *method.Selection {
	t.Helper()
	s, err := New(c).Select(context.Background(), &method.Page{Doc: d})
	if err != nil {
		t.Fatal(err)
	}
	methodtest.Check(t, d, s)
	return s
}

func TestNames(t *testing.T) {
	for name, c := range map[string]Config{"coreex": Default(), "coreex:paper": Paper(), "coreex:r1": Row(1), "coreex:r6": Row(6)} {
		if got := New(c).Name(); got != name {
			t.Errorf("%s has the name %s", name, got)
		}
	}
}

// TestSubset is Figure 7: a set of text nodes with advertisements between.
func TestSubset(t *testing.T) {
	d := load(t, "figure7.html")
	c := Default()
	got := choose(t, c, d).Text(d)
	for _, want := range []string{"The ferry", "The first boat", "A second boat"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	if strings.Contains(got, "Cheap") || strings.Contains(got, "car") {
		t.Errorf("advertisements in %q", got)
	}
	c.Steps = subsetSelection - 1
	if s := choose(t, c, d); len(s.Keep) != 1 || !d.IsText(s.Keep[0]) || !strings.HasPrefix(d.Text(s.Keep[0]), "The ferry") {
		t.Errorf("without subset selection, got %q", s.Text(d))
	}
	c.Steps, c.Threshold = removeScripts, 1
	if s, err := New(c).Select(context.Background(), &method.Page{Doc: d}); err != nil || len(s.Keep) != 1 {
		t.Errorf("no child exceeds 1, but got %v, %v", s, err)
	}
}

func TestWeights(t *testing.T) {
	d := load(t, "figure7.html")
	c := Config{WeightText: 1}
	if s := choose(t, c, d); d.Tag(s.Keep[0]) != dom.Body {
		t.Errorf("by text alone, got <%s>, want <body>", d.Name(s.Keep[0]))
	}
}

func TestForms(t *testing.T) {
	d := load(t, "sidebar-form.html")
	c := Default()
	got := choose(t, c, d).Text(d)
	if !strings.Contains(got, "old mill") || strings.Contains(got, "poll") || strings.Contains(got, "Register") {
		t.Errorf("forms ignored: %q", got)
	}
	c.Steps = subsetSelection
	if got := choose(t, c, d).Text(d); !strings.Contains(got, "Register") {
		t.Errorf("forms read: %q", got)
	}
}

// TestWholePageInForm is the failure of section 6.1.
func TestWholePageInForm(t *testing.T) {
	d := load(t, "form.html")
	c := Default()
	got := choose(t, c, d).Text(d)
	if !strings.Contains(got, "old mill") || !strings.Contains(got, "flour") {
		t.Errorf("the story is missing in %q", got)
	}
	if strings.Contains(got, "region") || strings.Contains(got, "editor") {
		t.Errorf("fields are still no content: %q", got)
	}
	c = Paper()
	if _, err := New(c).Select(context.Background(), &method.Page{Doc: d}); !errors.Is(err, method.ErrNoContent) {
		t.Errorf("as in the paper, the page has no content; got %v", err)
	}
}

func TestScripts(t *testing.T) {
	d := load(t, "script.html")
	c := Default()
	if got := choose(t, c, d).Text(d); !strings.Contains(got, "old mill") || !strings.Contains(got, "flour") {
		t.Errorf("got %q", got)
	}
}

// TestScriptWords: the words of a script are part of the text of the page, but not
// of its node.
func TestScriptWords(t *testing.T) {
	d := methodtest.Parse(t, `<div><p>one two</p><script>three four five</script></div><p>six <a href=x>x</a></p>`)
	with, without := Row(4), Row(5)
	a, b := newTree(d, &with), newTree(d, &without)
	div := d.First(dom.Div)
	if a.text[div] != 2 || b.text[div] != 2 {
		t.Errorf("<div> has %d and %d words, want 2", a.text[div], b.text[div])
	}
	for _, x := range []struct {
		t    *tree
		want float64
	}{{a, 0.99 + 0.01*2/7}, {b, 0.99 + 0.01*2/4}} {
		if got := x.t.score(div); math.Abs(got-x.want) > 1e-12 {
			t.Errorf("score %v, want %v", got, x.want)
		}
	}
}

func TestHeadline(t *testing.T) {
	const story = `<div><p>The mill at the river opens its doors again.</p><p>Visitors can buy flour there.</p></div>`
	// Enough text with a link in it that the whole page does not win.
	const more = `<p>One two three four five six seven eight nine ten eleven twelve. <a href=x>x</a></p>`
	for _, x := range []struct{ name, page, want string }{
		{"page title", `<title>Mill opens</title><h2>Weather</h2><h3>Mill opens</h3>` + more + story, "Mill opens"},
		{"page title and site", `<title>Flour for all at the old mill | Weir Gazette</title><h1>Weir Gazette</h1><div class=t>Flour for ` +
			`ALL at the “old mill”</div>` + more + story, "Flour for ALL at the “old mill”"},
		{"site before", `<title>Gazette - Mill opens its doors</title><h1>Mill opens its doors</h1><h2>Gazette</h2>` + more + story, "Mill opens its doors"},
		{"heading rather than crumb", `<title>Mill opens</title><p>Mill opens</p><h1>Mill opens</h1>` + more + story, "Mill opens"},
		{"nearest heading", `<h2>First</h2><h3>Nearest</h3>` + more + story + `<h2>After</h2>`, "Nearest"},
		{"main heading", `<h1><a href=/>Gazette</a></h1><h1>First</h1><h2>Nearest</h2>` + more + story + `<h1>After</h1>`, "First"},
		{"heading further up", `<div><h2>First</h2><i>Photo</i></div>` + more + story, "First"},
		{"no empty heading", `<h2>First</h2><h2></h2>` + more + story, "First"},
		{"in the set", more + `<div><h1>Mill opens</h1><p>The mill at the river opens its doors again.</p><p>Visitors can buy flour there.</p></div>`, "Mill opens"},
		{"not in the middle", more + `<div><p>The mill at the river opens its doors again.</p><h2>Flour</h2><p>Visitors can buy flour there.</p></div>`, ""},
		{"title of another script", `<title>老磨坊周六开放_河边日报</title><h1>老磨坊周六开放</h1>` + more + story, "老磨坊周六开放"},
		{"none", more + story, ""},
	} {
		if got := headline(t, Default(), x.page); got != x.want {
			t.Errorf("%s: got %q, want %q", x.name, got, x.want)
		}
	}
}

// TestPaperHeadline is section 6.1, "Article Title".
func TestPaperHeadline(t *testing.T) {
	const story = `<div><p>The mill at the river opens its doors again.</p><p>Visitors can buy flour there.</p></div>`
	const more = `<p>One two three four five six seven eight nine ten eleven twelve. <a href=x>x</a></p>`
	for _, x := range []struct{ name, page, want string }{
		{"previous sibling", `<h1>First</h1><h2>Nearest</h2>` + more + story + `<h2>After</h2>`, "Nearest"},
		{"not by <title>", `<title>Mill opens</title><h1>Mill opens</h1><h2>Weather</h2>` + more + story, "Weather"},
		{"not inside a sibling", `<div><h1>Mill opens</h1><p>x <a href=x>x</a></p></div>` + more + story, ""},
		{"in the set", more + `<div><p>The mill at the river opens its doors again.</p><h2>Flour</h2><p>Visitors can buy flour there.</p></div>`, "Flour"},
		{"text node", `<h2>Weather</h2><div>The mill at the river opens its doors again on Saturday morning at nine, the society says.` +
			`<p>A b c d e f g h i j k <a href=x>x</a></p></div>`, "Weather"},
	} {
		if got := headline(t, Paper(), x.page); got != x.want {
			t.Errorf("%s: got %q, want %q", x.name, got, x.want)
		}
	}
}

func headline(t *testing.T, c Config, page string) string {
	t.Helper()
	d := methodtest.Parse(t, page)
	s := choose(t, c, d)
	if s.Title == dom.None {
		return ""
	}
	return d.Text(s.Title)
}

// TestPictures: the paper has no pictures between chosen children.
func TestPictures(t *testing.T) {
	d := methodtest.Parse(t, `<div><p>one two</p><p><img src=a></p><p>three four</p><a href=x>x</a></div>`)
	for _, x := range []struct {
		c    Config
		want int
	}{{Default(), 3}, {Paper(), 2}} {
		if s := choose(t, x.c, d); len(s.Keep) != x.want {
			t.Errorf("%q keeps %d nodes, want %d", x.c.variant, len(s.Keep), x.want)
		}
	}
}

func TestPageType(t *testing.T) {
	for name, want := range map[string]article.PageType{
		"article.html": article.TypeArticle,
		"index.html":   article.TypeIndex,
		"figure3.html": article.TypeOther,
	} {
		if s := choose(t, Default(), load(t, name)); s.Type != want {
			t.Errorf("%s: got %s, want %s", name, s.Type, want)
		}
	}
	a, b := choose(t, Default(), load(t, "article.html")), choose(t, Default(), load(t, "index.html"))
	if a.Confidence < 0.9 || b.Confidence > 0.5 {
		t.Errorf("confidence of the article %.2f, of the index %.2f", a.Confidence, b.Confidence)
	}
}

func TestNoContent(t *testing.T) {
	for name, page := range map[string]string{
		"nothing":    `<html>`,
		"no words":   `<title>Mill opens</title><body><div><img src=x></div> — | —`,
		"links only": `<ul><li><a href=a>Local news</a> | <li><a href=b>Sport</a> | <li><a href=c><img src=x></a></ul>`,
		"hidden":     `<p hidden>one two three</p><a href=a>Local news</a>`,
		"fields":     `<select><option>one<option>two</select><a href=a>Local news</a>`,
	} {
		for p := 1; p <= 6; p++ {
			c := Row(p)
			if name == "fields" {
				c.Steps = max(c.Steps, ignoreForms)
			}
			d := methodtest.Parse(t, page)
			s, err := New(c).Select(context.Background(), &method.Page{Doc: d})
			switch onlyLinks := d.Words(d.Root()) > 0; {
			case onlyLinks && c.Steps < subsetSelection: // as in the paper, the node with the highest score, which is 0
				if err != nil || !slices.Equal(s.Keep, []dom.Node{d.First(dom.Body)}) {
					t.Errorf("%s, R%d: got %v, %v", name, p, s, err)
				}
			case !errors.Is(err, method.ErrNoContent):
				t.Errorf("%s, R%d: got %v", name, p, err)
			}
		}
	}
}

// TestLanguages checks that the method does not depend on the language.
func TestLanguages(t *testing.T) {
	files, _ := filepath.Glob("testdata/lang/*.html")
	if len(files) == 0 {
		t.Fatal("no pages")
	}
	for _, f := range files {
		d := load(t, filepath.Join("lang", filepath.Base(f)))
		story := dom.None
		for n := range d.All(0, dom.Div) {
			if d.Attr(n, "id") == "story" {
				story = n
			}
		}
		for _, p := range []int{2, 3, 5, 6} {
			s := choose(t, Row(p), d)
			if got, want := s.Text(d), d.Text(story); got != want {
				t.Errorf("%s, R%d: got %q, want %q", f, p, got, want)
			}
		}
	}
}

func TestReasons(t *testing.T) {
	d := load(t, "figure7.html")
	var got []string
	for _, r := range choose(t, Default(), d).Reasons {
		name := d.Name(r.Node)
		if id := d.Attr(r.Node, "id"); id != "" {
			name += "#" + id
		}
		mark := "-"
		if r.Kept {
			mark = "+"
		}
		got = append(got, mark+name+" "+r.Why)
		methodtest.CheckWords(t, r.Why)
	}
	want := []string{
		"-body less text, or more links, than the part that is kept",
		"-div#nav less text, or more links, than the part that is kept",
		"-div#main the part with most text for its links, of which only some is kept: 50 words, 0 links",
		"+#text enough text for its links: 19 words, 0 links",
		"-div too many links: 2 words, 2 links",
		"+#text enough text for its links: 17 words, 0 links",
		"-div too many links: 2 words, 1 link",
		"+#text enough text for its links: 14 words, 0 links",
		"-div#foot less text, or more links, than the part that is kept",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// FuzzSelect checks the selections of arbitrary pages and settings.
func FuzzSelect(f *testing.F) {
	for _, pattern := range []string{"testdata/*.html", "testdata/lang/*.html"} {
		files, _ := filepath.Glob(pattern)
		for _, name := range files {
			b, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b, uint8(len(b)))
		}
	}
	f.Add([]byte(`<b>x<p>y<a href=a>z<table>w<form><td>v</b><i>u<a href=b>t`), uint8(0xff))
	f.Fuzz(func(t *testing.T, page []byte, switches uint8) {
		d, err := dom.Parse(context.Background(), page, dom.Options{})
		if err != nil {
			t.Skip("not a page: ", err)
		}
		c := Default()
		c.WeightText = float64(switches&1) / 10
		c.Steps = int(switches/2) % 8
		c.own = switches&16 == 0
		s, err := New(c).Select(context.Background(), &method.Page{Doc: d})
		if err != nil {
			if !errors.Is(err, method.ErrNoContent) {
				t.Fatal(err)
			}
			return
		}
		methodtest.Check(t, d, s)
		if s.Text(d) == "" && len(s.Drop) == 0 {
			t.Error("a selection without text")
		}
	})
}

func TestContext(t *testing.T) {
	methodtest.TestContext(t, New(Default()), &method.Page{Doc: load(t, "article.html")})
}

func TestConcurrent(t *testing.T) {
	methodtest.TestConcurrent(t, New(Default()), &method.Page{Doc: load(t, "article.html")})
}
