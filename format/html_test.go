package format_test

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
)

func fragment(t testing.TB, a *article.Article) string {
	t.Helper()
	var b strings.Builder
	if err := format.HTML(&b, a, format.Options{Fragment: true, BodyOnly: true}); err != nil {
		t.Fatal(err)
	}
	s := strings.TrimPrefix(b.String(), "<article>\n")
	return strings.TrimSuffix(s, "</article>\n")
}

func TestHTMLBlocks(t *testing.T) {
	type B = article.Block
	for name, c := range map[string]struct {
		in   B
		want string
	}{
		"paragraph":     {textBlock(`a < b & "c"`), "<p>a &lt; b &amp; \"c\"</p>\n"},
		"line break":    {textBlock("a\nb"), "<p>a<br>\nb</p>\n"},
		"blank":         {textBlock(" \u00a0\n"), ""},
		"heading":       {B{Kind: article.Heading, Level: 1, Spans: []article.Span{{Text: "a"}}}, "<h2>a</h2>\n"},
		"deep heading":  {B{Kind: article.Heading, Level: 42, Spans: []article.Span{{Text: "a"}}}, "<h6>a</h6>\n"},
		"marks":         {para(article.Span{Text: "a ", Mark: article.Emphasis}, article.Span{Text: "b", Mark: article.Emphasis | article.Monospace}), "<p><em>a <code>b</code></em></p>\n"},
		"one link":      {para(article.Span{Text: "a ", Href: "/x"}, article.Span{Text: "b", Href: "/x", Mark: article.Strong}), "<p><a href=\"/x\">a <strong>b</strong></a></p>\n"},
		"refused link":  {para(article.Span{Text: "a", Href: "javascript:x"}), "<p>a</p>\n"},
		"list":          {B{Kind: article.List, Items: [][]B{item(textBlock("a"), B{Kind: article.List, Ordered: true, Start: 5, Items: [][]B{item(textBlock("b"))}}), item()}}, "<ul>\n<li>a\n<ol start=\"5\">\n<li>b</li>\n</ol>\n</li>\n</ul>\n"},
		"empty list":    {B{Kind: article.List, Items: [][]B{item(textBlock(""))}}, ""},
		"empty quote":   {B{Kind: article.Quote, Blocks: item(B{Kind: article.Quote})}, ""},
		"code":          {B{Kind: article.Code, Code: "a<b>", Lang: "c++"}, "<pre><code class=\"language-c++\">a&lt;b&gt;</code></pre>\n"},
		"code language": {B{Kind: article.Code, Code: "a", Lang: `x" y`}, "<pre><code>a</code></pre>\n"},
		"nil picture":   {B{Kind: article.Picture}, ""},
		"nil post":      {B{Kind: article.Embed}, ""},
		"empty post":    {B{Kind: article.Embed, Embed: &article.Post{URL: "javascript:x"}}, ""},
		"post":          {B{Kind: article.Embed, Embed: &article.Post{URL: "https://x.example/1", Author: "Ann (@ann)", Text: "a\nb"}}, "<blockquote class=\"post\">\n<p>a<br>\nb</p>\n<p>— <a href=\"https://x.example/1\">Ann (@ann)</a></p>\n</blockquote>\n"},
		"post, address": {B{Kind: article.Embed, Embed: &article.Post{URL: "https://x.example/1"}}, "<blockquote class=\"post\">\n<p>— <a href=\"https://x.example/1\">https://x.example/1</a></p>\n</blockquote>\n"},
		"nil video":     {B{Kind: article.Video}, ""},
		"empty video":   {B{Kind: article.Video, Video: &article.Media{}}, ""},
		"no words":      {B{Kind: article.Picture, Image: &article.Image{URL: "/a", Width: 3}}, "<figure>\n<img src=\"/a\" alt=\"\" loading=\"lazy\">\n</figure>\n"},
		"no picture":    {B{Kind: article.Picture, Image: &article.Image{URL: "blob:x"}}, ""},
		"credit only":   {B{Kind: article.Picture, Image: &article.Image{URL: "blob:x", Credit: "c"}}, "<figure>\n<figcaption><small class=\"credit\">c</small></figcaption>\n</figure>\n"},
		"video":         {B{Kind: article.Video, Video: &article.Media{URL: "/v", Caption: "c"}}, "<figure class=\"video\">\n<a href=\"/v\">c</a>\n</figure>\n"},
		"empty table":   {B{Kind: article.Table, Rows: [][]article.Cell{{{}}}}, ""},
		"only caption":  {B{Kind: article.Table, Spans: []article.Span{{Text: "c"}}}, "<p>c</p>\n"},
		"rule":          {B{Kind: article.Rule}, "<hr>\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := fragment(t, &article.Article{Body: []B{c.in}}); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestHTMLLanguage(t *testing.T) {
	for lang, want := range map[string]string{
		"":            "<html>",
		"en":          `<html lang="en">`,
		"pt_BR":       `<html lang="pt-BR">`,
		"ar":          `<html lang="ar" dir="rtl">`,
		"fa-IR":       `<html lang="fa-IR" dir="rtl">`,
		"HE":          `<html lang="HE" dir="rtl">`,
		"ur":          `<html lang="ur" dir="rtl">`,
		"yi":          `<html lang="yi" dir="rtl">`,
		"ps":          `<html lang="ps" dir="rtl">`,
		"sd":          `<html lang="sd" dir="rtl">`,
		"ug":          `<html lang="ug" dir="rtl">`,
		"dv":          `<html lang="dv" dir="rtl">`,
		"ckb":         `<html lang="ckb" dir="rtl">`,
		"ur-Latn":     `<html lang="ur-Latn">`,
		"az-Arab-IR":  `<html lang="az-Arab-IR" dir="rtl">`,
		"de-1996":     `<html lang="de-1996">`,
		`en" onload=`: "<html>",
		"-x":          "<html>",
	} {
		var b strings.Builder
		if err := format.HTML(&b, &article.Article{Lang: lang}, format.Options{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want+"\n<head>") {
			t.Errorf("%q: no %s in\n%s", lang, want, b.String())
		}
	}
	if got := fragment(t, &article.Article{Lang: "he"}); !strings.HasPrefix(got, `<article lang="he" dir="rtl">`) {
		t.Errorf("fragment: %s", got)
	}
}

// TestHTMLIsWellFormed checks that all elements are properly nested and closed.
func TestHTMLIsWellFormed(t *testing.T) {
	void := map[string]bool{"meta": true, "link": true, "img": true, "br": true, "hr": true}
	for _, file := range stories(t) {
		var b bytes.Buffer
		if err := format.HTML(&b, load(t, file), format.Options{}); err != nil {
			t.Fatal(err)
		}
		checkHTML(t, b.Bytes())
		var open []string
		for z := html.NewTokenizer(&b); z.Next() != html.ErrorToken; {
			switch tok := z.Token(); {
			case tok.Type == html.StartTagToken && !void[tok.Data]:
				open = append(open, tok.Data)
			case tok.Type == html.EndTagToken:
				if len(open) == 0 || open[len(open)-1] != tok.Data {
					t.Fatalf("%s: </%s> in %v", file, tok.Data, open)
				}
				open = open[:len(open)-1]
			}
		}
		if len(open) > 0 {
			t.Errorf("%s: %v are open", file, open)
		}
	}
}

func TestHTMLHasOneH1(t *testing.T) {
	a := load(t, "testdata/english.json")
	var b strings.Builder
	if err := format.HTML(&b, a, format.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "<h1"); n != 1 {
		t.Errorf("%d h1", n)
	}
}
