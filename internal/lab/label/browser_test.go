package label

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/api/frame"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/page/css"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// TestInBrowser labels pages in Chromium and checks the file.
func TestInBrowser(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(*fixture)
	}{
		{"mouse and keys", testLabelling},
		{"tree", testTree},
		{"hostile page", testHostile},
		{"server down", testServerDown},
		{"two tabs", testTwoTabs},
		{"changed page", testChanged},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(newFixture(t)) })
	}
}

// testLabelling labels pages with mouse and keys.
func testLabelling(b *fixture) {
	tab := b.tab()
	tab.shows("harbour")
	tab.WaitFor(`document.querySelector("#count").textContent === "0 of 3 labelled"`, "the progress")
	tab.WaitFor(`document.querySelector(".box.title-guess") && document.querySelector(".box.body-guess")`, "the suggestion")

	// Point, click, key, click.
	tab.point("h1", 40, 20)
	tab.WaitFor(`document.querySelector(".box.cursor span").textContent.startsWith("h1") && document.querySelector("#tree [aria-selected=true] code").textContent === "h1"`, "the outline of the headline")
	tab.WaitFor(same("h1", ".box.cursor", 6), "an outline around the headline")
	tab.click("h1", 40, 20)
	b.saved("harbour", "h1", "")
	tab.WaitFor(`document.querySelector("#saved").textContent === "Saved"`, "the acknowledgement")
	tab.WaitFor(`getComputedStyle(document.querySelector(".box.title"), "::before").borderTopStyle === "dotted"`, "a dotted title")
	tab.Keys("b")
	tab.click(".story", 15, 30) // beside its paragraphs
	b.saved("harbour", "h1", "div.story")
	tab.WaitFor(`getComputedStyle(document.querySelector(".box.body"), "::before").borderTopStyle === "dashed"`, "a dashed body")
	tab.WaitFor(`document.querySelector("#count").textContent === "1 of 3 labelled" && !document.querySelector(".box.title-guess, .box.body-guess")`, "the progress")

	// By keys: into the article, along its paragraphs, out again, and to the list.
	tab.Keys(kb.ArrowDown)
	tab.outlined("p")
	tab.Keys(kb.ArrowRight + kb.ArrowRight)
	tab.WaitFor(`document.querySelector("#outlined").textContent.includes("Half of the money")`, "the third paragraph")
	tab.Keys(kb.ArrowLeft + kb.ArrowUp + kb.ArrowRight)
	tab.outlined("div.more")
	tab.Keys(kb.Enter)
	b.saved("harbour", "h1", "div.more")
	tab.Keys("t" + kb.ArrowDown + kb.Enter)
	b.saved("harbour", "h2", "div.more")

	// Undo, also after a reload.
	tab.Keys("z")
	b.saved("harbour", "h1", "div.more")
	tab.Do(chromedp.Reload())
	tab.shows("harbour")
	tab.WaitFor(same(".more", ".box.body", 3), "the body after a reload")
	tab.Keys("z")
	b.saved("harbour", "h1", "div.story")
	tab.Keys("x")
	b.saved("harbour", "", "")
	tab.Keys("z")
	b.saved("harbour", "h1", "div.story")

	// The next page, which has a consent layer, and its suggestion.
	tab.Keys("n")
	tab.shows("market")
	tab.WaitFor(`document.querySelector("#message").textContent.includes("layer")`, "the message about the layer")
	tab.Keys("a")
	b.saved("market", "h1", "section")
	tab.WaitFor(`document.querySelector("#count").textContent === "2 of 3 labelled"`, "the progress")
	tab.Keys("p")
	tab.shows("harbour")
	tab.WaitFor(`document.querySelector("#chosen").textContent.includes("Harbour wall")`, "the selection")

	// A new tab shows the first unlabelled page.
	tab.Close()
	tab = b.tab()
	tab.shows("hostile")
	tab.WaitFor(`document.querySelector("#count").textContent === "2 of 3 labelled"`, "the progress")
	tab.Keys("s")
	tab.WaitFor(`document.querySelector("#count").textContent === "2 of 3 labelled, 1 skipped"`, "the skipped page")
	tab.checkRecord()
}

