package serve

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/lab/testkit"
)

const ferry = "Ferry returns to Saltmarsh End after two years"

// headline waits until the article has a headline.
func (tab *appTab) headline(text string) {
	tab.t.Helper()
	tab.WaitFor(`document.querySelector("#panel-article .story h2")?.textContent === `+quote(text), "the headline "+text)
}

// TestWebInput opens pages in all ways.
func TestWebInput(t *testing.T) {
	tab := openApp(t, Options{}, 1200, 850)
	tab.WaitFor(`document.querySelector("#by-address").hidden`, "no field for an address, since the service fetches nothing")

	// An example, without any page at hand.
	tab.Click("#example")
	tab.headline("The last lock keeper of Ombersley keeps the gates for one more winter")
	tab.WaitFor(`document.title.startsWith("The last lock keeper")`, "the title of the tab")

	// A file, in its own charset.
	tab.openFile("../testdata/pages/russian-windows-1251/source.html")
	tab.WaitFor(`document.querySelector(".story")?.lang.startsWith("ru")`, "a Russian article")

	// A compressed file.
	tab.openFile(gzipped(t, sourceOf(t, "modern-semantic")))
	tab.headline(ferry)

	// HTML in the box, by keys.
	tab.eval(`document.activeElement.blur()`)
	tab.Click("#paste-open")
	tab.WaitFor(`document.activeElement.id === "source"`, "the focus in the box")
	tab.eval(`document.querySelector("#source").value = %s`, quote(sourceOf(t, "japanese")))
	tab.Do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	tab.WaitFor(`document.querySelector(".story")?.lang.startsWith("ja")`, "a Japanese article")
	tab.Click("#paste-open")

	// HTML that is pasted anywhere.
	tab.eval(`document.activeElement.blur()`)
	tab.paste("text/plain", sourceOf(t, "modern-semantic"))
	tab.WaitFor(`!document.querySelector("#paste").hidden && document.activeElement.id === "source-go"`, "the box with the page")
	tab.Keys(kb.Enter)
	tab.headline(ferry)

	// A copied part of a page has HTML beside its text.
	tab.paste("text/html", "<article><h1>Copied</h1><p>"+strings.Repeat("A copied paragraph of some length, with commas. ", 8)+"</p></article>")
	tab.Keys(kb.Enter)
	tab.headline("Copied")

	// A file that is dropped.
	path, err := filepath.Abs("../testdata/pages/modern-semantic/source.html")
	if err != nil {
		t.Fatal(err)
	}
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: []string{path}, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver} {
		tab.drag(kind, data)
	}
	tab.WaitFor(`!document.querySelector("#drop").hidden`, "a place to drop")
	tab.drag(input.DispatchDragEventTypeDrop, data)
	tab.headline(ferry)
	tab.WaitFor(`document.querySelector("#drop").hidden`, "no place to drop")

	// Options change the result, and are kept for the next page.
	tab.Click("#options-open")
	tab.eval(`(() => { const box = document.querySelector("#with input[value=comments]"); box.click(); })()`)
	tab.WaitFor(`document.querySelector(".comments")?.textContent.includes("About time too")`, "the comments")
	tab.eval(`(() => { const list = document.querySelector("#method"); list.value = "coreex"; list.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	tab.WaitFor(`document.querySelector("#options-set").textContent === ": coreex, comments" && document.querySelector("#panel-article").dataset.drawn === "yes"`, "the options beside their button")
	tab.eval(`(() => { const list = document.querySelector("#method"); list.value = "nce:paper"; list.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	tab.eval(`(() => { const list = document.querySelector("#favor"); list.value = "recall"; list.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	for _, name := range []string{"article", "page", "methods", "facts", "export"} {
		tab.choose(name)
	}
	tab.WaitFor(`document.querySelectorAll(".matrix thead th").length === 8 && document.querySelector(".matrix thead").textContent.includes("nce:paper")`, "the chosen method among those compared")
	tab.WaitFor(`document.querySelector(".lines code").textContent.includes("method=nce%3Apaper&favor=recall&with=comments")`, "the options in the request of curl")
	tab.checkRecord()
}

// drag sends an event of dragging.
func (tab *appTab) drag(kind input.DispatchDragEventType, data *input.DragData) {
	tab.t.Helper()
	if _, err := chromedp.Call(tab.Context, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: 300, Y: 300, Data: data}); err != nil {
		tab.t.Fatal(err)
	}
}

// paste pastes a text outside of all fields.
func (tab *appTab) paste(kind, text string) {
	tab.t.Helper()
	tab.eval(`(() => {
		const data = new DataTransfer();
		data.setData(%s, %s);
		document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
	})()`, quote(kind), quote(text))
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.html.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := gzip.NewWriter(f)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestWebAddress opens pages by their addresses, and shows what goes wrong.
func TestWebAddress(t *testing.T) {
	left := make(chan string, 10)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/story":
			_, _ = w.Write([]byte(sourceOf(t, "modern-semantic")))
		case "/slow":
			<-r.Context().Done()
			left <- r.URL.RawQuery
		case "/empty":
			_, _ = w.Write([]byte("<html><body></body></html>"))
		default:
			http.NotFound(w, r)
		}
	}))
	defer site.Close()
	tab := openApp(t, Options{Fetch: fetch.New(fetch.Options{AllowPrivate: true})}, 1200, 850)

	tab.typeAddress(site.URL + "/story")
	tab.Keys(kb.Enter)
	tab.headline(ferry)
	tab.WaitFor(`new URLSearchParams(location.search).get("url") === `+quote(site.URL+"/story"), "an address to share")
	tab.choose("export")
	tab.WaitFor(`document.querySelector(".lines code").textContent.includes("/v1/extract?url=")`, "the request of curl")

	// A shared address is not fetched before a click.
	tab.Navigate(tab.root + "/?url=" + site.URL + "/story#article")
	tab.WaitFor(`document.activeElement.id === "go" && document.querySelector("#address").value === `+quote(site.URL+"/story"), "the address in its field")
	tab.WaitFor(`document.querySelector("#result").hidden`, "no result yet")
	tab.Keys(kb.Enter)
	tab.headline(ferry)

	// Problems, with what to do next.
	tab.typeAddress(site.URL + "/missing")
	tab.Keys(kb.Enter)
	tab.WaitFor(`document.querySelector("#problem[role=alert] .problem-title")?.textContent === "The site answered with an error"`, "the problem")
	tab.WaitFor(`document.querySelector("#problem").textContent.includes("404") && document.querySelector("#problem a[rel='noopener noreferrer']").href.endsWith("problems.md#status")`, "the status, and where to read more")
	tab.WaitFor(`!document.querySelector("#problem").textContent.includes("Http")`, "an address as it is")
	tab.WaitFor(`document.querySelector(".story h2").textContent === `+quote(ferry), "the article from before")
	tab.typeAddress("")
	tab.Keys(kb.Enter)
	tab.WaitFor(`document.querySelector("#problem").textContent.includes("No address")`, "a hint")
	tab.typeAddress(site.URL + "/empty")
	tab.Keys(kb.Enter)
	tab.WaitFor(`document.querySelector("#panel-article [role=alert]")?.textContent.includes("bookmarklet") && !document.querySelector("#problem").textContent`, "a problem of the page")

	// A new request cancels the old one, and so does the button.
	tab.typeAddress(site.URL + "/slow?1")
	tab.Keys(kb.Enter)
	tab.WaitFor(`!document.querySelector("#working").hidden && document.querySelector("#message").textContent.startsWith("Fetching")`, "the progress")
	tab.typeAddress(site.URL + "/story")
	tab.Keys(kb.Enter)
	tab.headline(ferry)
	wantLeft(t, left, "1")
	tab.WaitFor(`document.querySelector("#working").hidden`, "no progress")
	tab.typeAddress(site.URL + "/slow?2")
	tab.Keys(kb.Enter)
	tab.WaitFor(`!document.querySelector("#working").hidden`, "the progress")
	tab.Click("#cancel")
	wantLeft(t, left, "2")
	tab.WaitFor(`document.querySelector("#working").hidden && !document.querySelector("#problem").textContent && document.querySelector(".story")`, "the article from before")
}

// wantLeft waits until the service has left a page of the site.
func wantLeft(t *testing.T, left <-chan string, want string) {
	t.Helper()
	testkit.WaitFor(t, "the end of the request for page "+want, func() bool {
		select {
		case got := <-left:
			return got == want
		default:
			return false
		}
	})
}

func (tab *appTab) typeAddress(address string) {
	tab.t.Helper()
	tab.eval(`(() => { const field = document.querySelector("#address"); field.value = %s; field.focus(); })()`, quote(address))
}

// TestWebAddressForms checks how addresses are completed.
func TestWebAddressForms(t *testing.T) {
	tab := openApp(t, Options{}, 800, 600)
	for text, want := range map[string]string{
		"paper.example/story": "https://paper.example/story", " https://paper.example ": "https://paper.example", "//paper.example/a": "https://paper.example/a",
		"http://paper.example": "http://paper.example", "localhost:8080/a": "https://localhost:8080/a", "paper.example:80/a:b": "https://paper.example:80/a:b", "ftp://x": "ftp://x",
	} {
		tab.eval(`import("/web/input.js").then((m) => { window.got = m.addressOf(%s); })`, quote(text))
		tab.WaitFor(`window.got === `+quote(want), text+" as "+want)
	}
}

// TestWebKey opens a service that needs a key.
func TestWebKey(t *testing.T) {
	name := filepath.Join(t.TempDir(), "keys")
	sum := sha256.Sum256([]byte("open sesame, please"))
	if err := os.WriteFile(name, []byte("ann sha256:"+hex.EncodeToString(sum[:])+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	keys, err := LoadKeys(name)
	if err != nil {
		t.Fatal(err)
	}
	srv := newServer(t, Options{Keys: keys, Token: "secret"})
	tab := &appTab{testkit.NewTab(t, 1000, 800), t, srv.URL}
	tab.Navigate(srv.URL + "/")
	tab.WaitFor(`document.querySelector("#key").open && document.querySelector("#key-wrong").hidden && document.activeElement.id === "key-value"`, "the question for a key")
	tab.Keys("wrong" + kb.Enter)
	tab.WaitFor(`document.querySelector("#key").open && !document.querySelector("#key-wrong").hidden`, "the question again")
	tab.Keys("open sesame, please" + kb.Enter)
	tab.WaitFor(`document.querySelector("#version").textContent.startsWith("lede") && !document.querySelector("#key").open`, "the configuration")
	tab.openHTML(sourceOf(t, "modern-semantic"))
	tab.headline(ferry)
	tab.choose("page")
	tab.choose("export")
	tab.WaitFor(`document.querySelector(".lines code").textContent.includes('-H "Authorization: Bearer $LEDE_KEY"')`, "the key in the request of curl")
	tab.Do(chromedp.Reload())
	tab.WaitFor(`document.querySelector("#version").textContent.startsWith("lede") && !document.querySelector("#key").open`, "no question after a reload")
}
