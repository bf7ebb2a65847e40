package cleaned_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/methodtest"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/story/cleaned"
	"github.com/lede-news/lede/method"
)

// whole selects the body of a page, without the nodes that drop names.
func whole(d *dom.Document, drop ...dom.Tag) *method.Selection {
	s := &method.Selection{Title: dom.None, Keep: []dom.Node{max(d.First(dom.Body), d.Root())}}
	for _, t := range drop {
		s.Drop = slices.AppendSeq(s.Drop, d.All(d.Root(), t))
	}
	return s
}

// TestPage checks that the clean page keeps the formatting of the page (sections 1
// and 3.3 of the paper) and nothing else.
func TestPage(t *testing.T) {
	d := methodtest.Parse(t, `<html lang="en" onload="x()"><title>A &amp; B</title><script>evil()</script><link rel=stylesheet href=x.css>
<meta http-equiv=refresh content="0; url=https://a.example/"><style>p { color: red }</style>
<body class=page onclick="x()"><ul><li><a href="/1">Menu</a><li><a href="/2">More</a></ul>
<h1 id=top style="font-size: 30px; background: url(x); position:fixed">A &lt;b&gt;</h1>
<p align=right class="x y" onclick="x()" data-x=1><font size=5 color=red>Words</font><b>Bold</b>,<i>italic</i> H<sub>2</sub>O <a href="javascript:x()">bad</a>
<a href=" /story?a=1&amp;b=2" ping=/p target=_blank>good</a> <a href="#top">up</a> <a href="mailto:ann@a.example">Ann</a><br>end
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="a.png" alt="A" onerror="x()"><img src=/p.gif width=1 height=1></p>
<iframe src=x></iframe><x-y onclick=1>odd</x-y><form action=/go>Name <input name=n value=v><button formaction=/x>Send</button></form>`)
	s := whole(d, dom.Ul)
	got := cleaned.Page(d, s, cleaned.Options{URL: "https://paper.example/news/1"})
	for _, want := range []string{
		`<html lang="en">`, `<title>A &amp; B</title>`, `<body class="page">`, `<h1 id="top" style="font-size:30px">A &lt;b&gt;</h1>`,
		`<p align="right" class="x y">`, `<font color="red" size="5">`, `<b>`, `<i>`, `<sub>2</sub>`, `<a>bad</a>`,
		`<a href="https://paper.example/story?a=1&amp;b=2">good</a>`, `<a href="#top">`, `<a href="mailto:ann@a.example">`, `<br>`,
		`<img src="https://paper.example/news/a.png" alt="A">`, `<span>odd</span>`, `<div>Name`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	for _, bad := range []string{"Menu", "x-y", "data-x", "p.gif", "fixed", "refresh"} {
		if strings.Contains(got, bad) {
			t.Errorf("%s is in\n%s", bad, got)
		}
	}
	checkPage(t, got)
	checkText(t, d, s, got)
}

// TestTitle checks that the headline is kept if the method leaves it out.
func TestTitle(t *testing.T) {
	d := methodtest.Parse(t, `<h2>Other</h2><h1>The <i>ferry</i>  sails</h1><p>Words of the story.</p><p>Noise</p>`)
	p := slices.Collect(d.All(d.Root(), dom.P))[0]
	for _, s := range []*method.Selection{{Title: dom.None, Keep: []dom.Node{p}}, {Title: d.First(dom.H1), Keep: []dom.Node{p}}} {
		got := cleaned.Page(d, s, cleaned.Options{Title: "The ferry sails"})
		if !strings.Contains(got, "<h1>The <i>ferry</i> sails</h1>") || strings.Contains(got, "Noise") || strings.Contains(got, "Other") {
			t.Errorf("got\n%s", got)
		}
	}
}

// TestPreformatted checks that lines stay lines.
func TestPreformatted(t *testing.T) {
	d := methodtest.Parse(t, "<pre>one\n  two</pre><p>three")
	if got := cleaned.Page(d, whole(d), cleaned.Options{}); !strings.Contains(got, "<pre>one\n  two</pre>") {
		t.Errorf("got\n%s", got)
	}
}

// checkText checks that a clean page has the text of the selection.
func checkText(t *testing.T, d *dom.Document, s *method.Selection, page string) {
	t.Helper()
	if a, b := letters(s.Text(d)), letters(methodtest.Parse(t, page).AllText()); a != b {
		t.Errorf("the selection reads\n%s\nand the clean page\n%s", a, b)
	}
}

// letters returns a text without white space.
func letters(s string) string { return strings.Join(strings.Fields(s), "") }

// checkPage parses a clean page as a browser would and checks that nothing in it
// runs, sends or loads anything but pictures.
func checkPage(t testing.TB, page string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var policy bool
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Namespace != "" {
			t.Fatalf("<%s:%s> in\n%s", n.Namespace, n.Data, page)
		}
		switch n.Data {
		case "script", "style", "link", "base", "form", "input", "button", "select", "textarea", "iframe", "frame", "frameset", "object", "embed",
			"applet", "param", "audio", "video", "source", "track", "picture", "canvas", "template", "noscript", "dialog", "portal", "marquee", "area", "map":
			t.Fatalf("<%s> in\n%s", n.Data, page)
		}
		for _, a := range n.Attr {
			policy = policy || n.Data == "meta" && a.Val == "Content-Security-Policy"
			if why := danger(n.Data, a); why != "" {
				t.Fatalf("<%s %s=%q>: %s, in\n%s", n.Data, a.Key, a.Val, why, page)
			}
		}
	}
	if !policy {
		t.Error("no content security policy")
	}
}

