package stadynot

import (
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methodtest"
	"github.com/lede-news/lede/internal/testkit"
	"github.com/lede-news/lede/method"
)

// TestClean checks that the clean page keeps the formatting of the page (sections
// 1 and 3.3 of the paper) and has no scripts.
func TestClean(t *testing.T) {
	d := methodtest.Parse(t, `<html lang="en" onload="x()"><title>A &amp; B</title><script>evil()</script><link rel=stylesheet href=x.css>
<body onclick="x()"><ul><li><a href="/1">Menu</a><li><a href="/2">More</a></ul>
<h1 style="font-size: 30px; background: url(x); position:fixed">A &lt;b&gt;</h1>
<p align=right class=x onclick="x()"><font size=5 color=red>`+lorem+`</font><b>Bold</b>,<i>italic</i> H<sub>2</sub>O <a href="javascript:x()">bad</a>
<a href=" https://a.example/?a=1&amp;b=2">good</a><br>end<img src="a.png" alt="A" onerror="x()"></p><iframe src=x></iframe><x-y>odd</x-y>`)
	s := choose(t, Default(), d)
	got := Clean(d, s)
	for _, want := range []string{
		`<html lang="en">`, `<title>A &amp; B</title>`, `<h1 style="font-size:30px">A &lt;b&gt;</h1>`,
		`<p align="right">`, `<font color="red" size="5">`, `<b>`, `<i>`, `<sub>2</sub>`, `<a>`,
		`href=" https://a.example/?a=1&amp;b=2"`, `<br>`, `<img src="a.png" alt="A">`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	for _, bad := range []string{"javascript", "onclick", "onerror", "onload", "evil", "url(", "fixed", "<iframe", "<link", "x-y", "Menu"} {
		if strings.Contains(got, bad) {
			t.Errorf("%s is in\n%s", bad, got)
		}
	}
	if a, b := letters(s.Text(d)), letters(methodtest.Parse(t, got).AllText()); a != b {
		t.Errorf("the selection reads\n%s\nand the clean page\n%s", a, b)
	}
}

func TestSafe(t *testing.T) {
	for address, want := range map[string]bool{
		"/a": true, "a.html": true, "?x=1:2": true, "#a:b": true, "//a.example/x": true, "HTTPS://a.example": true, "mailto:a@b.example": true,
		"javascript:x": false, " JavaScript:x": false, "java\nscript:x": false, "\x01javascript:x": false, "data:text/html,x": false, "vbscript:x": false,
	} {
		if isSafe(address) != want {
			t.Errorf("%q is safe: %v", address, !want)
		}
	}
}

// letters returns a text without white space.
func letters(s string) string { return strings.Join(strings.Fields(s), "") }

// TestCleanCorpus checks on real pages that the clean page has the text of the
// selection.
func TestCleanCorpus(t *testing.T) {
	m := New(Default())
	for i, page := range testkit.CorpusPages(t, 1, "cleanportaleval") {
		d := methodtest.Parse(t, string(page))
		sel, err := m.Select(t.Context(), &method.Page{Doc: d})
		if err != nil {
			t.Errorf("page %d: %v", i, err)
			continue
		}
		if a, b := letters(sel.Text(d)), letters(methodtest.Parse(t, Clean(d, sel)).AllText()); a != b {
			t.Errorf("page %d: %d bytes are selected, %d are on the clean page", i, len(a), len(b))
		}
	}
}

// checkClean checks that the clean page of a selection has no active elements.
func checkClean(t *testing.T, d *dom.Document, s *method.Selection) {
	t.Helper()
	clean := methodtest.Parse(t, Clean(d, s))
	for n := range clean.Len() {
		switch clean.Tag(dom.Node(n)) {
		case dom.Script, dom.Style, dom.Iframe, dom.Object, dom.Embed, dom.Form, dom.Link, dom.Base:
			t.Fatalf("<%s> on the clean page", clean.Name(dom.Node(n)))
		}
	}
}