// testTree labels in the tree, as with a screen reader.
func testTree(b *fixture) {
	tab := b.tab()
	tab.shows("harbour")
	tab.Do(chromedp.Focus(chromedp.CSS("#tree")))
	tab.Keys(kb.Home + kb.ArrowDown + kb.ArrowDown + kb.ArrowRight)
	tab.outlined("h1")
	tab.WaitFor(`(() => {
		const row = document.getElementById(document.querySelector("#tree").getAttribute("aria-activedescendant"));
		return row.getAttribute("aria-level") === "3" && row.getAttribute("aria-posinset") === "1" && row.getAttribute("aria-setsize") === "4";
	})()`, "the position of the row")
	tab.Keys(kb.Enter + "b" + kb.ArrowDown + kb.ArrowDown + kb.Enter)
	b.saved("harbour", "h1", "div.story")
	tab.Keys(kb.ArrowLeft + kb.ArrowLeft)
	tab.outlined("main")
	tab.WaitFor(`[...document.querySelectorAll("button, select, progress, iframe, [role=tree], [role=application]")].every((e) =>
		e.textContent.trim() || e.title || e.labels?.length || e.ariaLabel || e.hasAttribute("aria-labelledby"))`, "a name for every control")
	tab.Keys("?")
	tab.WaitFor(`document.querySelector("#help").open`, "the help")
	tab.checkRecord()
}

// testHostile shows a page that tries to run scripts and make requests.
func testHostile(b *fixture) {
	tab := b.tab()
	tab.shows("harbour")
	tab.Keys("nn")
	tab.shows("hostile")
	tab.point("h1", 30, 10)
	tab.outlined("h1")
	tab.click("h1", 30, 10)
	b.saved("hostile", "h1", "")
	tab.checkRecord() // waits until the page is idle
	tab.WaitFor(`!window.acted && location.pathname.length > 20 && document.querySelector("iframe").contentDocument.title === "A page that would like to act"`, "a page without effects")

	// The policy alone makes the original page harmless.
	for policy, title := range map[string]string{frame.Policy: "A page that would like to act", frame.NetworkPolicy: "A page that would like to act", "": "acted"} {
		raw := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Security-Policy", policy)
			_, _ = w.Write([]byte(strings.ReplaceAll(source(b.t, "hostile"), "http-equiv", "was")))
		}))
		tab.Do(chromedp.Navigate(raw.URL))
		tab.WaitFor(`document.title === "`+title+`"`, title)
		raw.Close()
	}
}

// testServerDown selects elements while the server is down and closes the tab. They
// are saved when a server is up again, although its token differs.
func testServerDown(b *fixture) {
	tab := b.tab()
	tab.shows("harbour")
	b.down.Store(true)
	tab.click("h1", 40, 20)
	tab.WaitFor(`document.querySelector("#saved").textContent.startsWith("1 unsaved")`, "a warning")
	tab.WaitFor(`document.querySelector(".box.title")`, "the unsaved selection")
	tab.Keys("b")
	tab.click(".story", 15, 30)
	tab.WaitFor(`document.querySelector("#saved").textContent.startsWith("2 unsaved")`, "a warning")
	tab.Close()
	b.saved("harbour", "", "")

	b.serve() // with a new token
	b.down.Store(false)
	tab = b.tab()
	b.saved("harbour", "h1", "div.story")
	tab.WaitFor(`document.querySelector("#count").textContent === "1 of 3 labelled" && !Object.keys(localStorage).length`, "all saved")
	tab.checkRecord()
}

// testTwoTabs changes a label in two tabs.
func testTwoTabs(b *fixture) {
	one := b.tab()
	one.shows("harbour")
	two := b.tab()
	two.shows("harbour")
	one.click("h1", 40, 20)
	b.saved("harbour", "h1", "")
	two.Keys("a")
	two.WaitFor(`document.querySelector("#message").textContent.includes("another tab") && document.querySelector(".box.title") && !document.querySelector(".box.body")`, "the selection of the first tab")
	b.saved("harbour", "h1", "")
	two.Keys("a")
	b.saved("harbour", "h1", "div.story")
}

// testChanged opens a page that has changed since it was labelled.
func testChanged(b *fixture) {
	tab := b.tab()
	tab.shows("harbour")
	tab.Keys("a")
	b.saved("harbour", "h1", "div.story")
	write(b.t, filepath.Join(b.dir, "harbour.html"), strings.NewReplacer(
		`<div class="story">`, `<div>Listen</div><div class="story">`, "Half of the money", "The mayor was pleased. Half of the money",
	).Replace(source(b.t, "harbour")))
	tab.Do(chromedp.Navigate(b.url + "#page=harbour"))
	tab.Do(chromedp.Reload())
	tab.shows("harbour")
	tab.WaitFor(`document.querySelector("#changed").textContent.includes("The body was found with similar text") && document.querySelector("#pages").selectedOptions[0].textContent.includes("page changed")`, "the changed elements")
	tab.WaitFor(same(".story", ".box.body", 3), "the body in its new place")
	tab.Keys("k")
	tab.WaitFor(`document.querySelector("#changed").hidden`, "an exact label")
	b.saved("harbour", "h1", "div.story")
	tab.checkRecord()
}

