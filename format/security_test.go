package format_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/format"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// attributes lists the allowed elements and their attributes.
var attributes = map[string]string{
	"html": "lang dir", "head": "", "meta": "charset name property content", "title": "", "link": "rel href", "body": "",
	"article": "lang dir", "header": "", "section": "class", "h1": "", "h2": "", "h3": "", "h4": "", "h5": "", "h6": "",
	"p": "class", "time": "datetime", "a": "href", "strong": "", "em": "", "del": "", "sub": "", "sup": "", "code": "class",
	"br": "", "hr": "", "ul": "", "ol": "start", "li": "", "blockquote": "class", "pre": "",
	"table": "", "caption": "", "thead": "", "tbody": "", "tr": "", "th": "scope colspan rowspan", "td": "colspan rowspan",
	"figure": "class", "figcaption": "", "small": "class", "img": "src alt width height loading",
}

var (
	safeLink  = regexp.MustCompile(`^(?i:https?:|mailto:)|^[^:/?#&]*(?:[/?#]|$)`)
	safeImage = regexp.MustCompile(`^(?i:https?:)|^(?i:data:image/(?:png|jpeg|gif|webp|avif);base64,)[A-Za-z0-9+/=]*$|^[^:/?#&]*(?:[/?#]|$)`)
	control   = regexp.MustCompile(`[\x00-\x09\x0B-\x1F\x7F\x{80}-\x{9F}]`)
)

// checkHTML reports everything in HTML that is not allowed.
func checkHTML(t *testing.T, out []byte) {
	t.Helper()
	z := html.NewTokenizer(bytes.NewReader(out))
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if !errors.Is(z.Err(), io.EOF) {
				t.Error(z.Err())
			}
			return
		case html.CommentToken:
			t.Errorf("a comment: %s", z.Raw())
		case html.StartTagToken, html.SelfClosingTagToken:
			checkTag(t, z.Token())
		}
	}
}

func checkTag(t *testing.T, tok html.Token) {
	t.Helper()
	allowed, ok := attributes[tok.Data]
	if !ok {
		t.Errorf("element %s", tok)
	}
	seen := map[string]bool{}
	for _, at := range tok.Attr {
		if !strings.Contains(" "+allowed+" ", " "+at.Key+" ") || seen[at.Key] {
			t.Errorf("attribute %q of %s", at.Key, tok)
		}
		seen[at.Key] = true
		if at.Key == "href" && (!safeLink.MatchString(at.Val) || control.MatchString(at.Val)) {
			t.Errorf("link %q", at.Val)
		}
		if at.Key == "src" && (!safeImage.MatchString(at.Val) || control.MatchString(at.Val)) {
			t.Errorf("picture %q", at.Val)
		}
	}
	if tok.Data == "img" && !seen["alt"] {
		t.Errorf("no alt: %s", tok)
	}
}

func vectors(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, name := range []string{"testdata/xss.txt", "testdata/markdown.txt"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before := len(out)
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
		if n := len(out) - before; n < 70 {
			t.Fatalf("only %d vectors in %s", n, name)
		}
	}
	return out
}

func TestVectorsInHTML(t *testing.T) {
	for _, v := range vectors(t) {
		for _, opts := range []format.Options{{}, {Fragment: true}} {
			t.Run(v, func(t *testing.T) {
				var b bytes.Buffer
				if err := format.HTML(&b, filled(v), opts); err != nil {
					t.Fatal(err)
				}
				checkHTML(t, b.Bytes())
			})
		}
	}
}

// markdownLink matches the destination of a link or a picture, and what is in
// angle brackets.
var (
	markdownLink  = regexp.MustCompile(`[^\\]\]\(([^)]*)\)`)
	markdownAngle = regexp.MustCompile(`<([^>]*)`)
	knownAngle    = regexp.MustCompile(`^(?:/?(?:strong|em|del|sub|sup|code)|br|https?://[!-;=?-~]+)$`)
)

