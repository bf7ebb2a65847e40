package compose

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

var update = flag.Bool("update", false, "record what the cases in testdata give now")

const pageURL = "https://paper.example/news/story.html"

func parse(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// all keeps every node.
func all(d *dom.Document) []bool {
	mask := make([]bool, d.Len())
	for i := range mask {
		mask[i] = true
	}
	return mask
}

// TestBlocks sets the cases of testdata/*.txt: "### name", the page, "---",
// the blocks in the notation of dump.
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
			got := dump(blocks)
			fmt.Fprintf(&out, "### %s\n%s\n---\n%s", name, page, got)
			if !*update && strings.TrimSpace(got) != strings.TrimSpace(want) {
				t.Errorf("%s: %s:\n%s\ngives\n%s\nwant\n%s", file, name, page, got, want)
			}
			plain := Blocks(d, all(d), Options{URL: pageURL})
			if a, b := article.Text(blocks), article.Text(plain); a != b {
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

// dump writes blocks a line each, what is inside them indented.
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
