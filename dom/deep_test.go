package dom

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
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
	}{
		{"400 div", nested("<div>", article, "</div>", 400)},
		{"500 div", nested("<div>", article, "</div>", 500)},
		{"511 div", nested("<div>", article, "</div>", 511)},
		{"600 div", nested("<div>", article, "</div>", 600)},
		{"5000 div", nested("<div class=x>", article, "</div>", 5000)},
		{"100000 div", nested("<div>", article, "</div>", 100_000)},
		{"5000 div unclosed", nested("<div>", article, "", 5000)},
		{"5000 span", nested("<span>", article, "</span>", 5000)},
		{"5000 b", nested("<b>", article, "</b>", 5000)},
		{"5000 font", nested("<font color=red>", article, "</font>", 5000)},
		{"5000 tables", nested("<table><tr><td>", article, "</td></tr></table>", 5000)},
		{"5000 blockquote", nested("<blockquote>", article, "</blockquote>", 5000)},
		{"5000 lists", nested("<ul><li>", article, "</li></ul>", 5000)},
		{"5000 custom", nested("<x-a>", article, "</x-a>", 5000)},
		{"5000 section article", nested("<section><article>", article, "</article></section>", 5000)},
		{"mismatched ends", nested("<div><span>", article, "</div></b></span></table>", 1000)},
		{"p in inline", nested("<span>", "", "", 600) + "<p><span>First paragraph.<p><span>Second bold one.<p><i>Item<p>Quoted."},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := mustParse(t, c.page)
			if d.Truncated() {
				t.Error("truncated")
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
	if d.Truncated() {
		t.Error("truncated")
	}
}
