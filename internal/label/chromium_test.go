package label

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/lede-news/lede/dom"
)

// bench is a browser and a server for it.
type bench struct {
	t     *testing.T
	ctx   context.Context
	store *Store
	dir   string // of the pages
	down  atomic.Bool

	mu     sync.Mutex
	server http.Handler
	addr   string
	url    string
}

// browser starts one.
func browser(t *testing.T) context.Context {
	t.Helper()
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)), chromedp.UserDataDir(filepath.Join(t.TempDir(), "profile")),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true), chromedp.WindowSize(1300, 850))
	if os.Geteuid() == 0 {
		opts = append(opts, chromedp.NoSandbox) // Chromium has no sandbox for root
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) })
	if err := chromedp.Do(ctx); err != nil { // starts it
		t.Fatal(err)
	}
	return ctx
}

// newBench starts a server with the pages of testdata.
func newBench(t *testing.T, ctx context.Context) *bench {
	t.Helper()
	b := &bench{t: t, ctx: ctx, store: openStore(t)}
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

// serve is a new run of the tool, at the same address.
func (b *bench) serve() {
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

// listen answers, unless the server is to be gone: then it hangs up.
func (b *bench) listen(l net.Listener) {
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

// saved waits until the file says what it should of a page: elements by name and class.
func (b *bench) saved(id, title, body string) {
	b.t.Helper()
	var got string
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		l, _, err := b.store.Get(id)
		if err != nil {
			b.t.Fatal(err)
		}
		got = b.nameOf(id, l.Title) + " and " + b.nameOf(id, l.Body)
		if got == title+" and "+body {
			return
		}
	}
	b.t.Fatalf("%s: the file has %s, not %s and %s", id, got, title, body)
}

func (b *bench) nameOf(id string, m *Mark) string {
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
	return nameOf(d, n)
}

// tab is one of the browser, with the tool in it.
type tab struct {
	t   *testing.T
	b   *bench
	ctx context.Context

	mu      sync.Mutex
	bad     []string                     // what the tool must not do
	outside map[network.RequestID]string // requests to others
	blocked map[network.RequestID]bool   // those that the policy stopped before they left
}

func (b *bench) tab() *tab {
	b.t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	b.t.Cleanup(cancel)
	t := &tab{t: b.t, b: b, ctx: ctx, outside: map[network.RequestID]string{}, blocked: map[network.RequestID]bool{}}
	t.do()
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		b.t.Fatal(err)
	}
	t.watch()
	t.do(chromedp.Navigate(b.url))
	return t
}

func (t *tab) close() {
	t.t.Helper()
	if err := chromedp.Cancel(t.ctx); err != nil {
		t.t.Fatal(err)
	}
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

// watch notes what must not be: errors, dialogs, and requests to anybody else.
func (t *tab) watch() {
	note := func(s string) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.bad = append(t.bad, s)
	}
	console := chromedp.Console(t.ctx)
	requests := chromedp.Events(t.ctx, network.RequestWillBeSent)
	blocked := chromedp.Events(t.ctx, network.LoadingFailed)
	dialogs := chromedp.Events(t.ctx, cdpage.JavascriptDialogOpening)
	go func() {
		for m, err := range console {
			if err == nil && !strings.Contains(m.String(), "violates the following Content Security Policy") {
				note("console: " + m.String()) // that a page is kept from something is as it should be
			}
		}
	}()
	go func() {
		for r, err := range requests {
			if err != nil {
				continue
			}
			if u := r.Request.URL; !strings.HasPrefix(u, "http://"+t.b.addr+"/") && !strings.HasPrefix(u, "data:") {
				t.mu.Lock()
				t.outside[r.RequestID] = u
				t.mu.Unlock()
			}
		}
	}()
	go func() {
		for f, err := range blocked {
			if err == nil && f.BlockedReason == network.BlockedReasonCsp {
				t.mu.Lock()
				t.blocked[f.RequestID] = true
				t.mu.Unlock()
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
func (t *tab) quiet() {
	t.t.Helper()
	left := t.left()
	for end := time.Now().Add(2 * time.Second); len(left) > 0 && time.Now().Before(end); left = t.left() {
		time.Sleep(20 * time.Millisecond) // that a request was stopped is told after it was made
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range append(left, t.bad...) {
		t.t.Error(s)
	}
}

// left are the requests to others that nothing has stopped.
func (t *tab) left() (list []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, u := range t.outside {
		if !t.blocked[id] {
			list = append(list, "request: "+u)
		}
	}
	return list
}

func (t *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	t.t.Helper()
	if err := chromedp.Do(t.ctx, steps...); err != nil {
		t.t.Fatal(err)
	}
}

func (t *tab) keys(keys string) {
	t.t.Helper()
	t.do(chromedp.KeyEvent(keys))
}

// place is a point of an element of the framed page, in the window.
func (t *tab) place(css string, dx, dy float64) (x, y float64) {
	t.t.Helper()
	at, err := chromedp.Run(t.ctx, chromedp.Evaluate[[]float64](fmt.Sprintf(`(() => {
		const frame = document.querySelector("iframe"), f = frame.getBoundingClientRect(), r = frame.contentDocument.querySelector(%q).getBoundingClientRect();
		return [f.left + r.left, f.top + r.top];
	})()`, css)))
	if err != nil {
		t.t.Fatal(err)
	}
	return at[0] + dx, at[1] + dy
}

func (t *tab) point(css string, dx, dy float64) {
	t.t.Helper()
	x, y := t.place(css, dx, dy)
	t.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
}

func (t *tab) click(css string, dx, dy float64) {
	t.t.Helper()
	x, y := t.place(css, dx, dy)
	t.do(chromedp.MouseClickXY(x, y))
}

// outlined waits for an element to be outlined.
func (t *tab) outlined(name string) {
	t.t.Helper()
	t.wait(`document.querySelector("#outlined").textContent.startsWith("`+name+`,")`, name)
}

// shows waits for a page, and for the suggestion.
func (t *tab) shows(id string) {
	t.t.Helper()
	t.wait(`(() => {
		const list = document.querySelector("#pages"), frame = document.querySelector("iframe");
		return list.value === "`+id+`" && frame.contentDocument.URL.includes("page=`+id+`&") && frame.contentDocument.readyState === "complete"
			&& document.querySelector("#said").textContent.startsWith("Page " + (list.selectedIndex + 1) + " of");
	})()`, "the page "+id)
}

// wait waits until an expression holds.
func (t *tab) wait(expression, what string) {
	t.t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		// In a page that is just loading the expression may fail: then not yet.
		if ok, err := chromedp.Run(t.ctx, chromedp.Evaluate[bool](`!!(`+expression+`)`)); err == nil && ok {
			return
		} else if time.Now().After(end) {
			text, _ := chromedp.Run(t.ctx, chromedp.Evaluate[string](`location.hash + "\n" + document.body.innerText.slice(0, 2000)`))
			t.t.Fatalf("%s did not come (%v); there is\n%s", what, err, text)
		}
	}
}
