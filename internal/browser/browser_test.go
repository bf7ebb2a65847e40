package browser

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
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

// open starts a browser for a test, or skips it.
func open(t testing.TB, opts Options) *Browser {
	t.Helper()
	if _, err := Find(); err != nil {
		t.Skip(err)
	}
	var log bytes.Buffer
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.NewTextHandler(&lockedWriter{w: &log}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	b, err := New(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error("close: ", err)
		}
		if t.Failed() {
			t.Log(log.String())
		}
	})
	return b
}

// The browser that tests share which need nothing special.
var (
	sharing sync.Once
	shared  *Browser
)

func TestMain(m *testing.M) {
	// Most tests wait for a browser rather than work.
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

// common is that browser.
func common(t testing.TB) *Browser {
	t.Helper()
	if _, err := Find(); err != nil {
		t.Skip(err)
	}
	var err error
	sharing.Do(func() { shared, err = New(context.Background(), Options{}) })
	if shared == nil {
		t.Fatal("no browser to share: ", err)
	}
	return shared
}

// parse is a document of a made-up page.
func parse(t testing.TB, page string) *dom.Document {
	t.Helper()
	doc, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// find is the node with an id.
func find(t testing.TB, doc *dom.Document, id string) dom.Node {
	t.Helper()
	for n := range dom.Node(doc.Len()) {
		if doc.AttrOr(n, "id") == id {
			return n
		}
	}
	t.Fatalf("no #%s", id)
	return dom.None
}

// lay lays a page out that must not fail.
func lay(t testing.TB, b *Browser, page string) *Page {
	t.Helper()
	p, err := b.Layout(t.Context(), parse(t, page), "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const patience = 15 * time.Second

// TestManyAtOnce has more pages than tabs, each with a box of its own size.
func TestManyAtOnce(t *testing.T) {
	const tabs, pages = 3, 24
	b := open(t, Options{Tabs: tabs})
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
	if n := len(b.idle); n == 0 || n > tabs {
		t.Errorf("%d tabs are kept, of %d", n, tabs)
	}
}

// web is a made-up internet: every name leads to one server.
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

// dial connects to the server under whatever name.
func (w *web) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, w.Listener.Addr().String())
}

// page has the web answer with a page.
func (w *web) page(path, html string) {
	w.mux.HandleFunc(path, func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = rw.Write([]byte(html))
	})
}

// lockedWriter lets goroutines write to one log.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
