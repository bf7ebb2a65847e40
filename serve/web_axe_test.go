package serve

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// axeScript returns the script of axe-core, or skips the test.
func axeScript(t *testing.T) string {
	t.Helper()
	name := os.Getenv("LEDE_AXE")
	if name == "" {
		name = filepath.Join("..", "bin", "axe", "node_modules", "axe-core", "axe.min.js")
	}
	script, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no axe-core: run scripts/test.sh, or npm install --prefix bin/axe axe-core, or set LEDE_AXE to the path of axe.min.js")
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// TestWebAccessible checks every view with axe-core, light on a desk and dark on a phone.
func TestWebAccessible(t *testing.T) {
	script := axeScript(t)
	tab := openApp(t, Options{}, 1200, 850)
	tab.eval("(() => {%s\n})()", script)
	click := func(css string) func() {
		return func() { tab.eval(`document.querySelector(%s).click()`, quote(css)) }
	}
	choose := func(name string) func() { return func() { tab.choose(name) } }
	for _, view := range []struct {
		name string
		show func()
	}{
		{"start", func() {}},
		{"options", func() { click("#options-open")(); click("#paste-open")() }},
		{"problem", click("#source-go")},
		{"article", func() {
			click("#options-open")()
			tab.openHTML(sourceOf(t, "nested-lists-and-table"))
			tab.choose("article")
		}},
		{"page", func() {
			tab.choose("page")
			click(".legend button:last-child")()
			click(".block-list summary")()
			tab.WaitFor(`document.querySelectorAll(".blocks li").length > 5 && !document.querySelector(".sheet").hidden`, "the explanation and the list")
		}},
		{"methods", choose("methods")},
		{"facts", choose("facts")},
		{"export", choose("export")},
		{"bookmarklet", click("#bookmarklet-open")},
		{"help", func() { tab.eval(`document.querySelector("#bookmarklet").close()`); click("#help-open")() }},
	} {
		tab.as(1200, 850, "light")
		view.show()
		tab.axe(view.name + ", light")
		tab.as(360, 720, "dark")
		tab.axe(view.name + ", dark, on a phone")
	}
	tab.checkRecord()
}

// as sets the size of the window and the colours of the system.
func (tab *appTab) as(width, height int64, scheme string) {
	tab.t.Helper()
	tab.Resize(width, height)
	tab.EmulateMedia(map[string]string{"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"})
}

// axe fails the test for each violation on the page. The page in the frame is not ours.
func (tab *appTab) axe(where string) {
	tab.t.Helper()
	found, err := chromedp.Run(tab.Context, chromedp.Evaluate[[]string](`axe.run(document, { iframes: false, preload: false, resultTypes: ["violations"] }).then((r) =>
		r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + v.help + ": " + n.html.slice(0, 150) + " (" + n.failureSummary.replace(/\s+/g, " ").slice(0, 300) + ")")))`, chromedp.EvalAwaitPromise))
	if err != nil {
		tab.t.Fatal(err)
	}
	for _, v := range found {
		tab.t.Errorf("%s: %s", where, v)
	}
	if rules := testkit.Evaluate[int](tab.Tab, `axe.getRules().length`); rules < 50 {
		tab.t.Errorf("%d rules", rules)
	}
}
