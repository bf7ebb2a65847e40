// Package renderers_test gives the Markdown of package format to renderers of
// several languages. It is a module of its own, so that they are no dependency of
// lede. install.sh installs those that are not written in Go.
package renderers_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
)

// vectors returns the texts in the test data of package format.
func vectors(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, name := range []string{"xss.txt", "markdown.txt"} {
		data, err := os.ReadFile(filepath.Join("../../format/testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
			line := sc.Text()
			if strings.HasPrefix(line, "#") {
				continue
			}
			if s, err := strconv.Unquote(line); err == nil {
				line = s
			}
			out = append(out, line)
		}
	}
	return out
}

// markdown returns an article as Markdown.
func markdown(t testing.TB, a *article.Article) string {
	t.Helper()
	var b strings.Builder
	if err := format.Markdown(&b, a, format.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// render returns the HTML of texts for each renderer. It reports those that are
// not installed.
func render(t testing.TB, texts []string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for name, md := range map[string]goldmark.Markdown{
		"goldmark": goldmark.New(goldmark.WithRendererOptions(html.WithUnsafe())),
		"goldmark with extensions": goldmark.New(
			goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList),
			goldmark.WithParserOptions(parser.WithAttribute()),
			goldmark.WithRendererOptions(html.WithUnsafe())),
	} {
		for _, text := range texts {
			var b bytes.Buffer
			if err := md.Convert([]byte(text), &b); err != nil {
				t.Fatal(err)
			}
			out[name] = append(out[name], b.String())
		}
	}
	maps.Copy(out, others(t, texts, ".installed/python/bin/python", "python/render.py"))
	maps.Copy(out, others(t, texts, "node", "node/render.mjs"))
	return out
}

// others runs the renderers of another language.
func others(t testing.TB, texts []string, program, script string) map[string][]string {
	t.Helper()
	name := filepath.Dir(script)
	if _, err := os.Stat(filepath.Join(".installed", name+".done")); err != nil {
		t.Logf("the renderers in %s are not installed; install.sh installs them", name)
		return nil
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, script)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	answer, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	out := map[string][]string{}
	if err := json.Unmarshal(answer, &out); err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return out
}

// story returns an article that has s wherever a page can put text.
func story(s string) *article.Article {
	words := article.Block{Kind: article.Paragraph, Spans: []article.Span{
		{Text: s},
		{Text: " and " + s, Mark: article.Strong},
		{Text: " word " + s + " word ", Href: "https://paper.example/link"},
		{Text: s, Mark: article.Emphasis | article.Strike},
		{Text: s, Mark: article.Monospace},
		{Text: " " + s, Mark: article.Monospace, Href: "https://paper.example/code"},
		{Text: "2", Mark: article.Subscript},
		{Text: s + " " + s},
	}}
	plain := article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: s}}}
	code := article.Block{Kind: article.Code, Code: s, Lang: "go"}
	longCode := article.Block{Kind: article.Code, Code: "if x {\n\n\t" + s + "\n\n" + s + "\n}\n"}
	image := &article.Image{URL: "https://paper.example/a.png", Alt: s, Caption: s, Credit: s}
	cell := func(bs ...article.Block) article.Cell { return article.Cell{Blocks: bs} }
	return &article.Article{
		Title: s, Standfirst: s, Authors: []article.Author{{Name: s, URL: "https://paper.example/author"}},
		Lead: &article.Image{URL: "https://paper.example/lead.png", Alt: s, Caption: s},
		Body: []article.Block{
			words, plain,
			{Kind: article.Heading, Level: 2, Spans: words.Spans},
			{Kind: article.Heading, Level: 3, Spans: plain.Spans},
			{Kind: article.List, Items: [][]article.Block{{plain}, {words, {Kind: article.List, Items: [][]article.Block{{plain}}}}}},
			code, longCode,
			{Kind: article.List, Ordered: true, Items: [][]article.Block{{plain, plain}, {code}, {words, longCode}}},
			{Kind: article.Quote, Blocks: []article.Block{words, plain, code, longCode, {Kind: article.List, Items: [][]article.Block{{plain, longCode}}}}},
			{Kind: article.Table, Spans: plain.Spans, Rows: [][]article.Cell{
				{{Header: true, Blocks: []article.Block{plain}}, {Header: true, Blocks: []article.Block{words}}},
				{cell(words, plain), cell(code)},
				{cell(article.Block{Kind: article.Picture, Image: image}), cell(longCode)},
			}},
			{Kind: article.Picture, Image: image},
			{Kind: article.Video, Video: &article.Media{URL: "https://paper.example/video", Title: s, Caption: s + " x"}},
			{Kind: article.Video, Video: &article.Media{URL: "https://paper.example/film", Title: s, Poster: "https://paper.example/still.png"}},
			{Kind: article.Embed, Embed: &article.Post{URL: "https://paper.example/post", Author: s, Text: s}},
			plain,
		},
		Comments: []string{s},
	}
}

