package browser

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// TestMapping maps malformed pages and a sample of the corpora: each node of a
// document has a node in Chromium, with the same name or text and the same parent.
func TestMapping(t *testing.T) {
	b := openShared(t)
	malformed, err := filepath.Glob("testdata/malformed/*.html")
	if err != nil || len(malformed) == 0 {
		t.Fatal("no pages: ", err)
	}
	check := func(name string, page []byte) {
		doc, err := dom.Parse(t.Context(), page, dom.Options{})
		if errors.Is(err, dom.ErrNotHTML) || errors.Is(err, dom.ErrEmpty) {
			return
		}
		if err == nil {
			_, err = b.Layout(t.Context(), doc, "")
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, file := range malformed {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		check(file, page)
	}
	for _, file := range testkit.CorpusFiles(t, testkit.Step(397, 1013), "*") {
		check(file, testkit.Gunzip(t, file))
	}
}

// TestMismatch checks that a tree that differs from that of the document is found.
func TestMismatch(t *testing.T) {
	b := openShared(t)
	t.Parallel()
	one, two := newTree(parse(t, "<p>one<p>two"), false), newTree(parse(t, "<p>one<p>three"), false)
	tab, err := b.takeTab(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := b.show(t.Context(), tab, one, "")
	b.returnTab(tab, err)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := one.match(s); err != nil {
		t.Error(err)
	}
	if _, err := two.match(s); !errors.Is(err, ErrMapping) {
		t.Errorf("another text: %v", err)
	}
}

// TestQuirks checks that the doctype sets the mode of the page. In quirks mode, a
// table does not inherit the font size.
func TestQuirks(t *testing.T) {
	b := openShared(t)
	for doctype, want := range map[string]float64{
		"": 16, "<!DOCTYPE html>": 40,
		`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">`:                                                           16,
		`<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">`:                                40,
		`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">`: 40,
	} {
		p := layOut(t, b, doctype+`<div style="font-size:40px"><table><tr><td id=x>words</table></div>`)
		if got := p.Layout.Fonts[find(t, p.Doc, "x")].Size; got != want {
			t.Errorf("%q: font size %v, want %v", doctype, got, want)
		}
	}
}
