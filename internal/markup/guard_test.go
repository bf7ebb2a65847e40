package markup_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/internal/markup"
)

// Pages that cost too much, or are all title, are read unless somebody is wary.
func TestWary(t *testing.T) {
	fonts := repeat(100, "<font size=%d>")
	for _, c := range []struct {
		name, page string
		want       error
	}{
		{"an ordinary page", "<title>T</title><p" + repeat(900, " a%d") + ">" + fonts + strings.Repeat("<p>x", 100), nil},
		{"formatting opened anew", "<p>" + fonts + strings.Repeat("<p>x", 1000), markup.ErrCostly},
		{"many attributes", "<p" + repeat(1100, " a%d=x") + ">", markup.ErrCostly},
		{"the same attribute many times", "<p" + strings.Repeat(" a=x", 1100) + ">", markup.ErrCostly},
		{"an open title", "<title>T<p>story", markup.ErrOpenTitle},
		{"a title at the end", "<p>story<title>", markup.ErrOpenTitle},
	} {
		if _, err := markup.Read(context.Background(), []byte(c.page), markup.Options{Wary: true}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if _, err := markup.Read(context.Background(), []byte(c.page), markup.Options{}); err != nil {
			t.Errorf("%s, not wary: %v", c.name, err)
		}
	}
}

// The tree says how much there is in it.
func TestSize(t *testing.T) {
	tree, err := markup.Read(context.Background(), []byte("<title>ab</title> <!-- no --><script>long</script><p>one <b>two</b>\n</p>\n"), markup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	nodes := len([]string{"document", "html", "head", "title", "ab", "script", "long", "body", "p", "one", "b", "two"})
	if tree.Nodes != nodes || tree.Text != len("one two") {
		t.Errorf("%d nodes and %d bytes of text, want %d and %d", tree.Nodes, tree.Text, nodes, len("one two"))
	}
}

// A page that is handed over is not copied, but for its line ends.
func TestOwn(t *testing.T) {
	for page, want := range map[string]string{"<p>The bridge": "THE bridge", "<p>The\r\nbridge": "The\nbridge"} {
		raw := []byte(page)
		tree, err := markup.Read(context.Background(), raw, markup.Options{Own: true})
		if err != nil {
			t.Fatal(err)
		}
		copy(raw[len("<p>"):], "THE")
		for n := range tree.Root.Descendants() {
			if n.Type == html.TextNode && n.Data != want {
				t.Errorf("%q, want %q", n.Data, want)
			}
		}
	}
}
