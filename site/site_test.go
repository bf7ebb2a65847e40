package site_test

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/newsroom"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

func TestPageSite(t *testing.T) {
	for _, c := range []struct{ name, address, html, want string }{
		{"by its address", "https://www.quay.example/gulls", `<link rel="canonical" href="https://pier.example/gulls">`, "quay.example"},
		{"by its canonical link", "", `<link rel="stylesheet" href="https://cdn.example/a.css"><link rel="Canonical" href="https://pier.example/gulls">`, "pier.example"},
		{"by OpenGraph", "gulls.html", `<link rel="canonical" href="/gulls"><meta property="og:url" content="http://pier.example:8080/gulls">`, "pier.example:8080"},
		{"nobody says", "", `<p>Gulls</p>`, ""},
		{"a strange address", "file:///gulls.html", `<meta property="og:url" content="javascript:alert(1)">`, ""},
	} {
		d, err := dom.Parse(context.Background(), []byte(c.html), dom.Options{Charset: "utf-8"})
		if err != nil {
			t.Fatal(err)
		}
		if got := site.NewPage(d).Site(c.address); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// The designs of testdata.
const (
	daily    = "daily.tmpl"
	redesign = "redesign.tmpl"
	video    = "video.tmpl"
)

type story struct {
	Headline            string
	Paragraphs, Related []string
}

// storyOf is the i-th story; its words are the newsroom's.
func storyOf(i int) story {
	s := newsroom.New(1).Sites()[0]
	g := s.Page(i).Gold
	st := story{Headline: g.Title}
	for line := range strings.Lines(g.Text) {
		if line = strings.TrimSpace(line); len(line) > 80 {
			st.Paragraphs = append(st.Paragraphs, line)
		}
	}
	for k := range 3 {
		st.Related = append(st.Related, s.Page(100+3*i+k).Gold.Title)
	}
	return st
}

func page(t testing.TB, design string, st story) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := template.Must(template.ParseFiles("testdata/"+design)).Execute(&b, st); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func parse(t testing.TB, page []byte) *dom.Document {
	t.Helper()
	d, err := dom.Parse(context.Background(), page, dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// observe extracts a page and says what it adds.
func observe(t testing.TB, html []byte, url string) *site.Observation {
	t.Helper()
	d, x := extract(t, html, url)
	return site.Observe(d, x)
}

// learn adds the stories from..to-1 in a design.
func learn(t testing.TB, p *site.Profile, design string, from, to int) (events []site.Event) {
	t.Helper()
	for i := from; i < to; i++ {
		url := fmt.Sprintf("https://marrow.example/%s/%d", design, i)
		events = append(events, p.Add(observe(t, page(t, design, storyOf(i)), url)))
	}
	return events
}

func learned(t testing.TB, design string, pages int) *site.Profile {
	t.Helper()
	p := site.New("marrow.example")
	learn(t, p, design, 0, pages)
	return p
}

// marked is the text of the nodes that are marked.
func marked(d *dom.Document, marks []bool) string {
	var b strings.Builder
	for n, m := range marks {
		if m && d.IsText(dom.Node(n)) {
			b.WriteString(d.Text(dom.Node(n)) + "\n")
		}
	}
	return b.String()
}

// confident makes an extraction of a selection.
func confident(sel *method.Selection) *site.Extraction {
	return &site.Extraction{Selection: sel, Article: &article.Article{
		Title: "A", Authors: []article.Author{{Name: "B"}}, Lead: &article.Image{URL: "/pic.jpg"},
		Published: article.Date{Time: time.Date(2024, 5, 14, 0, 0, 0, 0, time.UTC)},
		Type:      article.TypeArticle, Confidence: 1,
	}}
}
