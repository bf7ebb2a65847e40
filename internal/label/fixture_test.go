package label

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lede-news/lede/dom"
)

// source is one of the pages in testdata.
func source(t testing.TB, name string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("testdata", "pages", name+".html"))
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func parse(t testing.TB, page string) *dom.Document {
	t.Helper()
	d, err := dom.Parse(context.Background(), []byte(page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// byClass is the first element with a class.
func byClass(t testing.TB, d *dom.Document, class string) dom.Node {
	t.Helper()
	for i := 1; i < d.Len(); i++ {
		if n := dom.Node(i); d.HasClass(n, class) {
			return n
		}
	}
	t.Fatalf("no element of class %s", class)
	return dom.None
}

// openStore is a store in an empty folder, with a clock that stands.
func openStore(t testing.TB) *Store {
	t.Helper()
	s, err := OpenStore(filepath.Join(t.TempDir(), "labels.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	s.now = func() time.Time { return time.Date(2026, 3, 2, 10, 30, 0, 0, time.UTC) }
	return s
}

// aMark is any mark.
func aMark(path string) *Mark {
	return &Mark{Path: path, Hash: "0123456789abcdef", Chars: 3, Text: "abc"}
}