// danger says what is wrong with an attribute, or "".
func danger(element string, a html.Attribute) string {
	switch a.Key {
	case "action", "formaction", "srcdoc", "srcset", "background", "poster", "ping", "target", "data", "code", "codebase", "xlink:href", "usemap", "autofocus", "manifest":
		return "not expected"
	case "http-equiv":
		if a.Val != "Content-Security-Policy" {
			return "not expected"
		}
	case "href", "src":
		if element != "a" && a.Key == "href" || element != "img" && a.Key == "src" {
			return "not expected"
		}
		address := strings.ToLower(strings.Map(func(r rune) rune {
			if r <= ' ' || r == 0x7f {
				return -1
			}
			return r
		}, a.Val))
		scheme, _, ok := strings.Cut(address, ":")
		if ok && !strings.ContainsAny(scheme, "/?#") && !slices.Contains([]string{"http", "https", "mailto", "tel"}, scheme) {
			return "may run code"
		}
	case "style":
		for declaration := range strings.SplitSeq(strings.ToLower(a.Val), ";") {
			name, value, _ := strings.Cut(declaration, ":")
			if !strings.HasPrefix(name, "font") && !strings.HasPrefix(name, "text-") && !slices.Contains([]string{"color", "background-color", "vertical-align"}, name) {
				return "more than the format of text"
			}
			if strings.ContainsAny(value, `(\@`) || strings.Contains(value, "/*") {
				return "may load something"
			}
		}
	}
	if strings.HasPrefix(a.Key, "on") {
		return "an event handler"
	}
	return ""
}

// hostileValues are values of attributes, and markup, that run code if they are not
// recognised.
func hostileValues(t testing.TB) []string {
	t.Helper()
	b, err := os.ReadFile("../../../format/testdata/xss.txt")
	if err != nil {
		t.Fatal(err)
	}
	values := []string{
		"javascript:x()", "JaVaScRiPt:x()", "\x01javascript:x()", "java\tscript:x()", "&#106;avascript:x()", "data:text/html,<script>x()</script>",
		"vbscript:x", "view-source:javascript:x()", "color:red;background:url(javascript:x())", "font-family:x\\3a url(y)", `"><script>x()</script>`,
		`'onmouseover='x()`, "font:12px/1 expression(x())", "0;url=javascript:x()", "//evil.example/x.js", "feed:javascript:x()", "\u00a0javascript:x()",
	}
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		if s, err := strconv.Unquote(line); err == nil {
			line = s
		}
		values = append(values, line)
	}
	return values
}

