package serve

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestBookmarklet sends a page of another site as the browser has it: after its scripts.
func TestBookmarklet(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!DOCTYPE html><meta charset="utf-8"><title>Story</title><body><main id="app"></main><script>
			document.querySelector("#app").innerHTML = "<h1>Written by a script: “naïve” 海鸥 &lt;/textarea></h1>" + "<p>A paragraph that only a browser has, with commas and a good length for a story.</p>".repeat(6);
		</script>`)
	}))
	defer site.Close()
	app := openApp(t, Options{Token: `to"k'en</script>`}, 1000, 800)
	app.Click("#bookmarklet-open")
	app.WaitFor(`document.querySelector("#bookmarklet .drag")?.textContent === "Send to lede" && document.querySelector("#bookmarklet-body").textContent.includes(location.host)`, "the link, and to whom it sends")
	address := testkit.Evaluate[string](app.Tab, `document.querySelector("#bookmarklet .drag").getAttribute("href")`)
	app.Click("#bookmarklet .drag")
	app.WaitFor(`document.querySelector("#message").textContent.startsWith("Drag this link") && document.querySelector("#bookmarklet").open`, "a hint for a click")
	code, ok := strings.CutPrefix(address, "javascript:")
	script, err := url.PathUnescape(code)
	if !ok || err != nil || strings.ContainsAny(code, " \"<>\n") {
		t.Fatalf("%v: %s", err, address)
	}

	page := testkit.NewTab(t, 1000, 800)
	page.Navigate(site.URL + "/story?a=1&b=2")
	sent := openedBy(t, page, script, app.root)
	shown := &appTab{sent, t, app.root}
	shown.WaitFor(`location.pathname === "/" && document.querySelector(".story h2")?.textContent === "Written by a script: “naïve” 海鸥 </textarea>"`, "the article in the service")
	shown.WaitFor(`document.querySelector("#sent") === null`, "the page taken out of the document")
	shown.choose("facts")
	shown.WaitFor(`document.querySelector(".facts").textContent.includes("/story?a=1&b=2")`, "the address of the page")
	shown.choose("page")
	shown.checkRecord()
	if testkit.Evaluate[int](page, `document.querySelectorAll("form").length`) != 0 {
		t.Error("the form is still in the page")
	}

	// Without the token, other sites can do nothing.
	refused := openedBy(t, page, strings.ReplaceAll(script, "k'en", "ken"), app.root)
	refused.WaitFor(`location.pathname === "/ui/send" && document.querySelector("h1")?.textContent === "A key is needed" && !document.querySelector("#sent")`, "a refusal")
}

// openedBy runs a script in a tab and returns the tab that it opens at an address.
func openedBy(t *testing.T, page *testkit.Tab, script, address string) *testkit.Tab {
	return page.Opened(address, func() {
		gesture := true
		_, err := chromedp.Run(page.Context, chromedp.Evaluate[bool]("("+script+", true)", func(p *runtime.EvaluateParams) { p.UserGesture = &gesture }))
		if err != nil {
			t.Fatal(err)
		}
	})
}
