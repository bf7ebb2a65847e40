package report

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// TestInBrowser opens a report in Chromium and uses it as a reader would.
func TestInBrowser(t *testing.T) {
	b := open(t)

	b.wait(`document.querySelectorAll(".bars .row").length === 2`, "the ranking")
	if got := b.list(`.bars .name`); !slices.Equal(got, []string{"fast", "slow"}) {
		t.Errorf("ranked %q", got)
	}
	b.click(`.figures thead th:first-child button`)
	b.wait(`document.querySelector(".figures th[aria-sort]").textContent === "System"`, "the sorted table")

	// Every view draws something.
	b.click(`#views a:nth-child(2)`)
	b.wait(`document.querySelectorAll(".groups tbody tr").length === 3`, "the sites")
	b.click(`#views a:nth-child(3)`)
	b.wait(`document.querySelectorAll("circle.page").length === 12 && document.querySelectorAll("circle.dot").length === 2`, "the scatter")

	// Worst first, until a header is clicked.
	b.click(`#views a:nth-child(4)`)
	b.wait(`document.querySelectorAll(".pages tbody tr").length === 12`, "the pages")
	worst := b.list(`.pages tbody th`)
	b.click(`.pages thead th:first-child button`)
	b.wait(`document.querySelector(".pages th[aria-sort=ascending] button").textContent === "Page"`, "the order by page")
	byID := b.list(`.pages tbody th`)
	if slices.Equal(worst, byID) || !slices.IsSorted(byID) || len(byID) != 12 {
		t.Errorf("worst first %q, by page %q", worst, byID)
	}

	// The first page: fast misses a paragraph and takes the promotion.
	b.click(`.pages tbody tr:first-child a`)
	b.wait(`document.querySelector(".diff")`, "the difference")
	if got := strings.Join(b.list(`.diff del.missing`), "|"); !strings.Contains(got, "Fishermen had waited eleven weeks for calm water") {
		t.Errorf("missing %q", got)
	}
	if got := strings.Join(b.list(`.diff ins.extra`), "|"); !strings.Contains(got, "Subscribe today for cheap herring") {
		t.Errorf("extra %q", got)
	}
	if got := strings.Join(b.list(`.outline .item.missing`), "|"); !strings.Contains(got, "Fishermen") {
		t.Errorf("the outline has as missing %q", got)
	}
	b.wait(`document.querySelector(".outline .item.extra code").textContent.includes("div.promo")`, "the outline")
	b.wait(`document.querySelectorAll(".outline details").length === 1 && document.querySelector(".outline details").childElementCount === 1`, "folded blocks")
	b.click(`.outline summary`)
	b.wait(`document.querySelector(".outline details").textContent.includes("Weather")`, "unfolded blocks")

	// Keys, and a reload that comes back to the same place.
	b.keys("j")
	b.wait(`location.hash.includes("tide-01") && document.querySelector("h2").textContent.includes("wall 1 ")`, "the next page")
	b.keys("k")
	b.wait(`document.querySelector("h2").textContent.includes("wall 0 ")`, "the page before")
	b.keys("2")
	b.wait(`document.querySelector(".tabs [aria-current]").textContent.startsWith("slow")`, "the second system")
	b.do(chromedp.Reload())
	b.wait(`document.querySelector(".tabs [aria-current]")?.textContent.startsWith("slow") && document.querySelector("h2").textContent.includes("wall 0 ")`, "the same page after a reload")
	if got := strings.Join(b.list(`.diff del.missing`), "|"); !strings.Contains(got, "The council paid half") {
		t.Errorf("slow misses %q", got)
	}

	// The page that failed, and the one that would like to break out.
	b.hash("view=page&page=harbour/tide-11&system=slow")
	b.wait(`document.querySelector(".error-text")?.textContent.includes("timeout")`, "the error")
	b.hash("view=page&page=harbour/tide-10")
	b.wait(`document.querySelector("h2").textContent.includes("</script><script>alert(1)")`, "the hostile page")
	b.wait(`document.querySelector(".diff").textContent.includes("<img src=x") && !document.querySelector("img, a[href^=javascript]")`, "hostile text as text")
	b.hash("view=page&page=harbour/gone")
	b.wait(`document.querySelector("[role=alert]")?.textContent.includes("no page")`, "a page that is not there")
	b.hash("view=page&page=harbour/tide-00")
	b.wait(`document.querySelector(".diff")`, "the difference")
	b.keys("\x1b")
	b.wait(`document.querySelector(".pages")`, "the table again")

	b.quiet()
}

