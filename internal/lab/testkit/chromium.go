package testkit

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

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

const tabTime = 8 * time.Minute // limit of a tab

// chromium is the Chromium that all tests of a test binary share.
var chromium struct {
	mu     sync.Mutex
	inMain bool            // Main will close it
	ctx    context.Context // nil if it is not running
	close  func()
}

// Main runs the tests of a package that uses NewTab. It closes Chromium at the
// end:
//
//	func TestMain(m *testing.M) { testkit.Main(m) }
func Main(m *testing.M) {
	chromium.inMain = true
	m.Run()
	if chromium.ctx != nil {
		chromium.close()
	}
}

// startChromium returns the context of the shared Chromium, which it starts if
// necessary. It skips the test if there is no Chromium.
func startChromium(tb testing.TB) context.Context {
	tb.Helper()
	chromium.mu.Lock()
	defer chromium.mu.Unlock()
	if chromium.ctx != nil {
		return chromium.ctx
	}
	if !chromium.inMain {
		tb.Fatal("testkit: NewTab needs a TestMain that calls testkit.Main")
	}
	path, ok := FindChromium()
	if !ok {
		tb.Skip("no Chromium on PATH: install it (apt install chromium), or set LEDE_CHROMIUM to its path")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], // headless, no background networking
		chromedp.ExecPath(path),
		chromedp.WSURLReadTimeout(waitTime),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-domain-reliability", true),
		chromedp.Flag("no-pings", true),
		// Names of pages in tests are not looked up.
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]"))
	if os.Geteuid() == 0 {
		opts = append(opts, chromedp.NoSandbox) // Chromium has no sandbox for root
	}
	ctx, freeAllocator := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, freeBrowser := chromedp.NewContext(ctx)
	stop := func() {
		_ = chromedp.Cancel(ctx)
		freeBrowser()
		freeAllocator()
	}
	if err := chromedp.Do(ctx); err != nil {
		stop()
		tb.Fatal("start Chromium: ", err)
	}
	chromium.ctx, chromium.close = ctx, stop
	return ctx
}

// FindChromium finds Chromium as package browser does, which cannot be imported
// here because its tests import this package.
func FindChromium() (path string, ok bool) {
	if path := os.Getenv("LEDE_CHROMIUM"); path != "" {
		return path, true
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

// Tab is a tab of Chromium. Its methods end the test on an error. It records
// console messages, uncaught exceptions, dialogs and requests for CheckRecord.
type Tab struct {
	// Context runs actions of chromedp in the tab.
	Context context.Context
	// IgnoreBlocked makes CheckRecord ignore requests blocked by a content
	// security policy and console messages about it.
	IgnoreBlocked bool
	// IgnoreMessages makes CheckRecord check requests only.
	IgnoreMessages bool

	tb testing.TB

	mu       sync.Mutex
	messages []string
	requests map[network.RequestID]string // URLs
	blocked  map[network.RequestID]bool   // by a content security policy
}

// NewTab opens a tab with a window of the given size, or skips the test if there
// is no Chromium. The tab is closed when the test ends.
func NewTab(tb testing.TB, width, height int64) *Tab {
	tb.Helper()
	t := newTab(tb)
	t.Resize(width, height)
	return t
}

// newTab opens a tab, or attaches to one.
func newTab(tb testing.TB, opts ...chromedp.ContextOption) *Tab {
	tb.Helper()
	ctx, cancel := context.WithTimeout(startChromium(tb), tabTime)
	tb.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, opts...)
	tb.Cleanup(cancel)
	t := &Tab{Context: ctx, tb: tb, requests: map[network.RequestID]string{}, blocked: map[network.RequestID]bool{}}
	t.Do()
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		tb.Fatal(err)
	}
	t.record()
	return t
}

// Opened calls do, which makes the tab open another one at a URL with the given
// prefix, and returns that.
func (t *Tab) Opened(prefix string, do func()) *Tab {
	t.tb.Helper()
	opened := chromedp.WaitNewTarget(t.Context, func(info *target.Info) bool { return strings.HasPrefix(info.URL, prefix) })
	do()
	select {
	case id := <-opened:
		return newTab(t.tb, chromedp.WithTargetID(id))
	case <-time.After(waitTime):
		t.tb.Fatalf("waiting for a tab at %s: timeout after %v", prefix, waitTime)
		return nil
	}
}

// record starts recording.
func (t *Tab) record() {
	listen(t, chromedp.Console(t.Context), func(m chromedp.ConsoleMessage) { t.messages = append(t.messages, "console: "+m.String()) })
	listen(t, chromedp.Events(t.Context, page.JavascriptDialogOpening), func(d page.EventJavascriptDialogOpening) {
		t.messages = append(t.messages, "dialog: "+d.Message)
		go chromedp.Call(t.Context, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: false})
	})
	listen(t, chromedp.Events(t.Context, network.RequestWillBeSent), func(r network.EventRequestWillBeSent) { t.requests[r.RequestID] = r.Request.URL })
	listen(t, chromedp.Events(t.Context, network.LoadingFailed), func(f network.EventLoadingFailed) {
		t.blocked[f.RequestID] = f.BlockedReason == network.BlockedReasonCsp
	})
}

