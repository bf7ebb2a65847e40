package render

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/methodtest"
)

const page = `<html lang="en"><head><title>Lighthouse sold | The Quay Courier</title>
<meta property="og:site_name" content="The Quay Courier"><meta name="keywords" content="harbour, coast">
<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Lighthouse sold", "datePublished": "2026-03-02",
"author": {"@type": "Person", "name": "Ann Quay"}, "image": "https://quay.example/light.jpg"}</script></head>
<body><nav><a href="/">Home</a> <a href="/sport">Sport</a></nav><article><h1>Lighthouse sold</h1><p>By Ann Quay</p>
<p>The lighthouse at Saltmarsh End was sold on Monday for one crown, the council said, after nobody had offered two.</p>
<p>Its buyer, a painter, has promised to paint it, to keep the lamp lit and to let the walkers in on the first Sunday.</p>
<p hidden>A secret.</p></article><footer>The Quay Courier, Corn Street.</footer></body></html>`

func explanation(t *testing.T, html string, opts ...lede.Option) *lede.Explanation {
	t.Helper()
	e, err := lede.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	x, err := e.Explain(context.Background(), strings.NewReader(html), lede.WithURL("https://quay.example/2026/light"))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestText(t *testing.T) {
	var b strings.Builder
	if err := explainText(&b, "-", "A link to it", explanation(t, page)); err != nil {
		t.Fatal(err)
	}
	head, blocks, _ := strings.Cut(b.String(), "\n\n")
	for _, want := range []string{
		"standard input\n", "\nmethod      blend\n", "\ntitle       Lighthouse sold  (from the page)\n",
		"\nauthors     Ann Quay  (from JSON-LD, and the page shows it)\n", "\npublished   2026-03-02  (from JSON-LD)\n",
		"\nsite        The Quay Courier  (from OpenGraph)\n", "\nlanguage    en  (from the page)\n", "\ntags        harbour, coast  (from meta)\n",
		"\npicture     https://quay.example/light.jpg  (from JSON-LD)\n", "\nlink text   A link to it\n", " kept, ", " hidden from readers",
	} {
		if !strings.Contains(head+"\n", want) {
			t.Errorf("no %q in:\n%s", want, head)
		}
	}
	for _, want := range []string{"\nkept ", "dropped ", "title ", "hidden ", "— the headline\n", "— not shown to readers\n", " %: "} {
		if !strings.Contains("\n"+blocks, want) {
			t.Errorf("no %q in:\n%s", want, blocks)
		}
	}
}

func TestTextNotFound(t *testing.T) {
	var b strings.Builder
	x := explanation(t, `<p>The lighthouse at Saltmarsh End was sold on Monday for one crown, the council said, after nobody had offered two.</p>`)
	if err := explainText(&b, "page.html", "", x); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nauthors     not found\n", "\npublished   not found\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in:\n%s", want, b.String())
		}
	}
}

func TestJSON(t *testing.T) {
	for _, indent := range []bool{false, true} {
		var b strings.Builder
		if err := explainJSON(&b, "page.html", "", explanation(t, page), indent); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(b.String(), "\n"); lines > 1 != indent {
			t.Errorf("indent is %v, and there are %d lines", indent, lines)
		}
		var got struct {
			Input      string
			Article    struct{ Title string }
			Sources    map[string]string
			Facts      []fact
			Characters characters
			Decisions  []decision
		}
		if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
			t.Fatal(err)
		}
		if got.Input != "page.html" || got.Article.Title != "Lighthouse sold" || got.Sources["authors"] != "json-ld" || got.Characters.Kept == 0 || len(got.Decisions) == 0 {
			t.Errorf("explanation %+v", got)
		}
		facts := map[string]fact{}
		for _, f := range got.Facts {
			facts[f.Name] = f
			if f.Value == "" || f.From == "" {
				t.Errorf("fact %+v", f)
			}
		}
		if f := facts["authors"]; f.Value != "Ann Quay" || f.Source != "json-ld" || f.From != "JSON-LD" || f.Block == nil || got.Decisions[*f.Block].Text != "By Ann Quay" {
			t.Errorf("authors: %+v", f)
		}
		if f := facts["title"]; f.Block == nil || got.Decisions[*f.Block].Role != "title" {
			t.Errorf("title: %+v", f)
		}
		if f := facts["lead"]; f.From != "JSON-LD" || f.Block != nil {
			t.Errorf("lead: %+v", f)
		}
		for _, v := range got.Decisions {
			methodtest.CheckWords(t, v.Why)
		}
	}
}
