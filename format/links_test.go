package format_test

import (
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
)

func TestLinksInText(t *testing.T) {
	type S = article.Span
	for name, c := range map[string]struct {
		in   []S
		want string
	}{
		"behind its words":  {[]S{{Text: "See "}, {Text: "the map", Href: "https://a.example/m"}, {Text: "."}}, "See the map <https://a.example/m>."},
		"once for one link": {[]S{{Text: "the ", Href: "https://a.example/"}, {Text: "map", Mark: article.Strong, Href: "https://a.example/"}}, "the map <https://a.example/>"},
		"two side by side":  {[]S{{Text: "a", Href: "https://a.example/"}, {Text: "b", Href: "https://b.example/"}}, "a <https://a.example/>b <https://b.example/>"},
		"not twice":         {[]S{{Text: "https://a.example/", Href: "https://a.example/"}}, "https://a.example/"},
		"not a script":      {[]S{{Text: "a", Href: "javascript:x()"}}, "a"},
	} {
		t.Run(name, func(t *testing.T) {
			a := &article.Article{Body: []article.Block{para(c.in...), {Kind: article.Table, Rows: [][]article.Cell{{{Blocks: []article.Block{para(c.in...)}}}}}}}
			var with, without strings.Builder
			if err := format.Text(&with, a, format.Options{Links: true}); err != nil {
				t.Fatal(err)
			}
			if want := c.want + "\n\n" + c.want + "\n"; with.String() != want {
				t.Errorf("got %q, want %q", with.String(), want)
			}
			if err := format.Text(&without, a, format.Options{}); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(without.String(), "<") {
				t.Errorf("addresses that nobody asked for: %q", without.String())
			}
		})
	}
}
