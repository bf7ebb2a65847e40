package site_test

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/methods/blend"
	"github.com/lede-news/lede/internal/story/metadata"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

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

// storyOf returns the i-th story of the newsroom.
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

// observe extracts a page and returns its observation.
func observe(t testing.TB, html []byte, url string) *site.Observation {
	t.Helper()
	d, sel, a := extract(t, html, url)
	return site.NewFingerprint(d).Observe(url, sel, a)
}

// extract does what lede does with a page, as far as a profile is concerned.
func extract(tb testing.TB, page []byte, url string) (*dom.Document, *method.Selection, *article.Article) {
	tb.Helper()
	d, err := dom.Parse(context.Background(), page, dom.Options{Charset: "utf-8"})
	if err != nil {
		tb.Fatal(err)
	}
	sel, err := blend.New(blend.Config{}).Select(context.Background(), &method.Page{Doc: d, URL: url})
	if err != nil {
		return d, nil, nil
	}
	f := metadata.Read(d, metadata.Options{URL: url, Title: sel.Title, Body: sel.Keep[0]})
	return d, sel, &article.Article{Title: f.Title, Type: sel.Type, Confidence: sel.Confidence}
}

// match finds on a page what a profile knows.
func match(p *site.Profile, d *dom.Document) *method.Site { return p.Match(site.NewFingerprint(d)) }

// learn adds the stories from..to-1 in a design.
func learn(t testing.TB, p *site.Profile, design string, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		url := fmt.Sprintf("https://marrow.example/%s/%d", design, i)
		p.Add(observe(t, page(t, design, storyOf(i)), url))
	}
}

func learned(t testing.TB, design string, pages int) *site.Profile {
	t.Helper()
	p := site.New("marrow.example")
	learn(t, p, design, 0, pages)
	return p
}

// marked returns the text of the marked nodes.
func marked(d *dom.Document, marks []bool) string {
	var b strings.Builder
	for n, m := range marks {
		if m && d.IsText(dom.Node(n)) {
			b.WriteString(d.Text(dom.Node(n)) + "\n")
		}
	}
	return b.String()
}

// confident returns the observation of a page with a confident extraction.
func confident(d *dom.Document, sel *method.Selection) *site.Observation {
	return site.NewFingerprint(d).Observe("", sel, &article.Article{Title: "A", Type: article.TypeArticle, Confidence: 1})
}

func TestFingerprintURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, html, want string }{
		{"canonical link", `<link rel="stylesheet" href="https://cdn.example/a.css"><link rel="Canonical" href=" https://pier.example/gulls ">`, "https://pier.example/gulls"},
		{"canonical link first", `<meta property="og:url" content="https://quay.example/gulls"><link rel="canonical" href="https://pier.example/gulls">`, "https://pier.example/gulls"},
		{"OpenGraph", `<link rel="canonical" href="/gulls"><meta property="og:url" content="http://pier.example:8080/gulls">`, "http://pier.example:8080/gulls"},
		{"none", `<p>Gulls</p>`, ""},
		{"other schemes", `<link rel="canonical" href="file:///gulls.html"><meta property="og:url" content="javascript:alert(1)">`, ""},
	} {
		if got := site.NewFingerprint(parse(t, []byte(c.html))).URL(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
