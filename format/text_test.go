package format_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
)

func TestText(t *testing.T) {
	type B = article.Block
	for name, c := range map[string]struct {
		in   []B
		want string
	}{
		"paragraphs":       {item(textBlock("a"), textBlock(" "), textBlock("b")), "a\n\nb"},
		"line breaks":      {item(textBlock(" a \n b ")), "a\nb"},
		"spaces in spans":  {item(para(article.Span{Text: "a "}, article.Span{Text: " b", Mark: article.Strong})), "a b"},
		"link":             {item(para(article.Span{Text: "a", Href: "/x"})), "a"},
		"nested lists":     {item(B{Kind: article.List, Ordered: true, Start: 3, Items: [][]B{item(textBlock("a"), B{Kind: article.List, Items: [][]B{item(textBlock("b"))}}), item(textBlock("c"))}}), "3. a\n  - b\n4. c"},
		"quote":            {item(B{Kind: article.Quote, Blocks: item(textBlock("a\nb"), textBlock("c"))}), "> a\n> b\n>\n> c"},
		"table":            {item(B{Kind: article.Table, Spans: []article.Span{{Text: "T"}}, Rows: [][]article.Cell{{{Blocks: item(textBlock("a"))}, {}, {Blocks: item(textBlock("b\nc"), textBlock("d"))}}, {{}}}}), "T\na |  | b c d"},
		"code":             {item(B{Kind: article.Code, Code: "if x {\n\ty\n}\n"}), "if x {\n\ty\n}"},
		"alt":              {item(B{Kind: article.Picture, Image: &article.Image{Alt: "a"}}), "[picture: a]"},
		"caption":          {item(B{Kind: article.Picture, Image: &article.Image{Caption: "c", Credit: "d"}}), "[picture: c (d)]"},
		"alt and caption":  {item(B{Kind: article.Picture, Image: &article.Image{Alt: "a", Caption: "c"}}), "[picture: a]\nc"},
		"alt is caption":   {item(B{Kind: article.Picture, Image: &article.Image{Alt: "a", Caption: "a"}}), "[picture: a]"},
		"credit":           {item(B{Kind: article.Picture, Image: &article.Image{Credit: "d"}}), "[picture: d]"},
		"wordless picture": {item(B{Kind: article.Picture, Image: &article.Image{URL: "/x"}}), "[picture]"},
		"post":             {item(B{Kind: article.Embed, Embed: &article.Post{URL: "https://x.example/1", Author: "Ann (@ann)", Text: "a\nb"}}), "> a\n> b\n>\n> — Ann (@ann)"},
		"video":            {item(B{Kind: article.Video, Video: &article.Media{Title: "t", URL: "https://v.example/1", Caption: "c"}}), "[video: t https://v.example/1]\nc"},
		"rule":             {item(B{Kind: article.Rule}), "* * *"},
		"control":          {item(textBlock("a\x00b\x1b[31m\u0085c\xff\u2028d\te")), "ab[31mc\uFFFD\nd e"},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			if err := format.Text(&b, &article.Article{Body: c.in}, format.Options{}); err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSuffix(b.String(), "\n"); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestBylines(t *testing.T) {
	at := time.Date(2024, 5, 1, 9, 30, 0, 0, time.UTC)
	for want, a := range map[string]article.Article{
		"Ann · 2024-05-01":              {Authors: []article.Author{{Name: "Ann"}}, Published: article.Date{Time: at, DayOnly: true}},
		"Ann, Ben":                      {Authors: []article.Author{{Name: " Ann\n"}, {}, {Name: "Ben"}}},
		"2024-05-01 09:30 UTC":          {Published: article.Date{Time: at}},
		"2024-05-01 15:00 +05:30":       {Published: article.Date{Time: at.In(time.FixedZone("IST", 19800))}},
		"Ann · 2024-05-01 05:30 -04:00": {Authors: []article.Author{{Name: "Ann"}}, Published: article.Date{Time: at.In(time.FixedZone("EDT", -14400))}},
		"":                              {},
	} {
		var b strings.Builder
		if err := format.Text(&b, &a, format.Options{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSuffix(b.String(), "\n"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

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
				t.Errorf("URLs without Options.Links: %q", without.String())
			}
		})
	}
}
