package styled_test

import (
	"bufio"
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/story/styled"
)

func lines(t testing.TB, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line := sc.Text()
		if strings.HasPrefix(line, "# ") || line == "" {
			continue
		}
		if s, err := strconv.Unquote(line); err == nil {
			line = s
		}
		out = append(out, line)
	}
	if len(out) < 20 {
		t.Fatalf("%s: only %d lines", file, len(out))
	}
	return out
}

func parse(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const small = `<title>A wall</title><body><h1>A wall</h1><div id=story><p>First words of it.</p><p>It <a href="/x">holds</a>.</p><ul><li>x</ul></div></body>`

func smallStory() *article.Article {
	return &article.Article{Title: "A wall", Body: []article.Block{
		{Kind: article.Paragraph, Spans: []article.Span{{Text: "First words of it."}}},
		{Kind: article.Paragraph, Spans: []article.Span{{Text: "It "}, {Text: "holds", Href: "/x"}, {Text: "."}}},
	}}
}

// TestHostileStyles puts every hostile value where a page could have it: in
// computed styles, in a style attribute and in a <style>.
func TestHostileStyles(t *testing.T) {
	for _, v := range append(lines(t, "testdata/css.txt"), lines(t, "../../../format/testdata/xss.txt")...) {
		t.Run(v, func(t *testing.T) {
			checkComputed(t, v)
			checkDocument(t, writePage(t, pageWith(v), styled.Options{}))
		})
	}
}

// checkComputed writes a story whose computed styles all have one value.
func checkComputed(t *testing.T, v string) {
	x := explain(t, []byte(small))
	checkDocument(t, writeStory(t, x, styled.Options{Computed: func(dom.Node, string) string { return v }}))
}

// pageWith returns a page that has a value in all its styles.
func pageWith(v string) string {
	var style strings.Builder
	for _, p := range append(styled.Properties(), "font", "background", "margin", "padding", "border", "border-left", "border-radius", "list-style", "text-decoration", "--x") {
		style.WriteString(p + ":" + v + ";")
	}
	quoted := strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(style.String())
	return `<style>p{` + style.String() + `} .x{` + style.String() + `}</style><body bgcolor="` + quoted + `" text="` + quoted + `">` +
		strings.ReplaceAll(small, "<p>", `<p class="x" style="`+quoted+`"><font face="`+quoted+`" size="`+quoted+`">`)
}

// TestHostileWords has the strings that have run scripts in every field.
func TestHostileWords(t *testing.T) {
	for _, v := range lines(t, "../../../format/testdata/xss.txt") {
		t.Run(v, func(t *testing.T) {
			checkWords(t, v, pngOf(t, 4, 3))
		})
	}
}

// checkWords puts s into every field of an article, and into the texts and
// attributes of its page.
func checkWords(t *testing.T, s string, picture []byte) {
	checkDocument(t, write(t, stuffed(s), styled.Options{}))
	checkDocument(t, write(t, stuffed(s), styled.Options{Assets: []styled.Assets{always(picture)}}))
	q := strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;").Replace(s)
	page := `<title>` + q + `</title><base href="` + q + `"><div id=story><h2>` + q + `</h2><p>It ` + s + `</p>
<a href="` + q + `" class="` + q + `" id="` + q + `">link ` + q + `</a><figure><img src="` + q + `" alt="` + q + `" srcset="` + q + `" width="` + q + `"><figcaption>` + q + `</figcaption></figure>
<img src="https://img.example/` + q + `" alt="` + q + `" align="` + q + `"><iframe src="https://v.example/embed/` + q + `" title="` + q + `"></iframe>
<video src="` + q + `" poster="` + q + `" title="` + q + `"></video><ol start="` + q + `"><li>` + q + `</ol><pre class="language-` + q + `">` + q + `</pre>
<table><tr><th colspan="` + q + `" rowspan="` + q + `">` + q + `<td>` + q + `</table><p dir="` + q + `" lang="` + q + `" style="` + q + `">` + q + `</p></div>`
	checkDocument(t, writePageAt(t, page, "https://paper.example/a", styled.Options{Assets: []styled.Assets{always(picture)}}))
}

// stuffed is an article with s in every field that this package looks at.
func stuffed(s string) *article.Article {
	words := article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: s}, {Text: s, Href: s, Mark: article.Strong}}}
	image := &article.Image{URL: s, Alt: s, Caption: s, Credit: s}
	return &article.Article{
		URL: s, Canonical: s, Title: s, Standfirst: s, Lang: s, Site: s, Lead: image,
		Authors: []article.Author{{Name: s, URL: s}},
		Body: []article.Block{
			words, {Kind: article.Heading, Level: 4, Spans: words.Spans}, {Kind: article.Heading, Level: 2, Spans: words.Spans},
			{Kind: article.List, Items: [][]article.Block{{words}, {{Kind: article.Quote, Blocks: []article.Block{words}}}}},
			{Kind: article.Table, Spans: words.Spans, Rows: [][]article.Cell{{{Header: true, Blocks: []article.Block{words}}}}},
			{Kind: article.Code, Code: s, Lang: s},
			{Kind: article.Picture, Image: image},
			{Kind: article.Picture, Image: &article.Image{URL: "https://img.example/" + s, Alt: s}},
			{Kind: article.Video, Video: &article.Media{URL: s, Title: s, Poster: s, Caption: s}},
			{Kind: article.Video, Video: &article.Media{URL: "https://v.example/1.mp3", Poster: "https://v.example/1.png", Title: s}},
			{Kind: article.Video, Video: &article.Media{URL: "https://v.example/" + s}},
		},
		Comments: []string{s},
	}
}

