package dom

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/lede-news/lede/internal/page/markup"
)

func FuzzParse(f *testing.F) {
	seedPages(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := Parse(context.Background(), raw, Options{Charset: "utf-8", Limits: Limits{Nodes: 5000}})
		if err != nil {
			return
		}
		if err := checkTree(d); err != nil {
			t.Error(err)
		}
		for n := range Node(d.Len()) {
			_, _, _ = d.ImageURL(n), d.PathName(d.Path(n)), d.Name(n)
		}
		again, err := FromNode(d.HTML(0), Limits{Nodes: 5000})
		if err != nil {
			t.Fatal(err)
		}
		if err := checkTree(again); err != nil {
			t.Errorf("from its own tree: %v", err)
		}
	})
}

// FuzzFlat also repeats each page, since random pages are hardly ever deep.
func FuzzFlat(f *testing.F) {
	seedPages(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, n := range []int{1, 600} {
			page := bytes.Repeat(raw, n)
			if len(page) > 1<<20 || len(page) == 0 {
				return
			}
			tree, err := markup.Parse(context.Background(), page, markup.Options{Scripting: true, Flat: true})
			if err != nil {
				t.Fatalf("%d times: %v", n, err)
			}
			nodes, tags := len(tree.HTML()), bytes.Count(page, []byte("<"))
			if nodes > 20*(tags+10) {
				t.Fatalf("%d nodes of %d tags", nodes, tags)
			}
		}
	})
}

func seedPages(f *testing.F) {
	rng := rand.New(rand.NewPCG(3, 5))
	for range 40 {
		f.Add([]byte(randomPage(rng, 30)))
	}
	for _, s := range []string{
		interopPage, "<table><tr><td><table><td>x</table>", "<a><table><a>", "<b><p></b>x</p>", "<svg><style><p>", "<select><svg><script><!--",
		"<math><annotation-xml encoding=text/html><p>", "<svg><![CDATA[x>]]><desc><b>", "<plaintext>x", "<frameset><frame>", "<template><td><template shadowrootmode=open>x",
		"<form><button><p><form>", "<p><span><p>", "<ul><li><div><li>", "<noscript><p>x</noscript>", "<ruby><rt><rp><rt>", "<pre>\n a\n\tb</pre>", "<picture><source srcset='a 1x,b 2x'><img>",
	} {
		f.Add([]byte(s))
	}
}
