package frame

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/lede-news/lede/dom"
)

func parse(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func framed(t *testing.T, d *dom.Document) (string, *goquery.Document) {
	t.Helper()
	page, err := Page(d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(string(page)))
	if err != nil {
		t.Fatal(err)
	}
	return string(page), doc
}

// TestPageIsSafe checks that nothing in the frame of a hostile page has an effect.
func TestPageIsSafe(t *testing.T) {
	d := parse(t, readFile(t, "../../lab/label/testdata/pages/hostile.html"))
	page, doc := framed(t, d)
	for _, css := range []string{
		"script", "meta", "base", "link", "noscript", "template", "param", "[srcdoc]", "iframe[src]", "object[data]", "embed[src]", "video[src]", "video[poster]",
		"[action]", "[formaction]", "[autofocus]", "[autoplay]", "[target]", "[ping]", "[accesskey]", "[srcset]", "svg [href]",
	} {
		if s := doc.Find(css); s.Length() > 0 {
			html, _ := goquery.OuterHtml(s)
			t.Errorf("%s is there: %s", css, html)
		}
	}
	doc.Find("*").Each(func(_ int, s *goquery.Selection) {
		for _, a := range s.Get(0).Attr {
			if strings.HasPrefix(a.Key, "on") || strings.Contains(strings.ToLower(a.Val), "javascript:") || strings.Contains(a.Val, "elsewhere") {
				t.Errorf("<%s %s=%q>", goquery.NodeName(s), a.Key, a.Val)
			}
		}
	})
	doc.Find("a:not(svg a)").Each(func(_ int, s *goquery.Selection) {
		if s.AttrOr("href", "") != "#" {
			t.Errorf("a link to %q", s.AttrOr("href", ""))
		}
	})
	doc.Find("img").Each(func(_ int, s *goquery.Selection) {
		if s.AttrOr("src", "") != blank {
			t.Errorf("a picture from %q", s.AttrOr("src", ""))
		}
	})
	if strings.Contains(page, "acted = 'on") || strings.Contains(page, "Only without scripts") {
		t.Error(page)
	}
	if got := doc.Find("h1").AttrOr("data-n", ""); got != fmt.Sprint(d.First(dom.H1)) {
		t.Errorf("the page numbers itself: %s", got)
	}
}

// TestShowsHidden checks that an article behind a consent dialog, which lede
// extracts, is visible without scripts.
func TestShowsHidden(t *testing.T) {
	story := "<p>" + strings.Repeat("A sentence of a story that is hidden until a script shows it, which is long. ", 20)
	for _, hidden := range []string{`hidden`, `aria-hidden="true"`, `style="color:red; display: none"`} {
		d := parse(t, `<body><div id=page `+hidden+`>`+story+`</div><div>We value your privacy.</div>`)
		_, doc := framed(t, d)
		s := doc.Find("#page")
		_, is := s.Attr("hidden")
		if style := s.AttrOr("style", ""); is || strings.Contains(style, "none") && !strings.Contains(style, "display:block!important") {
			t.Errorf("%s: still hidden: %q", hidden, style)
		}
	}
}

func TestOddPages(t *testing.T) {
	for _, page := range []string{
		"x", "<frameset><frame src=a></frameset>", "<plaintext>a<b>c", "<xmp><b></xmp>", "<table><tr><td><table><p>x", "<svg><foreignObject><p>x", "<select><option>a",
		"<textarea></textarea><textarea><b>", "<math><mi>x", strings.Repeat("<div>", 600) + "deep", strings.Repeat("<b><p>", 400) + "x",
	} {
		d := parse(t, page)
		if _, err := Page(d, Options{}); err != nil {
			t.Errorf("%.40q: %v", page, err)
		}
	}
}
