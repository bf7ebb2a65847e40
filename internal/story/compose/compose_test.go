package compose

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

var update = flag.Bool("update", false, "update the expected results in testdata")

const pageURL = "https://paper.example/news/story.html"

func parse(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// all returns a mask of all nodes.
func all(d *dom.Document) []bool {
	mask := make([]bool, d.Len())
	for i := range mask {
		mask[i] = true
	}
	return mask
}

// TestBlocks runs the cases of testdata/*.txt: "### name", the page, "---", and
// the result of dump.
func TestBlocks(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for c := range strings.SplitSeq(strings.TrimPrefix(string(src), "### "), "\n### ") {
			name, rest, _ := strings.Cut(c, "\n")
			page, want, _ := strings.Cut(rest+"\n", "\n---\n")
			page = strings.TrimSuffix(page, "\n")
			d := parse(t, page)
			blocks := Blocks(d, all(d), Options{URL: pageURL, Pictures: true})
			got := dump(blocks.Article())
			fmt.Fprintf(&out, "### %s\n%s\n---\n%s", name, page, got)
			if !*update && strings.TrimSpace(got) != strings.TrimSpace(want) {
				t.Errorf("%s: %s:\n%s\ngives\n%s\nwant\n%s", file, name, page, got, want)
			}
			plain := Blocks(d, all(d), Options{URL: pageURL})
			if a, b := article.Text(blocks.Article()), article.Text(plain.Article()); a != b {
				t.Errorf("%s: %s: the text depends on pictures:\n%s\nwithout\n%s", file, name, a, b)
			}
		}
		if *update {
			if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// dump returns one line for each block, with nested blocks indented.
func dump(blocks []article.Block) string {
	var b strings.Builder
	dumpTo(&b, blocks, "")
	return b.String()
}

func dumpTo(w *strings.Builder, blocks []article.Block, in string) {
	for _, b := range blocks {
		switch b.Kind {
		case article.Paragraph:
			fmt.Fprintf(w, "%sp %s\n", in, spans(b.Spans))
		case article.Heading:
			fmt.Fprintf(w, "%sh%d %s\n", in, b.Level, spans(b.Spans))
		case article.List:
			name := "ul"
			if b.Ordered {
				name = "ol"
			}
			if b.Start != 0 {
				name += fmt.Sprint(" from ", b.Start)
			}
			fmt.Fprintf(w, "%s%s\n", in, name)
			for _, it := range b.Items {
				fmt.Fprintf(w, "%s  li\n", in)
				dumpTo(w, it, in+"    ")
			}
		case article.Quote:
			fmt.Fprintf(w, "%squote\n", in)
			dumpTo(w, b.Blocks, in+"  ")
		case article.Table:
			fmt.Fprintf(w, "%s\n", strings.TrimRight(in+"table "+spans(b.Spans), " "))
			for _, row := range b.Rows {
				fmt.Fprintf(w, "%s  tr\n", in)
				for _, c := range row {
					name := "td"
					if c.Header {
						name = "th"
					}
					if c.ColSpan > 0 {
						name += fmt.Sprint(" cols ", c.ColSpan)
					}
					if c.RowSpan > 0 {
						name += fmt.Sprint(" rows ", c.RowSpan)
					}
					fmt.Fprintf(w, "%s    %s\n", in, name)
					dumpTo(w, c.Blocks, in+"      ")
				}
			}
		case article.Code:
			fmt.Fprintf(w, "%scode %s %q\n", in, b.Lang, b.Code)
		case article.Picture:
			fmt.Fprintf(w, "%spicture %s alt=%q caption=%q credit=%q %dx%d\n", in, b.Image.URL, b.Image.Alt, b.Image.Caption, b.Image.Credit, b.Image.Width, b.Image.Height)
		case article.Video:
			fmt.Fprintf(w, "%svideo %s title=%q poster=%q caption=%q\n", in, b.Video.URL, b.Video.Title, b.Video.Poster, b.Video.Caption)
		case article.Embed:
			fmt.Fprintf(w, "%sembed %s author=%q date=%s text=%q\n", in, b.Embed.URL, b.Embed.Author, b.Embed.Date, b.Embed.Text)
		case article.Rule:
			fmt.Fprintf(w, "%srule\n", in)
		}
	}
}

func spans(list []article.Span) string {
	var b strings.Builder
	for _, s := range list {
		text := strings.ReplaceAll(s.Text, "\n", "⏎")
		if s.Mark != 0 {
			name, _ := s.Mark.MarshalText()
			text = fmt.Sprintf("{%s|%s}", name, text)
		}
		if s.Href != "" {
			text = fmt.Sprintf("[%s](%s)", text, s.Href)
		}
		b.WriteString(text)
	}
	return b.String()
}

// TestMask selects all text nodes except one, but no elements.
func TestMask(t *testing.T) {
	tests := []struct{ name, page, drop, want string }{
		{"text in the middle", "<p>One <b>two</b> three.</p>", "two", "p One three.\n"},
		{"a line break between sentences", "<p>The cranes of the harbour stood still on Monday.<br>The crews had voted for it.</p>", "", "p The cranes of the harbour stood still on Monday.\np The crews had voted for it.\n"},
		{"a line break between quotations", "<p>“The cranes of the harbour will stand still.”<br>“We have voted for it.”</p>", "", "p “The cranes of the harbour will stand still.”\np “We have voted for it.”\n"},
		{"an empty element as a line break", "<div>Cranes stand still.<span class='x br'></span>Crews vote.</div>", "", "p Cranes stand still.\np Crews vote.\n"},
		{"an empty element inside a word", "<p>The har<span class='hyphen'></span>bour.</p>", "", "p The harbour.\n"},
		{"line breaks that are not selected", "<div>One<br>two<br>three</div>", "two", "p One\np three\n"},
		{"a block in the middle of text", "<div>One <div>two</div> three</div>", "two", "p One\np three\n"},
		{"item", "<ul><li>One</li><li>two</li></ul>", "two", "ul\n  li\n    p One\n"},
		{"cell", "<table><tr><th>One</th><th>two</th></tr></table>", "two", "table\n  tr\n    th\n      p One\n    th\n"},
		{"heading", "<h2>two</h2><p>One</p>", "two", "p One\n"},
		{"everything", "<h2>two</h2><ul><li>two</li></ul><blockquote>two</blockquote>", "two", ""},
		{"code", "<pre>a = {1}; <b>two</b> c = {2};</pre>", "two", "code  \"a = {1};  c = {2};\"\n"},
	}
	for _, tc := range tests {
		d := parse(t, tc.page)
		mask := make([]bool, d.Len())
		for n := range mask {
			mask[n] = d.IsText(dom.Node(n)) && d.Text(dom.Node(n)) != tc.drop
		}
		if got := dump(Blocks(d, mask, Options{Pictures: true}).Article()); got != tc.want {
			t.Errorf("%s: %s\ngives\n%swant\n%s", tc.name, tc.page, got, tc.want)
		}
	}
}

func TestCaptionsAsText(t *testing.T) {
	const page = `<p>Body.</p><figure><img src="a.jpg"><figcaption>Under it.</figcaption></figure>`
	d := parse(t, page)
	for _, tc := range []struct {
		opts Options
		want string
	}{
		{Options{}, "Body."},
		{Options{Pictures: true}, "Body."},
		{Options{Captions: true}, "Body.\nUnder it."},
		{Options{Captions: true, Pictures: true}, "Body.\nUnder it."},
		{Options{CaptionFallback: true}, "Body.\nUnder it."},
	} {
		if got := article.Text(Blocks(d, all(d), tc.opts).Article()); got != tc.want {
			t.Errorf("%+v: %q, want %q", tc.opts, got, tc.want)
		}
	}
}

func TestLinksWithoutAddress(t *testing.T) {
	d := parse(t, `<p><a href="/x">x</a> <a href="https://o.example/">o</a> <a href="javascript:x">j</a></p>`)
	const want = "p [x](/x) [o](https://o.example/) j\n"
	for _, addr := range []string{"", "http://[bad"} {
		if got := dump(Blocks(d, all(d), Options{URL: addr}).Article()); got != want {
			t.Errorf("%q: %s, want %s", addr, got, want)
		}
	}
}

func TestDropHeadline(t *testing.T) {
	tests := []struct{ name, page, title, want string }{
		{"first", "<h1>The Bridge</h1><p>Body.</p>", "The Bridge", "Body."},
		{"other case and spaces", "<h1>THE  bridge</h1><p>Body.</p>", "The Bridge", "Body."},
		{"third", "<p>Town</p><p>Monday</p><h2>The Bridge</h2><p>Body.</p>", "The Bridge", "Town\nMonday\nBody."},
		{"further down it is part of the story", "<p>a</p><p>b</p><p>c</p><p>The Bridge</p>", "The Bridge", "a\nb\nc\nThe Bridge"},
		{"only once", "<h1>The Bridge</h1><h1>The Bridge</h1>", "The Bridge", "The Bridge"},
		{"part of a paragraph", "<p>The Bridge is new.</p>", "The Bridge", "The Bridge is new."},
		{"no title", "<p>Body.</p>", "", "Body."},
	}
	for _, tc := range tests {
		d := parse(t, tc.page)
		body := Blocks(d, all(d), Options{})
		if got := article.Text(DropHeadline(body, tc.title).Article()); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// nest returns a tree of nested elements, deeper than a parser allows, with a
// word before and after each.
func nest(depth int, tags ...string) *html.Node {
	root := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	at := root
	for i := range depth {
		tag := tags[i%len(tags)]
		n := &html.Node{Type: html.ElementNode, Data: tag, DataAtom: atom.Lookup([]byte(tag))}
		at.AppendChild(&html.Node{Type: html.TextNode, Data: "in "})
		at.AppendChild(n)
		at.AppendChild(&html.Node{Type: html.TextNode, Data: " out"})
		at = n
	}
	at.AppendChild(&html.Node{Type: html.TextNode, Data: "bottom"})
	return root
}

// TestDeepTrees composes trees of 10,000 levels without a stack overflow,
// quadratic time or a lost word.
func TestDeepTrees(t *testing.T) {
	for _, tags := range []string{"div", "span", "b i", "ul li", "blockquote", "figure", "table tbody tr td", "h2", "a", "pre", "dl dd", "pre span", "div figure ul li b"} {
		t.Run(tags, func(t *testing.T) {
			testkit.Linear(t, 10_000, func(depth int) func() {
				root := nest(depth, strings.Fields(tags)...)
				d, err := dom.FromNode(root, dom.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				return func() {
					text := article.Text(Blocks(d, all(d), Options{Pictures: true, Captions: true}).Article())
					if n := len(strings.Fields(text)); n != 2*depth+1 {
						t.Errorf("%d words, want %d", n, 2*depth+1)
					}
				}
			})
		})
	}
}

// TestWideTrees composes paragraphs and lists with very many parts in linear time.
func TestWideTrees(t *testing.T) {
	for _, piece := range []string{"<b>x</b> ", "x<br>", "<i>x</i>\n<img src=a.jpg>", "<li>x", "x<hr>", "<td>x", "<figure><noscript><img src=a.jpg></noscript>x</figure>", "<img src=a.jpg width=400><p class=caption>x</p>", "<blockquote>x y z a</blockquote>"} {
		t.Run(piece, func(t *testing.T) {
			testkit.Linear(t, 30_000, func(wide int) func() {
				d := parse(t, "<div>"+strings.Repeat(piece, wide))
				return func() { Blocks(d, all(d), Options{Pictures: true}) }
			})
		})
	}
}

// BenchmarkBlocks composes an article of about 2,000 words with all kinds of
// blocks.
func BenchmarkBlocks(b *testing.B) {
	const part = `<h2>Heading <a href="/x">linked</a></h2>
<p>The council of <b>Marston</b> met on Monday and decided, after a <a href="/debate">long debate</a>, to build the bridge.</p>
<figure><img src="a.jpg"><figcaption>The bridge. <span class="credit">Ann Lee</span></figcaption></figure>
<ul><li>One thing<ul><li>and another</li></ul></li><li>The last thing of all</li></ul>
<blockquote><p>We will see, said the mayor.</p></blockquote>
<table><tr><th>Year</th><th>Cost</th></tr><tr><td>2023</td><td>5</td></tr></table>`
	d := parse(b, strings.Repeat(part, 50))
	mask := all(d)
	b.SetBytes(int64(50 * len(part)))
	b.ReportAllocs()
	for b.Loop() {
		Blocks(d, mask, Options{URL: pageURL, Pictures: true})
	}
}