func listen[T any](t *Tab, events func(func(T, error) bool), do func(T)) {
	go func() {
		for ev, err := range events {
			if err == nil {
				t.mu.Lock()
				do(ev)
				t.mu.Unlock()
			}
		}
	}()
}

// CheckRecord fails the test for every console message, uncaught exception and
// dialog so far, and for every request to a URL with none of the given prefixes.
// It first waits until the page is idle.
func (t *Tab) CheckRecord(prefixes ...string) {
	t.tb.Helper()
	// A tab in the background may have no frames.
	idle := `new Promise((resolve) => {
		const whenIdle = () => requestIdleCallback(() => resolve(true), {timeout: 1000});
		requestAnimationFrame(whenIdle);
		setTimeout(whenIdle, 1000);
	})`
	if _, err := chromedp.Run(t.Context, chromedp.Evaluate[bool](idle, chromedp.EvalAwaitPromise)); err != nil {
		t.tb.Fatal(err)
	}
	found := t.violations(prefixes)
	for end := time.Now().Add(waitTime / 10); len(found) > 0 && time.Now().Before(end); found = t.violations(prefixes) {
		time.Sleep(pollTime) // Chromium reports that a request is blocked some time after the request
	}
	for _, v := range found {
		t.tb.Error(v)
	}
}

func (t *Tab) violations(prefixes []string) (found []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, m := range t.messages {
		if !t.IgnoreMessages && !(t.IgnoreBlocked && strings.Contains(m, "violates the following Content Security Policy")) {
			found = append(found, m)
		}
	}
	for id, url := range t.requests {
		allowed := slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(url, p) })
		if !allowed && !(t.IgnoreBlocked && t.blocked[id]) {
			found = append(found, "request: "+url)
		}
	}
	return found
}

// Do runs actions in the tab.
func (t *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	t.tb.Helper()
	if err := chromedp.Do(t.Context, actions...); err != nil {
		t.tb.Fatal(err)
	}
}

// Navigate loads a URL.
func (t *Tab) Navigate(url string) {
	t.tb.Helper()
	t.Do(chromedp.Navigate(url))
}

// NavigateFile writes a page to a temporary file and loads it.
func (t *Tab) NavigateFile(html []byte) {
	t.tb.Helper()
	name := filepath.Join(t.tb.TempDir(), "page.html")
	if err := os.WriteFile(name, html, 0o666); err != nil {
		t.tb.Fatal(err)
	}
	t.Navigate((&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String())
}

// Resize sets the size of the window.
func (t *Tab) Resize(width, height int64) {
	t.tb.Helper()
	t.Do(chromedp.EmulateViewport(width, height))
}

// Click clicks the first element that a selector matches.
func (t *Tab) Click(css string) {
	t.tb.Helper()
	t.Do(chromedp.Click(chromedp.CSS(css)))
}

// Keys types keys.
func (t *Tab) Keys(keys string) {
	t.tb.Helper()
	t.Do(chromedp.KeyEvent(keys))
}

// WaitFor waits until a JavaScript expression is true. The description names
// what it waits for in the error message.
func (t *Tab) WaitFor(expression, description string) {
	t.tb.Helper()
	for end := time.Now().Add(waitTime); ; time.Sleep(pollTime) {
		// While a page loads, the expression may fail.
		ok, err := chromedp.Run(t.Context, chromedp.Evaluate[bool](`!!(`+expression+`)`))
		if err == nil && ok {
			return
		}
		if time.Now().After(end) {
			text, _ := chromedp.Run(t.Context, chromedp.Evaluate[string](`location.hash + "\n" + document.body.innerText.slice(0, 2000)`))
			t.tb.Fatalf("waiting for %s: timeout after %v (%v); the page shows\n%s", description, waitTime, err, text)
		}
	}
}

// Evaluate returns the value of a JavaScript expression.
func Evaluate[T any](t *Tab, expression string) T {
	t.tb.Helper()
	v, err := chromedp.Run(t.Context, chromedp.Evaluate[T](expression))
	if err != nil {
		t.tb.Fatal(err)
	}
	return v
}

// EmulateMedia sets features of media queries by name, such as "prefers-color-scheme".
func (t *Tab) EmulateMedia(features map[string]string) {
	t.tb.Helper()
	var params emulation.SetEmulatedMediaParams
	for name, value := range features {
		params.Features = append(params.Features, &emulation.MediaFeature{Name: name, Value: value})
	}
	if _, err := chromedp.Call(t.Context, emulation.SetEmulatedMedia, params); err != nil {
		t.tb.Fatal(err)
	}
}