// noFences is the renderer that does not know fences and so reads code without
// elements and links as text.
const noFences = "Python-Markdown"

// TestTextIsNoMarkup puts each vector into a story and expects no element,
// attribute or address that the same story with a harmless word does not have.
func TestTextIsNoMarkup(t *testing.T) {
	vs := vectors(t)
	texts := []string{markdown(t, story("word"))}
	for _, v := range vs {
		texts = append(texts, markdown(t, story(v)))
	}
	rendered := render(t, texts)
	has := map[string]int{} // in any dialect
	for _, pages := range rendered {
		for tag, n := range tags(t, pages[0]) {
			has[tag] = max(has[tag], n)
		}
	}
	for name, pages := range rendered {
		t.Run(name, func(t *testing.T) {
			for i, v := range vs {
				found := tags(t, pages[i+1])
				for _, tag := range slices.Sorted(maps.Keys(found)) {
					if found[tag] <= has[tag] || isFree(tag) || isWritten(tag, v) || name == noFences && isFormatting(tag) {
						continue
					}
					t.Errorf("%q: %d times %s, %d expected", v, found[tag], tag, has[tag])
				}
			}
		})
	}
}

// TestTextSurvives expects the text of a story in what renderers show.
func TestTextSurvives(t *testing.T) {
	vs := vectors(t)
	var texts, want []string
	for _, v := range vs {
		plain := article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: v}}}
		linked := article.Block{Kind: article.Paragraph, Spans: []article.Span{{Text: v, Href: "https://paper.example/"}}}
		indented := article.Block{Kind: article.Code, Code: v}
		a := &article.Article{Title: v, Body: []article.Block{
			plain, linked,
			{Kind: article.Heading, Level: 2, Spans: linked.Spans},
			{Kind: article.List, Items: [][]article.Block{{plain}, {linked}}},
			{Kind: article.Quote, Blocks: []article.Block{plain, indented}},
			{Kind: article.List, Items: [][]article.Block{{plain, indented, plain}}},
		}}
		texts = append(texts, markdown(t, a))
		var b strings.Builder
		if err := format.Text(&b, &article.Article{Body: []article.Block{plain}}, format.Options{}); err != nil {
			t.Fatal(err)
		}
		want = append(want, strings.Repeat(visible(b.String()), 11))
	}
	for name, pages := range render(t, texts) {
		t.Run(name, func(t *testing.T) {
			for i, v := range vs {
				got, want := visible(text(t, pages[i])), want[i]
				if strings.HasPrefix(name, "Python-Markdown") {
					// It does not know a backslash at the end of a line, and adds
					// semicolons to references in code.
					got = visible(text(t, strings.ReplaceAll(pages[i], "\\\n", "\n")))
					got, want = strings.ReplaceAll(got, ";", ""), strings.ReplaceAll(want, ";", "")
				}
				if decoded(got) != decoded(want) {
					t.Errorf("%q: %s", v, firstDifference(got, want))
				}
			}
		})
	}
}

// TestAddresses puts each vector where an article has an address. Renderers must
// show no address that HTML does not have.
func TestAddresses(t *testing.T) {
	vs := vectors(t)
	var texts []string
	allowed := make([]map[string]bool, len(vs))
	for i, v := range vs {
		a := &article.Article{Body: []article.Block{
			{Kind: article.Paragraph, Spans: []article.Span{{Text: "word", Href: v}, {Text: "word", Href: "https://paper.example/" + v}}},
			{Kind: article.Picture, Image: &article.Image{URL: v, Alt: "word"}},
			{Kind: article.Picture, Image: &article.Image{URL: "https://paper.example/?x=" + v, Alt: "word"}},
			{Kind: article.Video, Video: &article.Media{URL: v, Title: "word", Poster: v}},
			{Kind: article.Embed, Embed: &article.Post{URL: v, Author: "word"}},
		}}
		texts = append(texts, markdown(t, a))
		var b strings.Builder
		if err := format.HTML(&b, a, format.Options{Fragment: true}); err != nil {
			t.Fatal(err)
		}
		allowed[i] = addresses(t, b.String())
	}
	for name, pages := range render(t, texts) {
		t.Run(name, func(t *testing.T) {
			for i, v := range vs {
				for address := range addresses(t, pages[i]) {
					if !allowed[i][address] && address != "#harmful-link" { // what mistune makes of javascript%3a
						t.Errorf("%q: address %q", v, address)
					}
				}
				for tag := range tags(t, pages[i]) {
					switch tag, attributes, _ := strings.Cut(tag, " "); {
					case strings.Contains(" html head body p em blockquote br ", " "+tag+" ") && attributes == "":
					case tag == "a" && strings.HasPrefix(attributes, "href=") && !strings.Contains(attributes, " "):
					case tag == "img" && strings.HasPrefix(attributes, "src=") && !strings.Contains(attributes, " "):
					default:
						t.Errorf("%q: %s %s", v, tag, attributes)
					}
				}
			}
		})
	}
}
