package dom

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/page/markup"
)

// allWords returns the words of all texts of a page, hidden or not.
func allWords(page []byte) []string {
	z := html.NewTokenizer(bytes.NewReader(page))
	var b strings.Builder
	for tt := z.Next(); tt != html.ErrorToken; tt = z.Next() {
		if tt == html.TextToken {
			b.Write(z.Text())
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.Fields(b.String())
}

func nested(open, inside, end string, n int) string {
	return strings.Repeat(open, n) + inside + strings.Repeat(end, n)
}

func TestDeepPages(t *testing.T) {
	article := "<p>First paragraph.</p><p>Second <b>bold</b> one.</p><ul><li>Item</li></ul><blockquote><p>Quoted.</p></blockquote>"
	want := []string{"First paragraph.", "Second bold one.", "Item", "Quoted."}
	for _, c := range []struct {
		name, page string
		flattened  bool
	}{
		{"400 div", nested("<div>", article, "</div>", 400), false},
		{"500 div", nested("<div>", article, "</div>", 500), false},
		{"511 div", nested("<div>", article, "</div>", 511), true},
		{"600 div", nested("<div>", article, "</div>", 600), true},
		{"5000 div", nested("<div class=x>", article, "</div>", 5000), true},
		{"100000 div", nested("<div>", article, "</div>", 100_000), true},
		{"5000 div unclosed", nested("<div>", article, "", 5000), true},
		{"5000 span", nested("<span>", article, "</span>", 5000), true},
		{"5000 b", nested("<b>", article, "</b>", 5000), true},
		{"5000 font", nested("<font color=red>", article, "</font>", 5000), true},
		{"5000 tables", nested("<table><tr><td>", article, "</td></tr></table>", 5000), true},
		{"5000 blockquote", nested("<blockquote>", article, "</blockquote>", 5000), true},
		{"5000 lists", nested("<ul><li>", article, "</li></ul>", 5000), true},
		{"5000 custom", nested("<x-a>", article, "</x-a>", 5000), true},
		{"5000 section article", nested("<section><article>", article, "</article></section>", 5000), true},
		{"mismatched ends", nested("<div><span>", article, "</div></b></span></table>", 1000), true},
		{"p in inline", nested("<span>", "", "", 600) + "<p><span>First paragraph.<p><span>Second bold one.<p><i>Item<p>Quoted.", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := mustParse(t, c.page)
			if d.flattened != c.flattened || d.Truncated() {
				t.Errorf("flattened %v, truncated %v", d.flattened, d.Truncated())
			}
			if got := strings.Split(d.Text(0), "\n"); !slices.Equal(got, want) {
				t.Errorf("lines %q", got)
			}
			if got := strings.Fields(d.Text(0)); !slices.Equal(got, allWords([]byte(c.page))) {
				t.Errorf("words %q", got)
			}
			if err := checkTree(d); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestDeepPagesKeepParagraphs checks that the elements of the story are kept.
func TestDeepPagesKeepParagraphs(t *testing.T) {
	inside := "<article><h1>H</h1><p>One</p><p>Two</p><ul><li>A</li><li>B</li></ul><blockquote>Q</blockquote>" +
		"<table><tr><td>1</td><td>2</td></tr></table><figure><img src=x><figcaption>C</figcaption></figure></article>"
	d := mustParse(t, nested("<div>", inside, "</div>", 2000))
	for tag, n := range map[Tag]int{Article: 1, H1: 1, P: 2, Li: 2, Blockquote: 1, Td: 2, Img: 1, Figcaption: 1} {
		got := 0
		for range d.All(0, tag) {
			got++
		}
		if got != n {
			t.Errorf("%d <%v>, want %d", got, tag, n)
		}
	}
	if d.Closest(d.First(Li), Ul) == None || d.Closest(d.First(Td), Table) == None {
		t.Error("an item is not in its list, or a cell not in its table")
	}
}

func TestFlattenKeepsScripts(t *testing.T) {
	page := nested("<div>", `<script>if (a<b) "</div>"</script><style>a>b{}</style><textarea><p></textarea><svg><path d="M0"/><style>x</style><g></svg><p>One</p><title>T</title>`, "</div>", 600)
	d := mustParse(t, page)
	if got := d.Raw(d.First(Script)); got != `if (a<b) "</div>"` {
		t.Errorf("script %q", got)
	}
	if got := d.Text(0); got != "<p>\nOne" {
		t.Errorf("text %q", got)
	}
}

// TestFlattenLoneAngle checks that a '<' before a removed tag does not begin a tag.
func TestFlattenLoneAngle(t *testing.T) {
	d := mustParse(t, strings.Repeat("<<x-a>y", 600))
	if got := strings.ReplaceAll(d.Text(0), " ", ""); got != strings.Repeat("<y", 600) {
		t.Errorf("text %q", got[:40])
	}
}

func TestFlattenTrimsAttributes(t *testing.T) {
	var b strings.Builder
	b.WriteString("<p id=keep")
	for i := range 5000 {
		fmt.Fprintf(&b, ` a%d="<>"`, i)
	}
	b.WriteString(">One</p>")
	d := mustParse(t, b.String())
	p := d.First(P)
	n := 0
	for range d.Attrs(p) {
		n++
	}
	if n != maxAttributes || d.Attr(p, "id") != "keep" || d.Text(p) != "One" {
		t.Errorf("%d attributes, id %q, text %q", n, d.Attr(p, "id"), d.Text(p))
	}
}

// TestFlattenedOrdinaryPage checks that flattening does not change an ordinary page.
func TestFlattenedOrdinaryPage(t *testing.T) {
	page := []byte("<!DOCTYPE html><html><head><title>T</title><meta charset=utf-8></head><body class=x><div><p>One<p>Two <a href=x>l</a>" +
		"<table><tr><td><p>a</div><td>b<tr><td>c</table><ul><li>x<div>y</div><li>z</ul><dl><dt>q<dd>r<dt>s</dl><h2>h<h3>i</h3></body></html>tail")
	want, err := markup.Parse(context.Background(), page, markup.Options{Scripting: true})
	if err != nil {
		t.Fatal(err)
	}
	got, err := markup.Parse(context.Background(), flatten(page), markup.Options{Scripting: true})
	if err != nil {
		t.Fatal(err)
	}
	var a, b strings.Builder
	html.Render(&a, want.HTML()[markup.Root])
	html.Render(&b, got.HTML()[markup.Root])
	if a.String() != b.String() {
		t.Errorf("flattened\n%s\nwant\n%s", b.String(), a.String())
	}
}

// TestOpenTitle checks that a <title> without an end tag does not hide the page, as
// it does in browsers.
func TestOpenTitle(t *testing.T) {
	d := mustParse(t, `<html><head><title>Pier opens <script>x()</script><body><p>The pier opened on Monday.</p><p>It is long.</p>`)
	if got, want := d.Text(0), "The pier opened on Monday.\nIt is long."; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if got := strings.TrimSpace(d.Raw(d.First(Title))); got != "Pier opens" {
		t.Errorf("title %q", got)
	}
}

// TestMillionWrappers checks that wrappers beyond the limit of nodes do not hide
// their content.
func TestMillionWrappers(t *testing.T) {
	if testing.Short() {
		t.Skip("parses a page of 5 MB; scripts/test.sh runs it without -short")
	}
	d := mustParse(t, "<body>"+strings.Repeat("<div>", 1_000_000)+"<p>Deep down it says so.</p>")
	if got, want := d.Text(0), "Deep down it says so."; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	if !d.flattened || d.Truncated() {
		t.Errorf("flattened %v, truncated %v; want true, false", d.flattened, d.Truncated())
	}
}
