package markup_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/internal/page/markup"
)

// fragmentContexts are the elements whose fragments have rules of their own, and
// others. x/net deviates from the standard in <head>, whose fragments are those of
// a body, in <noscript> without scripting, and in raw elements.
var fragmentContexts = []string{
	"body", "div", "p", "li", "pre", "table", "caption", "colgroup", "tbody", "tr", "td", "th", "select", "option", "form", "template",
	"html", "frameset", "button", "a", "x-card",
}

// fragmentOf parses a fragment and returns the nodes in its context.
func fragmentOf(page, name string) (nodes []*html.Node, tree *markup.Tree, err error) {
	tree, err = markup.Parse(context.Background(), []byte(page), markup.Options{Context: name})
	if err != nil {
		return nil, tree, err
	}
	at := tree.HTML()[markup.Root].FirstChild // html
	if name != "html" {
		at = at.LastChild // body
	}
	if name != "html" && name != "body" {
		at = at.FirstChild
	}
	if at.Data != name {
		return nil, tree, fmt.Errorf("the fragment is in %s, want %s", at.Data, name)
	}
	for n := range at.ChildNodes() {
		nodes = append(nodes, n)
	}
	return nodes, tree, nil
}

// checkFragment compares a fragment with that of x/net.
func checkFragment(page, name string) error {
	parent := &html.Node{Type: html.ElementNode, Data: name, DataAtom: atom.Lookup([]byte(name))}
	want, wantErr := html.ParseFragmentWithOptions(strings.NewReader(page), parent, html.ParseOptionEnableScripting(false))
	got, _, err := fragmentOf(page, name)
	if err != nil || wantErr != nil {
		if (err != nil) != (wantErr != nil) {
			return fmt.Errorf("error %v, want %v", err, wantErr)
		}
		return nil
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d nodes, want %d", len(got), len(want))
	}
	for i := range got {
		a, b := &html.Node{}, &html.Node{}
		got[i].Parent.RemoveChild(got[i])
		a.AppendChild(got[i])
		b.AppendChild(want[i])
		if err := sameTree(a, b); err != nil {
			return err
		}
	}
	return nil
}

func TestFragmentsInContext(t *testing.T) {
	all := fragments(t)
	words := vocabulary(t)
	rng := rand.New(rand.NewPCG(3, 5))
	for range 5_000 {
		all = append(all, randomPage(rng, words))
	}
	for i, f := range all {
		name := fragmentContexts[i%len(fragmentContexts)]
		if err := checkFragment(f, name); err != nil && !departs([]byte(f)) {
			t.Errorf("in %s: %v\nin %q", name, err, f)
		}
	}
}

func TestFragmentTrees(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"body", "a<b>c", "<body>a<b>c</b></body>"},
		{"div", "<td>a<p>b", "<body><div>a<p>b</p></div></body>"},
		{"tr", "<td>a<td>b", "<body><tr><td>a</td><td>b</td></tr></body>"},
		{"table", "<tr><td>a", "<body><table><tbody><tr><td>a</td></tr></tbody></table></body>"},
		{"td", "a</td><td>b", "<body><td>ab</td></body>"},
		{"title", "a&lt;</title><b>", "<body><title>a&lt;&lt;/title&gt;&lt;b&gt;</title></body>"},
		{"script", "a&lt;</script><b>", "<body><script>a&lt;</script><b></script></body>"},
		{"head", "a<b>c", "<body><head>a<b>c</b></head></body>"},
		{"noscript", "a<b>c", "<body><noscript>a<b>c</b></noscript></body>"},
		{"form", "<form>a", "<body><form>a</form></body>"},
		{"html", "<title>a</title>b", "<head><title>a</title></head><body>b</body>"},
		{"body", "", "<body></body>"},
	} {
		_, tree, err := fragmentOf(c.page, c.name)
		if err != nil {
			t.Fatal(err)
		}
		want := "<html><head></head>" + c.want + "</html>"
		if c.name == "html" {
			want = "<html>" + c.want + "</html>"
		}
		if got := rendered(t, tree.HTML()[markup.Root]); got != want {
			t.Errorf("%q in %s:\ngot  %s\nwant %s", c.page, c.name, got, want)
		}
	}
}
