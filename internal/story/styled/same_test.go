package styled_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/story/styled"
)

// TestSameText checks on made-up pages that a styled article has the text of the
// article, and nothing else but captions.
func TestSameText(t *testing.T) {
	for _, site := range newsroom.New(5).Sites() {
		for i := 0; i < 8; i += testkit.Step(4, 8) {
			p := site.Page(i)
			checkPage(t, p.Gold.ID, p.HTML, p.Gold.URL)
		}
	}
}

// TestSameTextOnCorpora is TestSameText on real pages.
func TestSameTextOnCorpora(t *testing.T) {
	for _, name := range testkit.CorpusFiles(t, testkit.Step(300, 1000), "*") {
		checkPage(t, name, testkit.Gunzip(t, name), "https://paper.example/story")
	}
}

// TestSameTextOnRandomPages is TestSameText on random nestings of elements. They
// have no captions, which an article has above its tables and below its figures.
func TestSameTextOnRandomPages(t *testing.T) {
	tags := strings.Fields(`p p p div div section span b i a em ul ol li dl dt dd blockquote table tr td th h1 h2 h3 pre code figure
		x-part sub font center form button select noscript svg math details summary aside template ruby rt q mark small main`)
	attributes := []string{"", "", "", ` href="https://a.example/"`, ` class="noise"`, " hidden", ` style="float:left;width:200px"`, ` style="display:inline;color:red"`, ` colspan=3`}
	for seed := uint64(0); seed < 400; seed += uint64(testkit.Step(3, 8)) {
		r := rand.New(rand.NewPCG(seed, 2))
		var b strings.Builder
		var part func(depth int)
		part = func(depth int) {
			for range 1 + r.IntN(4) {
				switch k := r.IntN(16); {
				case k < 7:
					fmt.Fprintf(&b, "w%dw%s", r.IntN(1000), []string{" ", "\n", ". ", ", ", ""}[r.IntN(5)])
				case k == 7:
					b.WriteString([]string{"<br>", "<br><br>", "<hr>", `<img src="https://a.example/a.jpg" width="300">`, `<iframe src="https://v.example/embed/1"></iframe>`}[r.IntN(5)])
				case depth < 8:
					tag := tags[r.IntN(len(tags))]
					b.WriteString("<" + tag + attributes[r.IntN(len(attributes))] + ">")
					part(depth + 1)
					if r.IntN(8) > 0 {
						b.WriteString("</" + tag + ">")
					}
				}
			}
		}
		for range 5 {
			part(0)
		}
		page := "<!DOCTYPE html><title>A wall</title><div id=story><p>It holds.</p>" + b.String()
		x := explain(t, []byte(page))
		out := writeStory(t, x, styled.Options{Assets: []styled.Assets{always(pngOf(t, 4, 3))}})
		checkDocument(t, out)
		checkSameText(t, x.Article, out)
		if t.Failed() {
			t.Fatalf("seed %d: %s\n%s", seed, page, body(out))
		}
	}
}

func checkPage(t *testing.T, name string, page []byte, url string) {
	t.Helper()
	e, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	x, err := e.Explain(context.Background(), bytes.NewReader(page), lede.WithURL(url))
	if err != nil {
		return // no article
	}
	t.Run(name, func(t *testing.T) {
		out := writeStory(t, x, styled.Options{Assets: []styled.Assets{always(pngOf(t, 4, 3))}})
		checkDocument(t, out)
		checkSameText(t, x.Article, out)
	})
}

// checkSameText reports text of an article that a document lacks, and text of a
// story that is neither in the article nor in a caption. It compares letters,
// since white space depends on the layout.
func checkSameText(t testing.TB, a *article.Article, out []byte) {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	var story []rune
	var isCaption []bool
	for n := range doc.Descendants() {
		if n.Type == html.TextNode && within(n, "story") && !within(n, "missing") && !within(n, "watch") && !within(n, "video") {
			for _, r := range letters(n.Data) {
				story, isCaption = append(story, r), append(isCaption, within(n, "caption"))
			}
		}
	}
	count := map[rune]int{} // of captions that are not in an element of their own
	for b := range a.Blocks() {
		if b.Image != nil {
			for _, r := range letters(b.Image.Caption + b.Image.Credit) {
				count[r]++
			}
		}
		if b.Video != nil {
			for _, r := range letters(b.Video.Caption) {
				count[r]++
			}
		}
	}
	want := letters(article.Text(a.Body))
	// Captions are part of the text if they were asked for, or if the article is
	// a gallery.
	missing, extra := match(want, story, isCaption, true, maps.Clone(count))
	if missing != "" || extra != "" {
		missing, extra = match(want, story, isCaption, false, count)
	}
	if missing != "" {
		t.Errorf("text is missing: %q", missing)
	}
	if extra != "" {
		t.Errorf("letters that are neither in the article nor in a caption: %q", extra)
	}
}

// match reads a text in a story, and returns the end of the text that was not
// found and the letters of the story that were not read, apart from captions.
func match(want, story []rune, isCaption []bool, skipCaptions bool, captions map[rune]int) (missing, extra string) {
	var more []rune
	for i, r := range story {
		switch {
		case isCaption[i] && skipCaptions:
		case len(want) > 0 && want[0] == r:
			want = want[1:]
		case !isCaption[i]:
			if captions[r]--; captions[r] < 0 {
				more = append(more, r)
			}
		}
	}
	return string(want), string(more)
}

func letters(s string) []rune {
	return []rune(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, s))
}

// within reports whether a node is in an element with a class. Captions are also
// in a <figcaption>, or beside the picture of a <figure>, where there may be more
// text than the article keeps.
func within(n *html.Node, class string) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if class == "caption" && (p.Data == "figcaption" || p.Data == "figure" && hasMedia(p)) {
			return true
		}
		for _, a := range p.Attr {
			if a.Key == "class" && slices.Contains(strings.Fields(a.Val), class) {
				return true
			}
		}
	}
	return false
}

func hasMedia(n *html.Node) bool {
	for c := range n.Descendants() {
		if c.Data == "img" || c.Type == html.ElementNode && within(c, "video") {
			return true
		}
	}
	return false
}
