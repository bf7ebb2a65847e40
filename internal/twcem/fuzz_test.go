package twcem_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/twcem"
	"github.com/lede-news/lede/method"
)

// FuzzSelect holds that no page and no settings make the method fail, and that
// what it answers makes sense for the page.
func FuzzSelect(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.html")
	for _, name := range files {
		page, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(page, "", 4, 1, 2, 1, true)
	}
	f.Add([]byte("<title>a</title><pre>Alpha, beta.\n\n c <b>d\ne</b>, f.</pre>"), "Alpha beta", 0, 0, 1, 3, false)
	f.Add([]byte("<h1>a<h1>b<h1 class=title id=titletitle>\xff"), "\xff\xfe", -1, 1<<30, -5, 1<<40, true)
	f.Fuzz(func(t *testing.T, page []byte, link string, d1, d2, d3, k int, extend bool) {
		d, err := dom.Parse(context.Background(), page, dom.Options{Charset: "utf-8"})
		if err != nil {
			return
		}
		m := twcem.New(twcem.Config{D1: d1, D2: d2, D3: d3, K: k, Extend: extend})
		s, err := m.Select(context.Background(), &method.Page{Doc: d, LinkText: link})
		if err != nil {
			if s != nil || !errors.Is(err, method.ErrNoContent) {
				t.Fatal(s, err)
			}
			return
		}
		check(t, d, s)
	})
}

func check(t *testing.T, d *dom.Document, s *method.Selection) {
	t.Helper()
	valid := func(n dom.Node) bool { return n >= 0 && int(n) < d.Len() }
	if len(s.Keep) == 0 || !slices.IsSorted(s.Keep) || len(slices.Compact(slices.Clone(s.Keep))) != len(s.Keep) {
		t.Errorf("kept %v", s.Keep)
	}
	for _, n := range s.Keep {
		if !valid(n) || d.IsText(n) && d.Hidden(n) {
			t.Errorf("kept node %d of %d", n, d.Len())
		}
	}
	if s.Title != dom.None && !valid(s.Title) {
		t.Errorf("title is node %d", s.Title)
	}
	last := dom.None
	for _, r := range s.Reasons {
		if !valid(r.Node) || !d.IsText(r.Node) || r.Node <= last || r.Why == "" {
			t.Errorf("reason %+v behind that of node %d", r, last)
		}
		last = r.Node
		if r.Kept && !slices.Contains(s.Keep, r.Node) {
			t.Errorf("node %d is said to be kept, but is not", r.Node)
		}
	}
	if !(s.Confidence >= 0 && s.Confidence <= 1) {
		t.Errorf("confidence %v", s.Confidence)
	}
}