func TestVectorsInMarkdown(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v, func(t *testing.T) {
			a := filled(v)
			for i := range a.Body {
				a.Body[i].Code = "" // anything may stand in code
				for j := range a.Body[i].Spans {
					a.Body[i].Spans[j].Mark &^= 1 << 2
				}
			}
			a.Body = append(a.Body[:4], a.Body[6:]...)
			var b bytes.Buffer
			if err := format.Markdown(&b, a, format.Options{}); err != nil {
				t.Fatal(err)
			}
			for _, m := range markdownLink.FindAllSubmatch(b.Bytes(), -1) {
				if url := html.UnescapeString(string(m[1])); !safeLink.MatchString(url) && !safeImage.MatchString(url) {
					t.Errorf("link %q", url)
				}
			}
			for _, m := range markdownAngle.FindAllSubmatch(b.Bytes(), -1) {
				if !knownAngle.Match(m[1]) {
					t.Errorf("tag %q", m[1])
				}
			}
		})
	}
}

// TestVectorsInJSON checks that JSON has no address that HTML would not link to.
func TestVectorsInJSON(t *testing.T) {
	for _, v := range vectors(t) {
		a := filled(v)
		a.URL = ""
		var b bytes.Buffer
		if err := format.JSON(&b, a, format.Options{}); err != nil {
			t.Fatal(err)
		}
		var got article.Article
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		links, images := []string{got.Canonical}, []string{got.Lead.URL}
		for _, au := range got.Authors {
			links = append(links, au.URL)
		}
		for b := range got.Blocks() {
			for _, s := range b.Spans {
				links = append(links, s.Href)
			}
			if b.Image != nil {
				images = append(images, b.Image.URL)
			}
			if b.Video != nil {
				links, images = append(links, b.Video.URL), append(images, b.Video.Poster)
			}
			if b.Embed != nil {
				links = append(links, b.Embed.URL)
			}
		}
		for _, url := range links {
			if !safeLink.MatchString(url) {
				t.Errorf("%q: link %q", v, url)
			}
		}
		for _, url := range images {
			if !safeImage.MatchString(url) {
				t.Errorf("%q: picture %q", v, url)
			}
		}
	}
}

// nested wraps a paragraph in n layers, each with a paragraph of its own.
func nested(n int, layer func(inner []article.Block) article.Block) []article.Block {
	bs := []article.Block{textBlock("innermost")}
	for range n {
		bs = []article.Block{textBlock("x"), layer(bs)}
	}
	return bs
}

var layers = map[string]func([]article.Block) article.Block{
	"quote": func(bs []article.Block) article.Block { return article.Block{Kind: article.Quote, Blocks: bs} },
	"list": func(bs []article.Block) article.Block {
		return article.Block{Kind: article.List, Ordered: true, Items: [][]article.Block{bs}}
	},
	"table": func(bs []article.Block) article.Block {
		return article.Block{Kind: article.Table, Rows: [][]article.Cell{{{Blocks: bs}}}}
	},
}

// TestAbsurdNesting writes very deep articles in linear time.
func TestAbsurdNesting(t *testing.T) {
	for kind, layer := range layers {
		for _, name := range format.Names() {
			t.Run(kind+"/"+name, func(t *testing.T) {
				testkit.Linear(t, 10_000, func(n int) func() {
					a := &article.Article{Body: nested(n, layer)}
					return func() {
						var b bytes.Buffer
						if err := format.Write(&b, a, name, format.Options{}); err != nil {
							t.Error(err)
						}
						if !strings.Contains(b.String(), "innermost") {
							t.Error("text is lost")
						}
						if b.Len() > 20<<20 {
							t.Errorf("%d bytes", b.Len())
						}
					}
				})
			})
		}
	}
}

func TestDepthIsCapped(t *testing.T) {
	var b bytes.Buffer
	if err := format.HTML(&b, &article.Article{Body: nested(500, layers["quote"])}, format.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "<blockquote>"); n != 100 {
		t.Errorf("%d quotes", n)
	}
	if n := strings.Count(b.String(), "x"); n < 500 {
		t.Errorf("%d paragraphs of 500", n)
	}
}

