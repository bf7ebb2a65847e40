package browser

import (
	"bytes"
	"context"
	"flag"
	"log/slog"
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
