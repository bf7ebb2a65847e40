package browser

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/lede-news/lede/dom"
)

// open starts a browser for a test, or skips the test if there is no Chromium.
func open(t testing.TB, opts Options) *Browser {
	t.Helper()
	needChromium(t)
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	if opts.PageTime == 0 {
		opts.PageTime = patience
	}
	b, err := New(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error("close: ", err)
		}
	})
	return b
}

func needChromium(t testing.TB) {
	t.Helper()
	if _, err := findChromium(); err != nil {
		t.Skip(err)
	}
}

// shared is the browser of tests without special options.
var (
	sharing sync.Once
	shared  *Browser
)

func TestMain(m *testing.M) {
	// Most tests wait for a browser, so that more of them can run in parallel.
	flag.Parse()
	if err := flag.Set("test.parallel", "4"); err != nil {
		panic(err)
	}
	code := m.Run()
	if shared != nil {
		_ = shared.Close()
	}
	os.Exit(code)
}

// openShared returns the shared browser, or skips the test if there is no
// Chromium.
func openShared(t testing.TB) *Browser {
	t.Helper()
	needChromium(t)
	var err error
	sharing.Do(func() {
		shared, err = New(context.Background(), Options{Properties: []string{"color", "line-height"}, PageTime: patience})
	})
	if shared == nil {
		t.Fatal("start Chromium: ", err)
	}
	return shared
}

func parse(t testing.TB, page string) *dom.Document {
	t.Helper()
	doc, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// find returns the node with an ID.
func find(t testing.TB, doc *dom.Document, id string) dom.Node {
	t.Helper()
	for n := range dom.Node(doc.Len()) {
		if doc.Attr(n, "id") == id {
			return n
		}
	}
	t.Fatalf("no #%s", id)
	return dom.None
}

// layOut lays out a page.
func layOut(t testing.TB, b *Browser, page string) *Page {
	t.Helper()
	p, err := b.Layout(t.Context(), parse(t, page), "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// layOutScripts runs the scripts of a page and lays it out.
func layOutScripts(t testing.TB, b *Browser, page, url string) (*Page, error) {
	t.Helper()
	r, err := b.RenderHTML(t.Context(), []byte(page), Source{URL: url})
	if err != nil {
		return nil, err
	}
	return b.Layout(t.Context(), parse(t, string(r.HTML)), url)
}

// patience is the time for what must succeed, on a busy machine too. Only the limit
// ends a page that never comes to rest.
const patience, restless = 3 * time.Minute, 30 * time.Second

// TestConcurrent lays out more pages than there are tabs.
func TestConcurrent(t *testing.T) {
	const pages = 24
	b := open(t, Options{})
	var all sync.WaitGroup
	for i := range pages {
		doc := parse(t, fmt.Sprintf(`<!doctype html><div id=x style="width:%dpx">page %[1]d</div>`, 100+i))
		all.Go(func() {
			p, err := b.Layout(t.Context(), doc, "")
			if err != nil {
				t.Error(err)
				return
			}
			if got := p.Layout.Box(find(t, doc, "x")).W; got != float64(100+i) {
				t.Errorf("page %d is %v wide", i, got)
			}
		})
	}
	all.Wait()
	if n := len(b.idle); n == 0 || n > maxTabs {
		t.Errorf("%d tabs are idle", n)
	}
}

// web is a server for all host names.
type web struct {
	*httptest.Server
	mux *http.ServeMux
}

func newWeb(t testing.TB) *web {
	t.Helper()
	mux := http.NewServeMux()
	w := &web{Server: httptest.NewServer(mux), mux: mux}
	t.Cleanup(func() {
		w.CloseClientConnections()
		w.Close()
	})
	return w
}

// dial connects to the server, whatever the address.
func (w *web) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, w.Listener.Addr().String())
}

// page serves a page.
func (w *web) page(path, html string) {
	w.mux.HandleFunc(path, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = rw.Write([]byte(html))
	})
}