// TestLongRuns writes long runs of characters that need lookahead or lookbehind in
// linear time.
func TestLongRuns(t *testing.T) {
	long := map[string]func(n int) article.Block{
		"spans": func(n int) article.Block {
			spans := make([]article.Span, n)
			for i := range spans {
				spans[i] = article.Span{Text: "a", Mark: article.Mark(i % 64), Href: []string{"", "/x", "/y"}[i%3]}
			}
			return para(spans...)
		},
		"blanks": func(n int) article.Block {
			spans := make([]article.Span, n)
			for i := range spans {
				spans[i] = article.Span{Text: " ", Mark: article.Mark(i % 2)}
			}
			return para(append(spans, article.Span{Text: "x"})...)
		},
	}
	for _, s := range []string{"http://[", "www._", "http://x)))", "&a", "*", "_", "`", "\n", "1.", "\\", "<", " "} {
		long[s] = func(n int) article.Block { return textBlock(strings.Repeat(s, n)) }
	}
	for name, block := range long {
		for _, f := range format.Names() {
			t.Run(fmt.Sprintf("%q/%s", name, f), func(t *testing.T) {
				testkit.Linear(t, 30_000, func(n int) func() {
					a := &article.Article{Body: []article.Block{block(n)}}
					return func() {
						if err := format.Write(&bytes.Buffer{}, a, f, format.Options{}); err != nil {
							t.Error(err)
						}
					}
				})
			})
		}
	}
}

func TestWideTable(t *testing.T) {
	var rows [][]article.Cell
	for range 1000 {
		rows = append(rows, []article.Cell{{ColSpan: 1 << 30, RowSpan: 1 << 30}, {ColSpan: 1000, Blocks: []article.Block{textBlock("a")}}})
	}
	a := &article.Article{Body: []article.Block{{Kind: article.Table, Rows: rows}}}
	for _, name := range format.Names() {
		var b bytes.Buffer
		if err := format.Write(&b, a, name, format.Options{}); err != nil {
			t.Fatal(err)
		}
		if b.Len() > 4<<20 {
			t.Errorf("%s: %d bytes", name, b.Len())
		}
	}
}

// filled returns an article with s in every string field.
func filled(s string) *article.Article {
	image := &article.Image{URL: s, Alt: s, Caption: s, Credit: s}
	good := &article.Image{URL: "https://img.example/a.png", Alt: s, Caption: s, Credit: s, Width: 1, Height: 1}
	spans := []article.Span{
		{Text: s},
		{Text: s, Mark: article.Strong},
		{Text: s, Mark: article.Strong | article.Emphasis, Href: s},
		{Text: "a" + s + "b", Mark: article.Emphasis | article.Strike},
		{Text: s, Mark: article.Monospace, Href: "https://example.com/" + s},
		{Text: "x", Mark: article.Subscript, Href: s},
		{Text: s, Mark: article.Superscript},
	}
	words := []article.Block{{Kind: article.Paragraph, Spans: spans}}
	return &article.Article{
		URL: s, Canonical: s, Title: s, Standfirst: s,
		Authors: []article.Author{{Name: s, URL: s}, {Name: "x", URL: s}},
		Lang:    s, Site: s, Section: s, Tags: []string{s}, Lead: image,
		Body: []article.Block{
			words[0],
			{Kind: article.Heading, Level: 2, Spans: spans},
			{Kind: article.List, Items: [][]article.Block{words, words}},
			{Kind: article.Quote, Blocks: words},
			{Kind: article.Table, Spans: spans, Rows: [][]article.Cell{
				{{Header: true, Blocks: words}, {Blocks: []article.Block{{Kind: article.Picture, Image: image}}}},
				{{Blocks: []article.Block{{Kind: article.Code, Code: s, Lang: s}}}, {Blocks: words, ColSpan: -1}},
			}},
			{Kind: article.Code, Code: s, Lang: s},
			{Kind: article.Picture, Image: image},
			{Kind: article.Picture, Image: good},
			{Kind: article.Picture},
			{Kind: article.Video, Video: &article.Media{URL: s, Title: s, Poster: s, Caption: s}},
			{Kind: article.Video, Video: &article.Media{URL: "https://v.example/1", Title: s, Poster: "https://v.example/1.png"}},
			{Kind: article.Video, Video: &article.Media{URL: s, Title: "x"}},
			{Kind: article.Video},
			{Kind: article.Embed, Embed: &article.Post{URL: s, Author: s, Text: s}},
			{Kind: article.Embed, Embed: &article.Post{URL: "https://x.example/1", Author: s, Text: s}},
			{Kind: article.Embed},
			{Kind: article.Rule},
		},
		Comments: []string{s}, Type: article.PageType(s), Method: s,
	}
}