// same returns an expression that is true if an outline is around an element.
func same(css, box string, pad int) string {
	return fmt.Sprintf(`(() => {
		const frame = document.querySelector("iframe");
		const a = frame.contentDocument.querySelector(%q).getBoundingClientRect(), b = document.querySelector(%q).getBoundingClientRect(), f = frame.getBoundingClientRect();
		return Math.abs(a.left - %[3]d - (b.left - f.left)) < 1 && Math.abs(a.top - %[3]d - (b.top - f.top)) < 1 && Math.abs(a.height + 2 * %[3]d - b.height) < 1;
	})()`, css, box, pad)
}

// fixture is a server with pages to label.
type fixture struct {
	t     *testing.T
	store *Store
	dir   string // folder of the pages
	down  atomic.Bool

	mu     sync.Mutex
	server http.Handler
	addr   string
	url    string
}

// newFixture starts a server with the pages of testdata.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	b := &fixture{t: t, store: openStore(t)}
	l, err := Listen(":0")
	if err != nil {
		t.Fatal(err)
	}
	b.addr = l.Addr().String()
	b.serve()
	go b.listen(l)
	t.Cleanup(func() { l.Close() })
	return b
}

// serve replaces the server by a new one at the same address.
func (b *fixture) serve() {
	b.t.Helper()
	store, err := OpenStore(b.store.File())
	if err != nil {
		b.t.Fatal(err)
	}
	s, dir := newServer(b.t, Options{Store: store})
	b.mu.Lock()
	defer b.mu.Unlock()
	b.server, b.dir, b.url = s, dir, "http://"+b.addr+s.Path()
}

// listen serves requests, or closes connections while the server is down.
func (b *fixture) listen(l net.Listener) {
	_ = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b.down.Load() {
			panic(http.ErrAbortHandler)
		}
		b.mu.Lock()
		s := b.server
		b.mu.Unlock()
		s.ServeHTTP(w, r)
	}))
}

// saved waits until the file has the given elements of a page, by name and class.
func (b *fixture) saved(id, title, body string) {
	b.t.Helper()
	want := title + " and " + body
	var got string
	defer func() {
		if got != want {
			b.t.Logf("%s: the file has %s, not %s", id, got, want)
		}
	}()
	testkit.WaitFor(b.t, "the labels of "+id, func() bool {
		l, _, err := b.store.Get(id)
		if err != nil {
			b.t.Fatal(err)
		}
		got = b.nameOf(id, l.Title) + " and " + b.nameOf(id, l.Body)
		return got == want
	})
}

func (b *fixture) nameOf(id string, m *Mark) string {
	if m == nil {
		return ""
	}
	page, err := os.ReadFile(filepath.Join(b.dir, id+".html"))
	if err != nil {
		b.t.Fatal(err)
	}
	d := parse(b.t, string(page))
	n, match := Find(d, *m)
	if match != Exact || m.Box[2] <= 0 || m.Box[3] <= 0 || n == dom.None {
		return fmt.Sprint(match, m.Box)
	}
	return css.SelectorOf(d, n)
}

// labelTab is a tab that shows the application.
type labelTab struct {
	*testkit.Tab
	b *fixture
}

func (b *fixture) tab() *labelTab {
	b.t.Helper()
	t := &labelTab{testkit.NewTab(b.t, 1300, 850), b}
	t.IgnoreBlocked = true // hostile pages try to make requests
	t.Navigate(b.url)
	return t
}

// checkRecord allows requests to the server and for data only.
func (t *labelTab) checkRecord() { t.CheckRecord("http://"+t.b.addr+"/", "data:") }

// place returns a point of an element of the framed page, in the window.
func (t *labelTab) place(css string, dx, dy float64) (x, y float64) {
	at := testkit.Evaluate[[]float64](t.Tab, fmt.Sprintf(`(() => {
		const frame = document.querySelector("iframe"), f = frame.getBoundingClientRect(), r = frame.contentDocument.querySelector(%q).getBoundingClientRect();
		return [f.left + r.left, f.top + r.top];
	})()`, css))
	return at[0] + dx, at[1] + dy
}

func (t *labelTab) point(css string, dx, dy float64) {
	x, y := t.place(css, dx, dy)
	t.Do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
}

func (t *labelTab) click(css string, dx, dy float64) {
	x, y := t.place(css, dx, dy)
	t.Do(chromedp.MouseClickXY(x, y))
}

// outlined waits until an element is outlined.
func (t *labelTab) outlined(name string) {
	t.WaitFor(`document.querySelector("#outlined").textContent.startsWith("`+name+`,")`, name)
}

// shows waits until a page is shown.
func (t *labelTab) shows(id string) {
	t.WaitFor(`(() => {
		const list = document.querySelector("#pages"), frame = document.querySelector("iframe");
		return list.value === "`+id+`" && frame.contentDocument.URL.includes("page=`+id+`&") && frame.contentDocument.readyState === "complete"
			&& document.querySelector("#message").textContent.startsWith("Page " + (list.selectedIndex + 1) + " of");
	})()`, "the page "+id)
}
