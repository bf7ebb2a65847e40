package serve

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lede-news/lede/internal/testkit"
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

// TestWebAccessible checks every view with axe-core: light and dark, on a desk and on a
// phone. All rules are checked in two of these, and contrast in all.
func TestWebAccessible(t *testing.T) {
	script := axeScript(t)
	for name, c := range map[string]struct {
		width, height int64
		scheme, rules string
	}{
		"light": {1200, 850, "light", "{}"}, "dark phone": {360, 720, "dark", "{}"},
		"dark": {1200, 850, "dark", contrast}, "phone": {360, 720, "light", contrast},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && c.rules == contrast {
				t.Skip("left out in short mode")
			}
			tab := openApp(t, Options{}, c.width, c.height)
			tab.EmulateMedia("", map[string]string{"prefers-color-scheme": c.scheme, "prefers-reduced-motion": "reduce"})
			tab.eval("(() => {%s\n})()", script)
			axe := func(where string) { t.Helper(); tab.axe(where, c.rules) }
			axe("the start")
			tab.Click("#options-open")
			tab.Click("#paste-open")
			axe("the options")
			tab.Click("#options-open")
			tab.openHTML(sourceOf(t, "nested-lists-and-table"))
			for _, name := range []string{"article", "page", "methods", "facts", "export"} {
				tab.choose(name)
				if name == "page" {
					tab.eval(`document.querySelector(".legend button:last-child").click()`)
					tab.eval(`document.querySelector(".block-list").open = true`)
					tab.WaitFor(`document.querySelectorAll(".blocks li").length > 5 && !document.querySelector(".sheet").hidden`, "the explanation and the list")
				}
				axe(name)
			}
			for _, name := range []string{"bookmarklet", "help"} {
				tab.eval(`document.querySelector("#%s-open").click()`, name)
				tab.WaitFor(`document.querySelector("#`+name+`").open`, name)
				axe(name)
				tab.eval(`document.querySelector("#%s").close()`, name)
			}
			tab.eval(`(() => { document.querySelector("#source").value = ""; document.querySelector("#source-go").click(); })()`)
			tab.WaitFor(`document.querySelector("#problem .problem")`, "a problem")
			axe("a problem")
			tab.checkRecord()
		})
	}
}

// contrast chooses the rules that depend on colours.
const contrast = `{ runOnly: ["color-contrast", "link-in-text-block"] }`

// axe fails the test for each violation on the page. The page in the frame is not ours.
func (tab *appTab) axe(where, options string) {
	tab.t.Helper()
	found, err := chromedp.Run(tab.Context, chromedp.Evaluate[[]string](`axe.run(document, { iframes: false, preload: false, resultTypes: ["violations"], ...`+options+` }).then((r) =>
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
