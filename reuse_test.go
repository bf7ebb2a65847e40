package lede_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// TestArticlesOutliveTheirPages checks that no article changes when the next page is
// read into the memory of its own.
func TestArticlesOutliveTheirPages(t *testing.T) {
	testkit.SkipRace(t) // it drops what is in a pool now and then
	// One processor has one pool, which only the garbage collector empties.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(2 << 30))
	all := []lede.Option{lede.WithCaptions(true), lede.WithComments(true), lede.WithTables(true)}
	for _, m := range lede.Methods() {
		t.Run(m.Name, func(t *testing.T) {
			step := testkit.Step(20, 200)
			if m.Name != lede.DefaultMethod {
				step *= 20
			}
			for i, page := range append(testkit.CorpusPages(t, step, "*"), []byte(largePage(1, 1000)), []byte(entityPage)) {
				opts := append([]lede.Option{lede.WithMethod(m.Name)}, all...)
				if i%2 == 0 { // addresses of the page are either made absolute or left alone
					opts = append(opts, lede.WithURL("https://www.quaycourier.example/cranes"))
				}
				a, err := lede.Extract(t.Context(), bytes.NewReader(page), opts...)
				before := describe(t, a, err)
				other := strings.Repeat("<p class='XXX' id=XXX title='XX&amp;XX'>XXXXXXXX &amp; XXXXXXXX XXXXXXXX</p>\r\n", len(page)/60+10)
				if _, err := lede.Extract(t.Context(), strings.NewReader(other), opts[0]); err != nil && m.Name == lede.DefaultMethod {
					t.Fatal(err)
				}
				if after := describe(t, a, err); after != before {
					t.Fatalf("page %d: the article was\n%s\nand is\n%s", i, before, after)
				}
			}
		})
	}
}

// entityPage has text that differs from the bytes of the page wherever text can be.
const entityPage = "<html lang='e&#110;'><title>Cranes &amp; crews</title><meta name=author content='Ann L&eacute;e'>\r\n" +
	"<h1>Cranes &amp; crews</h1><p class=byline>By Ann L&eacute;e</p>\r\n<img src='/a&amp;b.jpg' alt='Quay &amp; pier'>" +
	"<p>The cranes &amp; the crews of the harbour stood still on Monday while all waited for news of the talks.</p>\r\n" +
	"<p>The <a href='/talks?a=1&amp;b=2'>talks &amp; the rest</a> go on, said the office of the port, and nobody knows for how long.</p>"

// describe returns all that an article and an error say.
func describe(t *testing.T, a *lede.Article, err error) string {
	b, jsonErr := json.Marshal(a)
	if jsonErr != nil {
		t.Fatal(jsonErr)
	}
	return fmt.Sprintf("%s %+v %v", b, a, err)
}

// keeper is a method that keeps the documents that it sees.
type keeper struct {
	method.Method
	docs []*dom.Document
}

func (k *keeper) Select(ctx context.Context, p *method.Page) (*method.Selection, error) {
	k.docs = append(k.docs, p.Doc)
	return k.Method.Select(ctx, p)
}

// TestDocumentsOfCallersStay checks that the memory of a document is not used again if
// code of the caller has seen it.
func TestDocumentsOfCallersStay(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	m, err := lede.NewMethod("coreex")
	if err != nil {
		t.Fatal(err)
	}
	k := &keeper{Method: m}
	keep := func(_ context.Context, d *dom.Document, _ string) (*method.Layout, error) {
		k.docs = append(k.docs, d)
		return nil, nil
	}
	e, page := newExtractor(t), largePage(1, 1000)
	want := parsePage(t, page).AllText()
	for _, c := range []struct {
		name string
		run  func(io.Reader) error
	}{
		{name: "custom method", run: func(r io.Reader) error {
			_, err := e.Extract(t.Context(), r, lede.WithCustomMethod(k))
			return err
		}},
		{name: "layout", run: func(r io.Reader) error {
			_, err := e.Extract(t.Context(), r, lede.WithLayout(keep))
			return err
		}},
		{name: "explanation", run: func(r io.Reader) error {
			x, err := e.Explain(t.Context(), r)
			k.docs = append(k.docs, x.Document())
			return err
		}},
		{name: "document", run: func(io.Reader) error {
			d, err := dom.Parse(t.Context(), []byte(page), dom.Options{Reuse: true})
			if err != nil {
				return err
			}
			k.docs = append(k.docs, d)
			_, err = e.ExtractDocument(t.Context(), d)
			return err
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.run(strings.NewReader(page)); err != nil {
				t.Fatal(err)
			}
			for range 3 { // pages that would use the memory
				if _, err := e.Extract(t.Context(), strings.NewReader(strings.ReplaceAll(page, "e", "X"))); err != nil {
					t.Fatal(err)
				}
			}
			if got := k.docs[len(k.docs)-1].AllText(); got != want {
				t.Errorf("the document has changed to %q", got)
			}
		})
	}
}

// siteKeeper is a Site that keeps the last fingerprint that it sees.
type siteKeeper struct{ last *site.Fingerprint }

func (k *siteKeeper) Match(f *site.Fingerprint) *method.Site {
	k.last = f
	return nil
}

// TestFingerprintsOfCallersStay checks the same for a Site, which sees the document
// through a fingerprint.
func TestFingerprintsOfCallersStay(t *testing.T) {
	testkit.SkipRace(t) // it drops what is in a pool now and then
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	e, page, k := newExtractor(t), largePage(1, 1000), new(siteKeeper)
	a, err := e.Extract(t.Context(), strings.NewReader(page), lede.WithSite(k))
	if err != nil {
		t.Fatal(err)
	}
	sel := &method.Selection{Keep: []dom.Node{0}, Title: dom.None}
	seen := func() string { return fmt.Sprintf("%+v", k.last.Observe("", sel, a)) }
	before := seen()
	for range 3 { // pages that would use the memory
		if _, err := e.Extract(t.Context(), strings.NewReader(strings.ReplaceAll(page, "e", "X"))); err != nil {
			t.Fatal(err)
		}
	}
	if after := seen(); after != before {
		t.Errorf("the fingerprint was\n%.300s\nand is\n%.300s", before, after)
	}
}
