package site_test

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

var update = flag.Bool("update", false, "record the golden files anew")

func TestDescribe(t *testing.T) {
	p := learned(t, daily, 10)
	learn(t, p, video, 20, 24)
	learn(t, p, redesign, 40, 41)
	var b bytes.Buffer
	if err := p.Describe(&b); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/describe.txt"
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
	b.Reset()
	if err := site.New("new.example").Describe(&b); err != nil || b.String() != "new.example: 0 pages read\n" {
		t.Errorf("of a new site it says %q, %v", b.String(), err)
	}
}

func TestCorrect(t *testing.T) {
	p := learned(t, daily, 10)
	st := storyOf(50)
	d := parse(t, page(t, daily, st))
	s := p.Read(d)
	class := func(tag dom.Tag, name string) dom.Node {
		for n := range d.All(d.Root(), tag) {
			if d.HasClass(n, name) {
				return n
			}
		}
		t.Fatalf("no %v.%s on the page", tag, name)
		return dom.None
	}
	title := d.First(dom.H1)
	tests := map[string][]dom.Node{
		"all of the page": {d.First(dom.Body)},
		"the article":     {class(dom.Article, "story")},
		"the tail only":   {class(dom.Aside, "related")},
		"the menu":        {class(dom.Ul, "menu")},
		"nothing":         nil,
	}
	for name, keep := range tests {
		t.Run(name, func(t *testing.T) {
			sel := &method.Selection{Title: title, Keep: keep}
			text := site.Correct(d, sel, s).Text(d)
			for _, want := range st.Paragraphs {
				if !strings.Contains(text, want) {
					t.Errorf("%.40q is lost", want)
				}
			}
			for _, not := range []string{"Town and county", "Follow the Marrow", "Read more", st.Related[1], "All rights"} {
				if strings.Contains(text, not) {
					t.Errorf("%q is still there", not)
				}
			}
			if len(sel.Keep) != len(keep) || sel.Drop != nil {
				t.Error("the selection itself was changed")
			}
		})
	}
	sel := &method.Selection{Title: dom.None, Keep: []dom.Node{d.First(dom.Main)}}
	if site.Correct(d, sel, nil) != sel {
		t.Error("a selection is changed though nothing is known")
	}
	got := site.Correct(d, &method.Selection{Title: dom.None, Keep: []dom.Node{class(dom.Ul, "menu")}}, s)
	if got.Title != title {
		t.Errorf("the headline is node %d, want %d", got.Title, title)
	}
	if len(got.Reasons) == 0 {
		t.Error("no reason is given")
	}
}

func TestNameOf(t *testing.T) {
	tests := map[string]string{
		"https://www.Marrow.example/a?b":  "marrow.example",
		"http://marrow.example:80/":       "marrow.example",
		"https://marrow.example:443/":     "marrow.example",
		"http://marrow.example:8080/x":    "marrow.example:8080",
		"https://news.marrow.example.":    "news.marrow.example",
		"http://www.example":              "www.example",
		"http://[::1]/":                   "[::1]",
		"http://[::1]:81/":                "[::1]:81",
		" https://marrow.example ":        "marrow.example",
		"ftp://marrow.example/":           "",
		"marrow.example":                  "",
		"mailto:desk@marrow.example":      "",
		"https://":                        "",
		"http://%zz/":                     "",
		"":                                "",
		"file:///home/desk/page.html":     "",
		"https://user:pw@www.marrow.test": "marrow.test",
	}
	for in, want := range tests {
		if got := site.NameOf(in); got != want {
			t.Errorf("NameOf(%q) = %q, want %q", in, got, want)
		}
	}
}
