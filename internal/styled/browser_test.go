package styled_test

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/styled"
	"github.com/lede-news/lede/internal/testkit"
)

//go:embed testdata/audit.js
var audit string

// TestInBrowser opens the golden articles in Chromium, in the width of a phone
// to that of a desktop: nothing overflows, nothing is requested, all of it is
// readable.
func TestInBrowser(t *testing.T) {
	for _, g := range goldens {
		t.Run(g.story, func(t *testing.T) {
			tab := testkit.NewTab(t, 1280, 800)
			tab.NavigateFile(write(t, wide(story(t, g.story)), g.opts))
			for _, width := range []int64{320, 360, 768, 1280} {
				tab.Resize(width, 800)
				if w := testkit.Evaluate[float64](tab, `document.documentElement.scrollWidth`); w > float64(width) {
					t.Errorf("%v wide on a screen of %d", w, width)
				}
				for _, fault := range testkit.Evaluate[[]string](tab, audit) {
					t.Errorf("at %d: %s", width, fault)
				}
			}
			if n := testkit.Evaluate[int](tab, `document.querySelectorAll("h1").length`); n != 1 {
				t.Errorf("%d h1", n)
			}
			checkRecord(tab)
		})
	}
}

// wide adds to a story what is wider than a phone.
func wide(a *article.Article) *article.Article {
	long := []article.Span{{Text: strings.Repeat("unbreakable", 30)}}
	var row []article.Cell
	for range 12 {
		row = append(row, article.Cell{Blocks: []article.Block{{Kind: article.Paragraph, Spans: []article.Span{{Text: "12,345,678"}}}}})
	}
	a.Body = append(a.Body,
		article.Block{Kind: article.Paragraph, Spans: long}, article.Block{Kind: article.Heading, Level: 2, Spans: long},
		article.Block{Kind: article.Table, Spans: long, Rows: [][]article.Cell{row, row}}, article.Block{Kind: article.Code, Code: long[0].Text},
		article.Block{Kind: article.Picture, Image: &article.Image{URL: "https://img.example/wall.jpg", Width: 3000, Height: 2000, Caption: long[0].Text}},
	)
	return a
}

// TestLookInBrowser compares computed styles with the look.
func TestLookInBrowser(t *testing.T) {
	tab := testkit.NewTab(t, 1280, 800)
	tab.NavigateFile(write(t, story(t, "english"), goldens[0].opts))
	for _, c := range []struct{ css, prop, want string }{
		{"h1", "font-family", `"Playfair Display", Georgia, serif`}, {"h1", "font-size", "40px"}, {"h1", "font-weight", "900"},
		{"h1", "color", "rgb(255, 233, 201)"}, {"h1", "text-align", "center"}, {"h1", "text-transform", "uppercase"}, {"h1", "line-height", "44px"},
		{"article > p:not([class])", "font-family", "Verdana, sans-serif"}, {"article > p:not([class])", "font-size", "17px"}, {"article > p:not([class])", "color", "rgb(230, 237, 243)"},
		{".standfirst", "font-style", "italic"}, {".standfirst", "font-family", "Georgia, serif"}, {".byline", "font-weight", "700"},
		{".lede", "background-color", "rgb(34, 46, 60)"}, {"h2", "font-size", "26px"}, {"blockquote", "background-color", "rgb(255, 233, 201)"},
		{"figcaption", "font-size", "13px"}, {"article > p a", "color", "rgb(124, 184, 255)"}, {"body", "background-color", "rgb(21, 29, 38)"},
	} {
		if got := testkit.Evaluate[string](tab, `getComputedStyle(document.querySelector("`+c.css+`")).getPropertyValue("`+c.prop+`")`); got != c.want {
			t.Errorf("%s of %s is %s, want %s", c.prop, c.css, got, c.want)
		}
	}
	if n := testkit.Evaluate[int](tab, `[...document.images].filter((i) => i.complete && i.naturalWidth > 0).length`); n != 3 {
		t.Errorf("%d pictures are shown", n)
	}
	checkRecord(tab)
}

// TestPolicyHolds puts into a file what should never get there, and sees that
// it does nothing.
func TestPolicyHolds(t *testing.T) {
	tab := testkit.NewTab(t, 1280, 800)
	tab.IgnoreBlocked = true
	out := strings.Replace(string(write(t, smallStory(), styled.Options{})), "<article>",
		`<article><script>document.title = "ran"</script><img src="https://evil.example/a.png" onerror="document.title = 'ran'"><p style="color: red" id="x">`, 1)
	tab.NavigateFile([]byte(out))
	if title := testkit.Evaluate[string](tab, `document.title`); title != "A wall" {
		t.Errorf("a script ran: %q", title)
	}
	if c := testkit.Evaluate[string](tab, `getComputedStyle(document.querySelector("#x")).color`); c == "rgb(255, 0, 0)" {
		t.Error("a style of another was applied")
	}
	checkRecord(tab)
}

func TestMain(m *testing.M) { testkit.Main(m) }

// checkRecord allows requests for the file itself and for data only.
func checkRecord(tab *testkit.Tab) { tab.CheckRecord("file:", "data:") }
