package styled_test

import (
	"context"
	_ "embed"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/styled"
)

//go:embed testdata/audit.js
var audit string

// TestInBrowser opens the golden articles in Chromium, on a phone and on a
// desk: nothing sticks out, nothing is asked for, all can be read.
func TestInBrowser(t *testing.T) {
	b := openBrowser(t)
	for _, g := range goldens {
		t.Run(g.story, func(t *testing.T) {
			b.open(t, write(t, wide(story(t, g.story)), g.opts))
			for _, width := range []int64{320, 360, 768, 1280} {
				if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 800)); err != nil {
					t.Fatal(err)
				}
				if w := eval[float64](t, b, `document.documentElement.scrollWidth`); w > float64(width) {
					t.Errorf("%v wide on a screen of %d", w, width)
				}
				for _, fault := range eval[[]string](t, b, audit) {
					t.Errorf("at %d: %s", width, fault)
				}
			}
			if n := eval[int](t, b, `document.querySelectorAll("h1").length`); n != 1 {
				t.Errorf("%d h1", n)
			}
			b.quiet(t)
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

// TestLookInBrowser holds that a look is seen as it was given.
func TestLookInBrowser(t *testing.T) {
	b := openBrowser(t)
	b.open(t, write(t, story(t, "english"), goldens[0].opts))
	if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(1280, 800)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ css, prop, want string }{
		{"h1", "font-family", `"Playfair Display", Georgia, serif`}, {"h1", "font-size", "40px"}, {"h1", "font-weight", "900"},
		{"h1", "color", "rgb(255, 233, 201)"}, {"h1", "text-align", "center"}, {"h1", "text-transform", "uppercase"}, {"h1", "line-height", "44px"},
		{"article > p:not([class])", "font-family", "Verdana, sans-serif"}, {"article > p:not([class])", "font-size", "17px"}, {"article > p:not([class])", "color", "rgb(230, 237, 243)"},
		{".standfirst", "font-style", "italic"}, {".standfirst", "font-family", "Georgia, serif"}, {".byline", "font-weight", "700"},
		{".lede", "background-color", "rgb(34, 46, 60)"}, {"h2", "font-size", "26px"}, {"blockquote", "background-color", "rgb(255, 233, 201)"},
		{"figcaption", "font-size", "13px"}, {"article > p a", "color", "rgb(124, 184, 255)"}, {"body", "background-color", "rgb(21, 29, 38)"},
	} {
		if got := eval[string](t, b, `getComputedStyle(document.querySelector("`+c.css+`")).getPropertyValue("`+c.prop+`")`); got != c.want {
			t.Errorf("%s of %s is %s, want %s", c.prop, c.css, got, c.want)
		}
	}
	if n := eval[int](t, b, `[...document.images].filter((i) => i.complete && i.naturalWidth > 0).length`); n != 3 {
		t.Errorf("%d pictures are shown", n)
	}
	b.quiet(t)
}

// TestPolicyHolds puts into a file what should never get there, and sees that
// it does nothing.
func TestPolicyHolds(t *testing.T) {
	b := openBrowser(t)
	out := strings.Replace(string(write(t, smallStory(), styled.Options{})), "<article>",
		`<article><script>document.title = "ran"</script><img src="https://evil.example/a.png" onerror="document.title = 'ran'"><p style="color: red" id="x">`, 1)
	b.open(t, []byte(out))
	if title := eval[string](t, b, `document.title`); title != "A wall" {
		t.Errorf("a script ran: %q", title)
	}
	if c := eval[string](t, b, `getComputedStyle(document.querySelector("#x")).color`); c == "rgb(255, 0, 0)" {
		t.Error("a style of another was applied")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.bad {
		if strings.HasPrefix(s, "answer") {
			t.Error(s)
		}
	}
}

// browser is a tab.
type browser struct {
	ctx  context.Context
	file string

	mu  sync.Mutex
	bad []string // what a styled article must not do
}

func openBrowser(t *testing.T) *browser {
	t.Helper()
	dir := t.TempDir()
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)), chromedp.UserDataDir(filepath.Join(dir, "profile")),
		chromedp.Flag("disable-component-update", true))
	if os.Geteuid() == 0 {
		opts = append(opts, chromedp.NoSandbox) // Chromium has no sandbox for root
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) })
	b := &browser{ctx: ctx, file: filepath.Join(dir, "article.html")}
	if err := chromedp.Do(ctx); err != nil { // starts the browser
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	b.watch()
	return b
}

// chromium finds the browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("LEDE_CHROMIUM"); path != "" {
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium on PATH: install it (apt install chromium), or set LEDE_CHROMIUM to its path")
	return ""
}

// watch notes messages, requests and answers.
func (b *browser) watch() {
	note := func(s string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.bad = append(b.bad, s)
	}
	foreign := func(address string) bool {
		return !strings.HasPrefix(address, "file:") && !strings.HasPrefix(address, "data:")
	}
	console := chromedp.Console(b.ctx)
	requests := chromedp.Events(b.ctx, network.RequestWillBeSent)
	answers := chromedp.Events(b.ctx, network.ResponseReceived)
	go func() {
		for m, err := range console {
			if err == nil {
				note("console: " + m.String())
			}
		}
	}()
	go func() {
		for r, err := range requests {
			if err == nil && foreign(r.Request.URL) {
				note("request: " + r.Request.URL)
			}
		}
	}()
	go func() {
		for r, err := range answers {
			if err == nil && foreign(r.Response.URL) {
				note("answer: " + r.Response.URL)
			}
		}
	}()
}

func (b *browser) open(t *testing.T, page []byte) {
	t.Helper()
	if err := os.WriteFile(b.file, page, 0o666); err != nil {
		t.Fatal(err)
	}
	address := (&url.URL{Scheme: "file", Path: filepath.ToSlash(b.file)}).String()
	if err := chromedp.Do(b.ctx, chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
}

func (b *browser) quiet(t *testing.T) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.bad {
		t.Error(s)
	}
	b.bad = nil
}

func eval[T any](t *testing.T, b *browser, js string) T {
	t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](js))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