// TestHostile checks pages that are made of hostile values in all places: every
// attribute, every element, and random mixtures of them.
func TestHostile(t *testing.T) {
	values := hostileValues(t)
	elements := []string{
		"a", "img", "svg", "math", "form", "input", "button", "iframe", "object", "embed", "base", "meta", "link", "style", "script", "noscript",
		"template", "title", "textarea", "xmp", "plaintext", "table", "td", "select", "option", "video", "source", "audio", "body", "html", "frameset", "frame",
		"details", "dialog", "marquee", "isindex", "picture", "map", "area", "foreignObject", "mglyph", "annotation-xml", "x-y", "p", "b", "font", "pre", "portal", "image", "li",
	}
	attributes := []string{
		"href", "src", "style", "onclick", "ONERROR", "onload", "action", "formaction", "srcdoc", "srcset", "data", "xlink:href", "background", "poster", "http-equiv",
		"content", "class", "id", "title", "alt", "type", "ping", "target", "is", "slot", "dynsrc", "lowsrc", "datetime", "itemtype", "width", "color", "/onclick", "a\"b", "dir",
	}
	check := func(page string) {
		d, err := dom.Parse(t.Context(), []byte(page), dom.Options{})
		if err != nil {
			return
		}
		for _, address := range []string{"", "https://paper.example/a/b"} {
			checkPage(t, cleaned.Page(d, whole(d), cleaned.Options{URL: address, Title: page}))
		}
	}
	for _, v := range values {
		check("<p>Words " + v + " and more</p>")
		check("<title>" + v + "</title><p>Words")
		for _, e := range elements {
			check(fmt.Sprintf("<p>Words<%s>%s</%s>more", e, v, e))
		}
		for _, a := range attributes {
			check(fmt.Sprintf(`<html %[1]s="%[2]s"><body %[1]s='%[2]s'><a %[1]s=%[3]q>Words</a><img src=/a.png %[1]s="%[2]s"><p %[1]s="%[4]s">More`, a, v, v, html.EscapeString(v)))
		}
	}
	rounds := 20_000 / testkit.Step(5, 10)
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	for range rounds {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			switch r.IntN(5) {
			case 0:
				b.WriteString("words " + pick(values))
			case 1:
				b.WriteString("</" + pick(elements) + ">")
			default:
				fmt.Fprintf(&b, "<%s %s=%q %s='%s'>", pick(elements), pick(attributes), pick(values), pick(attributes), pick(values))
			}
		}
		check(b.String())
	}
}

// FuzzPage checks the clean form of arbitrary pages.
func FuzzPage(f *testing.F) {
	for i, v := range hostileValues(f) {
		if i%4 == 0 {
			f.Add([]byte("<a href=\""+v+"\" style='"+v+"'>x</a>"+v), "https://paper.example/")
		}
	}
	f.Add([]byte(`<svg><style><img src=x onerror=y></style></svg><math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=x()&gt;">`), "")
	f.Add([]byte(`<noscript><p title="</noscript><img src=x onerror=x()>">`), "")
	f.Add([]byte(`<b>x<p>y<a href=a>z<table>w<form><td>v</b><i>u<a href=b>t<pre>3
4<select><option>6<button>7<frameset>`), "x:y")
	f.Fuzz(func(t *testing.T, page []byte, address string) {
		d, err := dom.Parse(context.Background(), page, dom.Options{})
		if err != nil {
			t.Skip("not a page: ", err)
		}
		checkPage(t, cleaned.Page(d, whole(d), cleaned.Options{URL: address, Title: address}))
	})
}

// TestCorpus checks on real pages that the clean page has the text of the
// selection, and is safe.
func TestCorpus(t *testing.T) {
	for i, page := range testkit.CorpusPages(t, 1, "cleanportaleval") {
		d := methodtest.Parse(t, string(page))
		s := whole(d, dom.Nav, dom.Ul)
		got := cleaned.Page(d, s, cleaned.Options{})
		checkPage(t, got)
		if a, b := letters(s.Text(d)), letters(methodtest.Parse(t, got).AllText()); a != b {
			t.Errorf("page %d: %d bytes are selected, %d are on the clean page", i, len(a), len(b))
		}
	}
}
