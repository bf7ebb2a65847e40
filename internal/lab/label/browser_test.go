package label

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/api/frame"
	"github.com/lede-news/lede/internal/lab/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// TestInBrowser labels pages with mouse and keys in Chromium and checks the file.
func TestInBrowser(t *testing.T) {
	b := newFixture(t)
	tab := b.tab()
	tab.shows("harbour")
	tab.WaitFor(`document.querySelector("#count").textContent === "0 of 3 labelled"`, "the progress")

	// Point, click, click.
	tab.point("h1", 40, 20)
	tab.WaitFor(`document.querySelector(".box.cursor span").textContent.startsWith("h1") && document.querySelector("#tree `+
		`[aria-selected=true] code").textContent === "h1"`, "the outline of the headline")
	tab.WaitFor(same("h1", ".box.cursor", 6), "an outline around the headline")
	tab.click("h1", 40, 20)
	b.saved("harbour", "h1", "")
	tab.WaitFor(`document.querySelector("#saved").textContent === "Saved" && document.querySelector("#mode-body").ariaPressed === "true"`, "the acknowledgement")
	tab.click(".story", 15, 30) // beside its paragraphs
	b.saved("harbour", "h1", "div.story")
	tab.WaitFor(`document.querySelector("#count").textContent === "1 of 3 labelled"`, "the progress")

	// By keys: into the article, along its paragraphs, out again, and to the list.
	tab.Keys(kb.ArrowDown)
	tab.outlined("p")
	tab.Keys(kb.ArrowRight + kb.ArrowRight)
	tab.WaitFor(`document.querySelector("#outlined").textContent.includes("Half of the money")`, "the third paragraph")
	tab.Keys(kb.ArrowLeft + kb.ArrowUp + kb.ArrowRight)
	tab.outlined("div.more")
	tab.Keys(kb.Enter)
	b.saved("harbour", "h1", "div.more")
	tab.Do(chromedp.Reload())
	tab.shows("harbour")
	tab.WaitFor(same(".more", ".box.body", 3), "the body after a reload")
	tab.Keys("x")
	b.saved("harbour", "", "")

	// The tree, as with a screen reader.
	tab.Do(chromedp.Focus(chromedp.CSS("#tree")))
	tab.Keys(kb.Home + kb.ArrowDown + kb.ArrowDown + kb.ArrowRight)
	tab.outlined("h1")
	tab.Keys(kb.Enter + "b" + kb.ArrowDown + kb.ArrowDown + kb.Enter)
	b.saved("harbour", "h1", "div.story")
	tab.WaitFor(`[...document.querySelectorAll("button, select, progress, iframe, [role=tree], [role=application]")].every((e) =>
		e.textContent.trim() || e.title || e.labels?.length || e.ariaLabel || e.hasAttribute("aria-labelledby"))`, "a name for every control")

	// The next page has a consent layer. The one after it tries to run scripts and make requests.
	tab.Keys("n")
	tab.shows("market")
	tab.WaitFor(`document.querySelector("#message").textContent.includes("layer")`, "the message about the layer")
	tab.Keys("s")
	tab.shows("hostile")
	tab.click("h1", 30, 10)
	b.saved("hostile", "h1", "")
	tab.WaitFor(`document.querySelector("#count").textContent === "1 of 3 labelled, 1 skipped"`, "the skipped page")
	tab.checkRecord() // waits until the page is idle
	tab.WaitFor(`!window.acted && document.querySelector("iframe").contentDocument.title === "A page that would like to act"`, "a page without effects")

	// The policy alone makes the original page harmless.
	for policy, title := range map[string]string{frame.Policy: "A page that would like to act", "": "acted"} {
		raw := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Security-Policy", policy)
			_, _ = w.Write([]byte(strings.ReplaceAll(string(source(t, "hostile")), "http-equiv", "was")))
		}))
		tab.Do(chromedp.Navigate(raw.URL))
		tab.WaitFor(`document.title === "`+title+`"`, title)
		raw.Close()
	}
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
	t      *testing.T
	label  *Server
	dir    string // folder of the pages
	server *httptest.Server
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	s, dir := newServer(t)
	b := &fixture{t, s, dir, httptest.NewServer(s)}
	t.Cleanup(b.server.Close)
	return b
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
		l := b.label.store.Get(id)
		got = b.nameOf(id, l.Title) + " and " + b.nameOf(id, l.Body)
		return got == want
	})
}

func (b *fixture) nameOf(id string, m *Mark) string {
	if m == nil {
		return ""
	}
	d, err := dom.Parse(b.t.Context(), source(b.t, id), dom.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	if n := Find(d, *m); n != dom.None {
		return selectorOf(d, n)
	}
	return "lost"
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
	t.Navigate(b.server.URL + b.label.Path())
	return t
}

// checkRecord allows requests to the server and for data only.
func (t *labelTab) checkRecord() { t.CheckRecord(t.b.server.URL+"/", "data:") }

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
		return list.value === "`+id+`" && frame.contentDocument.URL.endsWith("page=`+id+`") && frame.contentDocument.readyState === "complete"
			&& document.querySelector("#message").textContent.startsWith("Page " + (list.selectedIndex + 1) + " of");
	})()`, "the page "+id)
}