// TestPhone holds that no view is wider than a phone.
func TestPhone(t *testing.T) {
	b := open(t)
	b.do(chromedp.EmulateViewport(360, 740))
	for view, there := range map[string]string{
		"ranking": ".bars", "groups": ".groups", "scatter": "circle.page", "pages": ".pages", "page&page=harbour/tide-00": ".diff",
	} {
		b.hash("view=" + view)
		b.wait(`document.querySelector("`+there+`")`, view)
		if w, err := chromedp.Run(b.ctx, chromedp.Evaluate[float64](`document.documentElement.scrollWidth`)); err != nil || w > 360 {
			t.Errorf("%s is %v wide (%v)", view, w, err)
		}
	}
	b.quiet()
}

// browser is a tab with a report in it.
type browser struct {
	t    *testing.T
	ctx  context.Context
	file string

	mu  sync.Mutex
	bad []string // what a report must not do
}

// open makes a report and opens it from its file.
func open(t *testing.T) *browser {
	t.Helper()
	dir := t.TempDir()
	out, _ := file(t, 12, Options{Title: "A trial"})
	name := filepath.Join(dir, "report.html")
	if err := os.WriteFile(name, out, 0o666); err != nil {
		t.Fatal(err)
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)), chromedp.UserDataDir(filepath.Join(dir, "profile")),
		chromedp.Flag("disable-component-update", true), chromedp.WindowSize(1200, 900))
	if os.Geteuid() == 0 {
		opts = append(opts, chromedp.NoSandbox) // Chromium has no sandbox for root
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx, file: (&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String()}
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) })
	b.do() // starts the browser
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	b.watch()
	b.do(chromedp.Navigate(b.file))
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

// watch notes what a report must not do: errors, requests, dialogs.
func (b *browser) watch() {
	note := func(s string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.bad = append(b.bad, s)
	}
	console := chromedp.Console(b.ctx)
	requests := chromedp.Events(b.ctx, network.RequestWillBeSent)
	dialogs := chromedp.Events(b.ctx, cdpage.JavascriptDialogOpening)
	go func() {
		for m, err := range console {
			if err == nil {
				note("console: " + m.String())
			}
		}
	}()
	go func() {
		for r, err := range requests {
			if err == nil && !strings.HasPrefix(r.Request.URL, b.file) {
				note("request: " + r.Request.URL)
			}
		}
	}()
	go func() {
		for d, err := range dialogs {
			if err == nil {
				note("dialog: " + d.Message)
			}
		}
	}()
}

// quiet checks that nothing was noted.
func (b *browser) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.bad {
		b.t.Error(s)
	}
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *browser) click(css string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(css)))
}

func (b *browser) keys(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

func (b *browser) hash(hash string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.file + "#" + hash))
}

// wait waits until an expression holds.
func (b *browser) wait(expression, what string) {
	b.t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		// In a page that is just loading the expression may fail: then not yet.
		if ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`!!(`+expression+`)`)); err == nil && ok {
			return
		} else if time.Now().After(end) {
			text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string](`location.hash + "\n" + document.querySelector("main").innerText.slice(0, 2000)`))
			b.t.Fatalf("%s did not come (%v); there is\n%s", what, err, text)
		}
	}
}

// list is the text of elements.
func (b *browser) list(css string) []string {
	b.t.Helper()
	list, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](`[...document.querySelectorAll("`+css+`")].map((e) => e.textContent)`))
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}
