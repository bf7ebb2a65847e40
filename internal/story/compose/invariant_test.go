package compose

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// Words of randomPage, and words without a space between them.
var (
	word  = regexp.MustCompile(`w[0-9]+w`)
	glued = regexp.MustCompile(`(?:w[0-9]+w){2,}`)
)

// randomPage returns a page of random nested elements in which every word is
// unique. It has no table captions, because they are moved above their tables.
func randomPage(r *rand.Rand) string {
	tags := []string{
		"p", "div", "span", "b", "i", "a", "em", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "table", "tr", "td",
		"th", "h2", "h3", "pre", "code", "figure", "section", "x-part", "sub", "font", "center",
	}
	var b strings.Builder
	words := 0
	word := func() {
		words++
		fmt.Fprintf(&b, "w%dw", words)
		if r.IntN(3) > 0 {
			b.WriteString([]string{" ", "\n", ". ", ", "}[r.IntN(4)])
		}
	}
	var part func(depth int)
	part = func(depth int) {
		for range 1 + r.IntN(4) {
			switch k := r.IntN(20); {
			case k < 9:
				word()
			case k == 9:
				b.WriteString("<br>")
			case k == 10:
				b.WriteString(`<img src="a.jpg" width="300">`)
			case k == 11:
				b.WriteString(`<iframe src="https://v.example/embed/1"></iframe>`)
			case k == 12:
				b.WriteString([]string{"<hr>", "<button>no</button>", `<span hidden>no</span>`, "<select><option>no</select>"}[r.IntN(4)])
			case depth < 8:
				t := tags[r.IntN(len(tags))]
				b.WriteString("<" + t + ">")
				part(depth + 1)
				b.WriteString("</" + t + ">")
			}
		}
	}
	for range 6 {
		part(0)
	}
	return b.String()
}

// TestNoWordIsLost composes random pages and checks that every visible selected
// word is in its place.
func TestNoWordIsLost(t *testing.T) {
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		page := randomPage(r)
		d := parse(t, page)
		mask := all(d)
		if seed%3 == 2 { // select text nodes without their elements
			for n := range mask {
				mask[n] = d.IsText(dom.Node(n)) && r.IntN(2) == 0
			}
		}
		blocks := Blocks(d, mask, Options{URL: pageURL, Pictures: true, Captions: true}).Article()
		text := article.Text(blocks)
		want := selectedWords(d, mask)
		// Captions are also added where nothing is selected.
		got := slices.DeleteFunc(word.FindAllString(text, -1), func(w string) bool {
			return !slices.Contains(want, w) && slices.Contains(wordsOfCaptions(blocks), w)
		})
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %s\nwords\n%v\nwant\n%v", seed, page, got, want)
		}
		for _, g := range glued.FindAllString(text, -1) {
			// In <pre>, words are joined as in the source.
			if !strings.Contains(d.AllText(), g) && !strings.Contains(page, "<pre>") {
				t.Fatalf("seed %d: %s\nwords are glued: %s\n%s", seed, page, g, text)
			}
		}
		on := Blocks(d, mask, Options{Pictures: true}).Article()
		off := Blocks(d, mask, Options{}).Article()
		if a, b := article.Text(on), article.Text(off); a != b {
			t.Fatalf("seed %d: %s\nthe text depends on pictures:\n%s\nwithout\n%s", seed, page, a, b)
		}
		for _, opts := range []Options{{Pictures: true, Captions: true}, {}} {
			body := Blocks(d, mask, opts)
			if got, want := wordsOf(d, body.Nodes()), word.FindAllString(article.Text(body.Article()), -1); !slices.Equal(got, want) {
				t.Fatalf("seed %d: %s\nwords of the nodes\n%v\nwant\n%v", seed, page, got, want)
			}
		}
		for b := range (&article.Article{Body: off}).Blocks() {
			if b.Kind == article.Picture || b.Kind == article.Video {
				t.Fatalf("seed %d: a picture remains", seed)
			}
		}
		for b := range (&article.Article{Body: on}).Blocks() {
			checkBlock(t, page, b)
		}
	}
}

func wordsOfCaptions(blocks []article.Block) []string {
	var words []string
	for b := range (&article.Article{Body: blocks}).Blocks() {
		if b.Kind == article.Picture {
			words = append(words, word.FindAllString(b.Image.Caption+" "+b.Image.Credit, -1)...)
		}
	}
	return words
}

func wordsOf(d *dom.Document, nodes []dom.Node) []string {
	var words []string
	for _, n := range nodes {
		if d.IsText(n) {
			words = append(words, word.FindAllString(d.Text(n), -1)...)
		}
	}
	return words
}

// checkBlock checks what formats rely on: no empty blocks, no leading or trailing
// space.
func checkBlock(t *testing.T, page string, b *article.Block) {
	t.Helper()
	bad := ""
	switch b.Kind {
	case article.Paragraph, article.Heading:
		if text := article.SpanText(b.Spans); text == "" || strings.TrimSpace(text) != text {
			bad = "leading or trailing space"
		}
		for _, s := range b.Spans {
			if s.Text == "" {
				bad = "empty span"
			}
		}
	case article.List:
		if len(b.Items) == 0 {
			bad = "empty list"
		}
	case article.Quote:
		if len(b.Blocks) == 0 {
			bad = "empty quote"
		}
	case article.Table:
		if len(b.Rows) == 0 {
			bad = "empty table"
		}
	}
	if bad != "" {
		t.Fatalf("%s: %s: %+v", page, bad, b)
	}
}

// selectedWords returns the words of the visible selected text nodes outside of
// controls.
func selectedWords(d *dom.Document, mask []bool) []string {
	var b strings.Builder
	for n := range mask {
		k := dom.Node(n)
		if mask[n] && d.IsText(k) && !d.Hidden(k) && d.Closest(k, dom.Button, dom.Select) == dom.None {
			b.WriteString(d.Raw(k))
		}
	}
	return word.FindAllString(b.String(), -1)
}