// FuzzStyles checks that no style of a page can break out of its value.
func FuzzStyles(f *testing.F) {
	for _, v := range append(lines(f, "testdata/css.txt"), lines(f, "../../../format/testdata/xss.txt")...) {
		f.Add(v)
	}
	for _, v := range []string{`Georgia, "Times New Roman"`, "italic 700 38px/1.15 Georgia, serif", "rgb(1 2 3 / 50%)", "1.5em", "center"} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v string) {
		checkComputed(t, v)
		x, err := tryExplain([]byte(pageWith(v)))
		if err != nil {
			return // v hides the whole page, as "</style><script>" does
		}
		checkDocument(t, writeStory(t, x, styled.Options{}))
	})
}

// FuzzWrite checks that no text of an article and no bytes of a picture get
// out of theirs.
func FuzzWrite(f *testing.F) {
	for _, v := range lines(f, "../../../format/testdata/xss.txt") {
		f.Add(v, []byte(v))
	}
	f.Add("A wall", pngOf(f, 3, 2))
	f.Add("https://img.example/a.gif", []byte("GIF89a\x02\x00\x03\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff;"))
	f.Add("ar", webp("VP8X", "\x00\x00\x00\x00\x0f\x00\x00\x0b\x00\x00"))
	f.Add("x", append(box("ftyp", []byte("avif\x00\x00\x00\x00avifmif1")), ispe(16, 9)...))
	f.Fuzz(checkWords)
}

// FuzzPage checks that no page gets its markup into the file, and that no text is
// lost.
func FuzzPage(f *testing.F) {
	for _, v := range lines(f, "../../../format/testdata/xss.txt") {
		f.Add("<title>A wall</title><div id=story><p>It holds.</p>" + v)
	}
	f.Add(readFile(f, "english.html"))
	f.Add(`<div id=story><table><tr><td>a<p>b<table><td>c</table></table><p>d<b>e<i>f</b>g</i><li>h<dd>i<h2>j<h3>k</h2>l<a href=x>m<a href=y>n`)
	f.Fuzz(func(t *testing.T, page string) {
		x, err := tryExplain([]byte(page), lede.WithURL("https://paper.example/a"))
		if err != nil {
			t.Skip("no story: ", err)
		}
		out := writeStory(t, x, styled.Options{})
		checkDocument(t, out)
		checkSameText(t, x.Article, out)
	})
}
