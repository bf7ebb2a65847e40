package styled_test

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/page/browser"
	"github.com/lede-news/lede/internal/story/styled"
)

//go:embed testdata/audit.js
var audit string

// TestInBrowser opens the golden articles in Chromium, in the width of a phone
// to that of a desktop: nothing overflows, nothing is requested, all of it is
// readable.
func TestInBrowser(t *testing.T) {
	long := strings.Repeat("unbreakable", 30)
	wide := `<p>` + long + `</p><h2>` + long + `</h2><div style="width:2000px;margin-left:-400px;position:fixed">` + long + `</div>` +
		`<table width=3000><tr>` + strings.Repeat("<td>12,345,678", 30) + `<tr>` + strings.Repeat("<td>12,345,678", 30) + `</table><pre>` + long + `</pre>` +
		`<figure style="float:left;width:3000px"><img src="https://img.example/wall.jpg" width=3000 height=2000 style="width:3000px;max-width:none"><figcaption>` + long + `</figcaption></figure>`
	for _, g := range goldens {
		t.Run(g.page, func(t *testing.T) {
			tab := testkit.NewTab(t, 1280, 800)
			page := readFile(t, g.page+".html")
			at := strings.Index(page, `id="story"`)
			at += strings.IndexByte(page[at:], '>') + 1
			tab.NavigateFile(writePageAt(t, page[:at]+wide+page[at:], g.url, g.opts))
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

// TestLookInBrowser compares computed styles with those of the page, whether its
// styles are read from the page or computed by Chromium.
func TestLookInBrowser(t *testing.T) {
	t.Run("from the page", func(t *testing.T) { checkLook(t, nil) })
	t.Run("from Chromium", func(t *testing.T) {
		testkit.NewTab(t, 1280, 800) // skips the test without Chromium
		b, err := browser.New(t.Context(), browser.Options{Properties: styled.Properties()})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		checkLook(t, b)
	})
}

func checkLook(t *testing.T, b *browser.Browser) {
	tab := testkit.NewTab(t, 1280, 800)
	opts := goldens[0].opts
	x := explain(t, []byte(readFile(t, "english.html")), lede.WithURL(goldens[0].url))
	if b != nil {
		p, err := b.Layout(t.Context(), x.Document(), goldens[0].url)
		if err != nil {
			t.Fatal(err)
		}
		opts.Computed = p.Styles.Get
	}
	tab.NavigateFile(writeStory(t, x, opts))
	for _, c := range []struct{ css, prop, want string }{
		{"h1", "font-family", `"Playfair Display", Georgia, serif`}, {"h1", "font-size", "40px"}, {"h1", "font-weight", "900"},
		{"h1", "color", "rgb(255, 233, 201)"}, {"h1", "text-align", "center"}, {"h1", "text-transform", "uppercase"}, {"h1", "line-height", "44px"},
		{"header", "background-color", "rgb(43, 58, 75)"}, {".byline", "font-weight", "700"}, {".byline", "font-size", "14px"},
		{"body", "background-color", "rgb(21, 29, 38)"}, {"body", "color", "rgb(230, 237, 243)"}, {"body", "font-family", "Verdana, sans-serif"},
		{".story p", "font-size", "21px"}, {".story p", "background-color", "rgb(34, 46, 60)"}, {".story p", "text-align", "justify"},
		{".story p ~ p", "font-size", "17px"}, {".story p ~ p", "margin-bottom", "20.4px"}, {".story p a", "color", "rgb(124, 184, 255)"},
		{".story p a", "border-bottom-style", "dotted"}, {"h2", "font-size", "26px"}, {"h2", "border-top-width", "4px"}, {"h2", "font-family", "Georgia, serif"},
		{"h2 ~ figure", "float", "left"}, {"h2 ~ figure", "width", "260px"}, {"h2 ~ figure", "background-color", "rgb(255, 255, 255)"},
		{"h2 ~ figure figcaption", "font-size", "13px"}, {"blockquote", "background-color", "rgb(255, 233, 201)"},
		{"td", "border-bottom-width", "1px"}, {"td", "padding-right", "14px"},
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
	out := strings.Replace(string(writePage(t, small, styled.Options{})), "<article>",
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
