package serve

import (
	"fmt"
	"go/parser"
	"go/token"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/lab/testkit"
)

const ferry = "Ferry returns to Saltmarsh End after two years"

// TestWebInput opens pages without a URL, and changes options.
func TestWebInput(t *testing.T) {
	tab := openApp(t, Options{}, 1200, 850)
	tab.WaitFor(`document.querySelector("#by-address").hidden`, "no field for an address, since the service fetches nothing")
	tab.Click("#example")
	tab.headline("The last lock keeper of Ombersley keeps the gates for one more winter")
	tab.openFile("../testdata/pages/russian-windows-1251/source.html")
	tab.WaitFor(`document.querySelector(".story")?.lang.startsWith("ru")`, "a Russian article")

	// HTML in the box, by keys.
	tab.Click("#paste-open")
	tab.WaitFor(`document.activeElement.id === "source"`, "the focus in the box")
	tab.eval(`document.querySelector("#source").value = %s`, quote(sourceOf(t, "modern-semantic")))
	tab.Do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	tab.headline(ferry)

	// Options change the result, and are in the requests that the page shows.
	tab.Click("#options-open")
	tab.eval(`document.querySelector("#with input[value=comments]").click()`)
	tab.WaitFor(`document.querySelector(".comments")?.textContent.includes("About time too")`, "the comments")
	for list, value := range map[string]string{"method": "nce:paper", "favor": "recall"} {
		tab.eval(`(() => { const list = document.querySelector("#%s"); list.value = "%s"; list.dispatchEvent(new Event("change", { bubbles: true })); })()`, list, value)
	}
	for _, name := range []string{"article", "page", "methods", "facts", "export"} {
		tab.choose(name)
	}
	tab.WaitFor(`document.querySelector(".matrix thead").textContent.includes("nce:paper")`, "the chosen method among those compared")
	tab.WaitFor(`document.querySelector(".lines code").textContent.includes("method=nce%3Apaper&favor=recall&with=comments")`, "the options in the request of curl")
	tab.checkRecord()
}

// TestWebAddress opens pages by URL, and shows what goes wrong.
func TestWebAddress(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/story" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(sourceOf(t, "modern-semantic")))
	}))
	defer site.Close()
	tab := openApp(t, Options{Fetch: fetch.New(fetch.Options{AllowPrivate: true})}, 1200, 850)
	tab.fetchAddress(site.URL + "/story")
	tab.headline(ferry)
	tab.WaitFor(`new URLSearchParams(location.search).get("url") === `+quote(site.URL+"/story"), "an address to share")

	// A shared address is not fetched before a click.
	tab.Navigate(tab.root + "/?url=" + site.URL + "/story#article")
	tab.WaitFor(`document.activeElement.id === "go" && document.querySelector("#address").value === `+quote(site.URL+"/story")+` && document.querySelector("#result").hidden`, "the address in its field")
	tab.Keys(kb.Enter)
	tab.headline(ferry)

	tab.fetchAddress(site.URL + "/missing")
	tab.WaitFor(`document.querySelector("#problem[role=alert] .problem-title")?.textContent === "The site answered with an error"`, "the problem")
	tab.WaitFor(`document.querySelector("#problem").textContent.includes("404") && document.querySelector("#problem a[rel='noopener noreferrer']").href.endsWith("problems.md#status")`, "the status, and where to read more")
	tab.WaitFor(`document.querySelector(".story h2").textContent === `+quote(ferry), "the article from before")
}

// TestWebKey opens a service that needs a key.
func TestWebKey(t *testing.T) {
	h, secrets := newKeyed(t, Options{Token: "secret"}, "ann")
	srv := httptest.NewServer(h)
	defer srv.Close()
	tab := &appTab{testkit.NewTab(t, 1000, 800), t, srv.URL}
	tab.Navigate(srv.URL + "/")
	tab.WaitFor(`document.querySelector("#key").open && document.querySelector("#key-wrong").hidden && document.activeElement.id === "key-value"`, "the question for a key")
	tab.Keys("wrong" + kb.Enter)
	tab.WaitFor(`document.querySelector("#key").open && !document.querySelector("#key-wrong").hidden`, "the question again")
	tab.Keys(secrets[0] + kb.Enter)
	tab.WaitFor(`document.querySelector("#version").textContent.startsWith("lede") && !document.querySelector("#key").open`, "the configuration")
	tab.openHTML(sourceOf(t, "modern-semantic"))
	tab.headline(ferry)
	tab.choose("page")
}

