package label

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/testkit"
)

// bench is a browser and a server for it.
type bench struct {
	t     *testing.T
	store *Store
	dir   string // of the pages
	down  atomic.Bool

	mu     sync.Mutex
	server http.Handler
	addr   string
	url    string
}

// newBench starts a server with the pages of testdata.
func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, store: openStore(t)}
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

// labelTab is a tab that shows the tool.
type labelTab struct {
	*testkit.Tab
	b *bench
}

func (b *bench) tab() *labelTab {
	b.t.Helper()
	t := &labelTab{testkit.NewTab(b.t, 1300, 850), b}
	t.IgnoreBlocked = true // hostile pages try to make requests
	t.Navigate(b.url)
	return t
}

// checkRecord allows requests to the server and for data only.
func (t *labelTab) checkRecord() { t.CheckRecord("http://"+t.b.addr+"/", "data:") }

// place is a point of an element of the framed page, in the window.
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

// outlined waits for an element to be outlined.
func (t *labelTab) outlined(name string) {
	t.WaitFor(`document.querySelector("#outlined").textContent.startsWith("`+name+`,")`, name)
}

// shows waits for a page, and for the suggestion.
func (t *labelTab) shows(id string) {
	t.WaitFor(`(() => {
		const list = document.querySelector("#pages"), frame = document.querySelector("iframe");
		return list.value === "`+id+`" && frame.contentDocument.URL.includes("page=`+id+`&") && frame.contentDocument.readyState === "complete"
			&& document.querySelector("#said").textContent.startsWith("Page " + (list.selectedIndex + 1) + " of");
	})()`, "the page "+id)
}
