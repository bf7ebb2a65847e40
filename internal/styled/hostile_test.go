package styled_test

import (
	"bufio"
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/styled"
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

// everywhere is a page whose styles all have one value.
type everywhere string

func (e everywhere) Style(dom.Node, string) string { return string(e) }

func parse(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const small = `<body><h1>A wall</h1><p>First words of it.</p><p>It <a href="/x">holds</a>.</p></body>`

func smallStory() *article.Article {
	return &article.Article{Title: "A wall", Body: []article.Block{
		{Kind: article.Paragraph, Spans: []article.Span{{Text: "First words of it."}}},
		{Kind: article.Paragraph, Spans: []article.Span{{Text: "It "}, {Text: "holds", Href: "/x"}, {Text: "."}}},
	}}
}

// TestHostileStyles puts every hostile value where a page could have it: in
// computed styles, in a style attribute and in a <style>.
func TestHostileStyles(t *testing.T) {
	d, a := parse(t, small), smallStory()
	for _, v := range append(lines(t, "testdata/css.txt"), lines(t, "../../format/testdata/xss.txt")...) {
		t.Run(v, func(t *testing.T) {
			checkDocument(t, write(t, a, styled.Options{Look: styled.LookFrom(d, everywhere(v), styled.Find(d, a))}))
			checkDocument(t, write(t, a, styled.Options{Look: markupLook(t, v, a)}))
			checkDocument(t, write(t, a, styled.Options{Look: styled.Look{Body: styled.Face{Families: []string{v, "Georgia"}}}}))
		})
	}
}

// markupLook is the look of a page that has a value in all its styles.
func markupLook(t testing.TB, v string, a *article.Article) styled.Look {
	t.Helper()
	var style strings.Builder
	for _, p := range append(styled.Properties(), "font", "background", "--x") {
		style.WriteString(p + ":" + v + ";")
	}
	quoted := strings.NewReplacer("&", "&amp;", `"`, "&quot;").Replace(style.String())
	d := parse(t, `<style>p{`+style.String()+`} .x{`+style.String()+`}</style><body bgcolor="`+quoted+`" text="`+quoted+`">`+
		strings.ReplaceAll(small, "<p>", `<p class="x" style="`+quoted+`"><font face="`+quoted+`" size="`+quoted+`">`))
	return styled.LookOf(d, styled.Find(d, a))
}

// TestHostileWords has the strings that have run scripts in every field.
func TestHostileWords(t *testing.T) {
	for _, v := range lines(t, "../../format/testdata/xss.txt") {
		t.Run(v, func(t *testing.T) {
			checkDocument(t, write(t, stuffed(v), styled.Options{URL: v}))
			checkDocument(t, write(t, stuffed(v), styled.Options{Assets: always(pngOf(t, 4, 3)), URL: "https://paper.example/a"}))
		})
	}
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
	for _, v := range append(lines(f, "testdata/css.txt"), lines(f, "../../format/testdata/xss.txt")...) {
		f.Add(v)
	}
	for _, v := range []string{`Georgia, "Times New Roman"`, "italic 700 38px/1.15 Georgia, serif", "rgb(1 2 3 / 50%)", "1.5em", "center"} {
		f.Add(v)
	}
	d, a := parse(f, small), smallStory()
	parts := styled.Find(d, a)
	f.Fuzz(func(t *testing.T, v string) {
		for _, l := range []styled.Look{
			styled.LookFrom(d, everywhere(v), parts), markupLook(t, v, a), {Headline: styled.Face{Families: []string{v}}},
		} {
			checkDocument(t, write(t, a, styled.Options{Look: l}))
		}
	})
}

// FuzzWrite checks that no text of an article and no bytes of a picture get
// out of theirs.
func FuzzWrite(f *testing.F) {
	for _, v := range lines(f, "../../format/testdata/xss.txt") {
		f.Add(v, []byte(v))
	}
	f.Add("A wall", pngOf(f, 3, 2))
	f.Add("https://img.example/a.gif", []byte("GIF89a\x02\x00\x03\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff;"))
	f.Add("ar", webp("VP8X", "\x00\x00\x00\x00\x0f\x00\x00\x0b\x00\x00"))
	f.Add("x", append(box("ftyp", []byte("avif\x00\x00\x00\x00avifmif1")), ispe(16, 9)...))
	f.Fuzz(func(t *testing.T, words string, picture []byte) {
		checkDocument(t, write(t, stuffed(words), styled.Options{Assets: always(picture), URL: words}))
	})
}
