package serve

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// appTab is a tab that shows the page at /.
type appTab struct {
	*testkit.Tab
	t    *testing.T
	root string // address of the service
}

// openApp starts the service and opens its page.
func openApp(t *testing.T, opts Options, width, height int64) *appTab {
	t.Helper()
	if opts.Token == "" {
		opts.Token = "secret"
	}
	srv := newServer(t, opts)
	tab := &appTab{testkit.NewTab(t, width, height), t, srv.URL}
	tab.Navigate(srv.URL + "/")
	tab.WaitFor(`document.querySelector("#version").textContent.startsWith("lede")`, "the configuration")
	return tab
}

// openHTML opens a page by pasting it into the box.
func (tab *appTab) openHTML(html string) {
	tab.t.Helper()
	tab.eval(`(() => {
		if (document.querySelector("#paste").hidden) document.querySelector("#paste-open").click();
		document.querySelector("#source").value = %s;
		document.querySelector("#source-go").click();
		document.querySelector("#paste-open").click();
	})()`, quote(html))
}

// openFile opens a page of testdata as if its file had been chosen.
func (tab *appTab) openFile(path string) {
	tab.t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		tab.t.Fatal(err)
	}
	tab.Do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{abs}))
}

// eval runs a script.
func (tab *appTab) eval(script string, args ...any) {
	tab.t.Helper()
	testkit.Evaluate[bool](tab.Tab, "("+fmt.Sprintf(script, args...)+", true)")
}

// select shows a tab by its name.
func (tab *appTab) choose(name string) {
	tab.t.Helper()
	tab.Click("#tab-" + name)
	tab.drawn(name)
}

// drawn waits until a tab has been drawn.
func (tab *appTab) drawn(name string) {
	tab.t.Helper()
	tab.WaitFor(`document.querySelector("#panel-`+name+`").dataset.drawn === "yes" && !document.querySelector("#panel-`+name+`").hidden`, "the tab "+name)
}

// checkRecord allows requests to the service and for data only.
func (tab *appTab) checkRecord() {
	tab.t.Helper()
	tab.CheckRecord(tab.root+"/", "data:", "about:", "blob:"+tab.root+"/")
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// clickBlock clicks the first text of the frame that begins with the words.
func (tab *appTab) clickBlock(words string) {
	tab.t.Helper()
	at := testkit.Evaluate[[]float64](tab.Tab, fmt.Sprintf(`(() => {
		const frame = document.querySelector("iframe");
		const span = [...frame.contentDocument.querySelectorAll("[data-b]")].find((e) => e.textContent.trim().toLowerCase().startsWith(%s));
		span.scrollIntoView({ block: "center", behavior: "instant" });
		const r = span.getClientRects()[0], g = frame.getBoundingClientRect();
		return [g.left + r.left + 8, g.top + r.top + r.height / 2];
	})()`, quote(words)))
	tab.Do(chromedp.MouseClickXY(at[0], at[1]))
}

// headline waits until the article has a headline.
func (tab *appTab) headline(text string) {
	tab.t.Helper()
	tab.WaitFor(`document.querySelector("#panel-article .story h2")?.textContent === `+quote(text), "the headline "+text)
}

// fetchAddress types an address into its field and fetches it.
func (tab *appTab) fetchAddress(address string) {
	tab.t.Helper()
	tab.eval(`(() => { const field = document.querySelector("#address"); field.value = %s; field.focus(); })()`, quote(address))
	tab.Keys(kb.Enter)
}
