package markup_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/page/markup"
)

// TestDepth compares pages around the depth limit of x/net.
func TestDepth(t *testing.T) {
	for _, tag := range []string{
		"<div>", "<b>", "<font size=1>", "<svg>", "<svg><g>", "<math><mi>", "<table><tr><td>", "<table>", "<ul><li>", "<template>",
		"<select><option>", "<object>", "<a><div>", "<x-y>", "<button>", "<p><span>", "<frameset>", "<head></head><template>",
	} {
		each := strings.Count(tag, "<")
		for n := 507 / each; n < 514/each+2; n++ {
			checkBoth(t, strings.Repeat(tag, n))
			checkBoth(t, strings.Repeat(tag, n)+"</table></b></div>x<p>y<title>z")
		}
	}
	_, err := markup.Parse(context.Background(), []byte(strings.Repeat("<div>", 600)), markup.Options{})
	if !errors.Is(err, markup.ErrTooDeep) {
		t.Errorf("error %v", err)
	}
}

// TestMany parses many text tokens in one node and many attributes, which must not
// take quadratic time.
func TestMany(t *testing.T) {
	attributes := repeat(2500, " a%[1]d=%[1]d A%[1]d=x") + repeat(9, " A%[1]d=y z")
	for _, page := range []string{
		strings.Repeat("x</x>", 20_000),
		"<table>" + strings.Repeat("x<tr>", 20_000),
		"<table><tr>" + strings.Repeat("x</b> </b>", 20_000),
		"<p" + attributes + ">x",
		"<b" + attributes + "><p>x<b" + attributes + "><p>y",
		"<html" + attributes + "><html" + attributes + ">",
		"<svg" + attributes + "/>",
		repeat(500, "<html a%[1]d b%[1]d=x c=%[1]d><body d%[1]d e=%[1]d>"),
		strings.Repeat("&", 50_000), strings.Repeat("&a", 50_000), "&" + strings.Repeat("a", 50_000),
		strings.Repeat("&unknown", 5_000) + strings.Repeat("&eacute;", 5_000),
		strings.Repeat("<", 50_000), strings.Repeat("</", 50_000), strings.Repeat("<!--", 50_000),
		"<textarea>" + strings.Repeat("</", 50_000), "<script>" + strings.Repeat("<!--<script>", 10_000),
		strings.Repeat("<p>\r\n", 10_000), strings.Repeat("\x00", 50_000),
	} {
		for _, scripting := range []bool{true, false} {
			if err := check([]byte(page), scripting); err != nil {
				t.Errorf("%.40q…: %v", page, err)
			}
		}
	}
}

// repeat formats the numbers from 0 to n-1.
func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// countdown is a context that is done after a number of calls of Err.
type countdown struct {
	context.Context
	left int
}

func (p *countdown) Err() error {
	if p.left--; p.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func TestContext(t *testing.T) {
	page := []byte(strings.Repeat("<p>one <b>two</b></p>\n", 10_000))
	asked := &countdown{context.Background(), 1000}
	if _, err := markup.Parse(asked, page, markup.Options{Scripting: true}); err != nil || asked.left > 1000-len(page)/10_000 {
		t.Errorf("%d left of 1000: %v", asked.left, err)
	}
	if _, err := markup.Parse(&countdown{context.Background(), 5}, page, markup.Options{Scripting: true}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	cause := errors.New("canceled by the test")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if _, err := markup.Parse(ctx, page, markup.Options{Scripting: true}); !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
}

// TestPageMayChange checks that the tree does not refer to the caller's bytes.
func TestPageMayChange(t *testing.T) {
	page := []byte("<p class=story>The bridge is open.</p>\r\n<!-- end -->")
	tree, err := markup.Parse(context.Background(), page, markup.Options{Scripting: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range page {
		page[i] = '#'
	}
	var b bytes.Buffer
	if err := html.Render(&b, tree.HTML()[markup.Root]); err != nil {
		t.Fatal(err)
	}
	want := `<html><head></head><body><p class="story">The bridge is open.</p>` + "\n<!-- end --></body></html>"
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

// TestAttributesNotShared checks that appending to the attributes of a node does
// not change those of another.
func TestAttributesNotShared(t *testing.T) {
	tree, err := markup.Parse(context.Background(), []byte("<i a=1><p b=2>x</i><b c=3><p>y"), markup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	root := tree.HTML()[markup.Root]
	for n := range root.Descendants() {
		for i := range n.Attr {
			n.Attr[i].Val += "!"
		}
		n.Attr = append(n.Attr, html.Attribute{Key: "seen", Val: n.Data})
	}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "seen" && a.Val != n.Data || a.Key != "seen" && strings.Count(a.Val, "!") != 1 {
				t.Errorf("<%s> has %v", n.Data, n.Attr)
			}
		}
	}
}

// TestCostly checks that formatting is not opened again without bound, except in a flat
// tree, which has none.
func TestCostly(t *testing.T) {
	page := []byte("<p>" + repeat(100, "<font size=%d>") + strings.Repeat("<p>x", 1000))
	if _, err := markup.Parse(context.Background(), page, markup.Options{}); !errors.Is(err, markup.ErrCostly) {
		t.Errorf("error %v", err)
	}
	if _, err := markup.Parse(context.Background(), page, markup.Options{Flat: true}); err != nil {
		t.Errorf("flat: %v", err)
	}
	// 10,000 tags would have 50 million attributes.
	page = []byte(repeat(100_000, "<body a%d>"))
	if _, err := markup.Parse(context.Background(), page, markup.Options{}); err != nil {
		t.Error(err)
	}
}

// TestShown checks the number of nodes of a tree.
func TestShown(t *testing.T) {
	tree, err := markup.Parse(context.Background(), []byte("<title>ab</title> <!-- no --><script>long</script><p>one <b>two</b>\n</p>\n"), markup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	nodes := len([]string{"document", "html", "head", "title", "ab", "script", "long", "body", "p", "one", "b", "two"})
	if tree.Shown != nodes {
		t.Errorf("%d nodes, want %d", tree.Shown, nodes)
	}
}

// TestNoCopy checks that only a page with other line ends is copied.
func TestNoCopy(t *testing.T) {
	for page, want := range map[string]string{"<p>The bridge": "THE bridge", "<p>The\r\nbridge": "The\nbridge"} {
		raw := []byte(page)
		tree, err := markup.Parse(context.Background(), raw, markup.Options{NoCopy: true})
		if err != nil {
			t.Fatal(err)
		}
		copy(raw[len("<p>"):], "THE")
		for n := range tree.HTML()[markup.Root].Descendants() {
			if n.Type == html.TextNode && n.Data != want {
				t.Errorf("%q, want %q", n.Data, want)
			}
		}
	}
}