// TestWebViews shows why blocks were kept and dropped, and the other tabs.
func TestWebViews(t *testing.T) {
	tab := openApp(t, Options{}, 1200, 850)
	tab.openHTML(sourceOf(t, "modern-semantic"))
	tab.headline(ferry)
	tab.WaitFor(`[...document.querySelectorAll(".story a")].every((a) => a.target === "_blank" && a.rel === "noopener noreferrer")`, "links in new tabs")
	tab.WaitFor(`!document.querySelector(".story img") && document.querySelector(".story .placeholder").ariaLabel === "A small ferry leaves a wooden pier"`, "a placeholder for the picture")

	tab.choose("page")
	tab.WaitFor(`document.querySelector("iframe").sandbox.value === "allow-same-origin" && /kept \d+.*dropped \d+.*headline 1/.test(document.querySelector(".marks").textContent)`, "a sandbox and the legend")
	tab.clickBlock("about time too")
	tab.WaitFor(`document.querySelector(".sheet h2").textContent === "Dropped" && /comment/.test(document.querySelector(".reasons").textContent)`, "why a comment was dropped")
	tab.clickBlock("boats will leave")
	tab.WaitFor(`document.querySelector(".sheet h2").textContent === "Kept" && document.querySelector("iframe").contentDocument.querySelector(".selected").textContent.startsWith("Boats")`, "why a paragraph was kept")

	tab.choose("methods")
	tab.WaitFor(`[...document.querySelectorAll(".matrix thead th")].map((e) => e.textContent).join() === "Block,blend,nce,coreex,twcem,stadynot,wrapper" && document.querySelectorAll(".agreement tbody tr").length === 6`, "the methods")
	tab.choose("facts")
	tab.WaitFor(`[...document.querySelectorAll(".facts tbody tr")].some((r) => r.cells[0].textContent === "Published" && r.cells[2].textContent.includes("JSON-LD"))`, "the date and its source")
	tab.choose("export")
	for format, want := range map[string]string{"md": "# " + ferry, "json": `"title": "` + ferry + `"`, "cleaned": "<article>"} {
		tab.Click(`[data-format=` + format + `]`)
		tab.WaitFor(fmt.Sprintf(`document.querySelector("[data-format=%s]").ariaPressed === "true" && document.querySelector(".preview").textContent.includes(%s)`, format, quote(want)), format)
	}

	// Keys: tabs by number, blocks by j, help, colours.
	tab.eval(`document.activeElement.blur()`)
	tab.Keys("2" + "jj")
	tab.WaitFor(`!document.querySelector(".sheet").hidden && document.querySelector("iframe").contentDocument.querySelector(".selected")`, "the explanation of a block")
	tab.Keys(kb.Escape + "?")
	tab.WaitFor(`document.querySelector("#help").open && document.querySelectorAll("#keys tr").length > 10`, "the help")
	tab.Keys(kb.Escape + "d")
	tab.WaitFor(`document.documentElement.dataset.theme === "dark"`, "dark colours")
	tab.checkRecord()

	// Nothing is wider than a phone.
	tab.Resize(360, 720)
	for _, name := range []string{"article", "page", "methods", "facts", "export"} {
		tab.choose(name)
		tab.WaitFor(`document.documentElement.scrollWidth <= 360`, name+" within 360 pixels")
	}

	// A page without an article is shown, without marks.
	tab.openHTML(`<title>Nothing</title><img alt="No"><script>1</script>`)
	tab.choose("page")
	tab.WaitFor(`document.querySelector("#panel-page [role=alert]") && document.querySelector("iframe").contentDocument.querySelector("img").alt === "No"`, "the page and the problem")
}

// TestUncover checks that a layer over the page is hidden, unless it has the article.
func TestUncover(t *testing.T) {
	tab := openApp(t, Options{}, 1200, 900)
	tab.openHTML(strings.Replace(lookPage, "<body>", `<body><div id=consent style="position:fixed;inset:0;background:#fff"><p>We value your privacy.</p><button>Agree</button></div>`, 1))
	tab.choose("page")
	tab.WaitFor(`(() => {
		const page = document.querySelector("#panel-page iframe").contentDocument;
		return page.querySelector("[data-r=kept]").getClientRects().length > 0 && !page.querySelector("#consent")?.getClientRects().length;
	})()`, "the article instead of the dialog")
}

// TestSnippets checks that URLs and file names that break careless quoting are quoted in
// the lines for a shell and the programs in Go that the page shows.
func TestSnippets(t *testing.T) {
	tab := openApp(t, Options{}, 600, 400)
	tab.eval(`import("/web/snippets.js").then((m) => { window.m = m; })`)
	tab.WaitFor(`window.m`, "the module")
	for _, text := range []string{
		"https://paper.example/it's", `https://paper.example/"quoted"?a=1&b=$(id)`, "`id`", `back\slash`, "new\nline\r\ttab", "*?[a]~", "#comment", "名前.html", "\u2028\u202e", "';touch x;'", "%s %n %%", "$HOME", "*/ // /*",
	} {
		quoted := testkit.Evaluate[string](tab.Tab, fmt.Sprintf(`m.forShell(%s)`, quote(text)))
		if out, err := exec.Command("sh", "-c", "printf %s "+quoted).CombinedOutput(); err != nil || string(out) != text {
			t.Errorf("%q is written as %s, which a shell reads as %q (%v)", text, quoted, out, err)
		}
		program := testkit.Evaluate[string](tab.Tab, fmt.Sprintf(`m.goProgram({ kind: "file", name: %s }, { favor: "recall" }, "md")`, quote(text)))
		if _, err := parser.ParseFile(token.NewFileSet(), "main.go", program, parser.AllErrors); err != nil {
			t.Errorf("%q: %v\n%s", text, err, program)
		}
	}
}
