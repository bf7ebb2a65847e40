package browser

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/domsnapshot"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
)

// BenchmarkLayoutVsBare compares LayoutHTML with a bare navigation and snapshot of
// the same page in the same browser, page by page in turn. x-bare is the ratio of
// the two.
func BenchmarkLayoutVsBare(b *testing.B) {
	b.Run("newsroom", func(b *testing.B) {
		var pages [][]byte
		for _, site := range newsroom.New(1).Sites() {
			pages = append(pages, site.Page(0).HTML)
		}
		versusBare(b, pages)
	})
	b.Run("corpora", func(b *testing.B) {
		var pages [][]byte
		for _, page := range testkit.CorpusPages(b, 131, "*") {
			if _, err := dom.Parse(b.Context(), page, dom.Options{}); err == nil {
				pages = append(pages, page)
			}
		}
		versusBare(b, pages)
	})
}

func versusBare(b *testing.B, pages [][]byte) {
	br := open(b, Options{Tabs: 1})
	bare := newBareTab(b, br)
	ours := func(page []byte) {
		if _, err := br.LayoutHTML(b.Context(), page, Source{}); err != nil {
			b.Fatal(err)
		}
	}
	for _, page := range pages[:min(3, len(pages))] { // warm both up
		ours(page)
		bare.show(page)
	}
	var mine, theirs time.Duration
	i := 0
	for b.Loop() {
		page := pages[i%len(pages)]
		i++
		began := time.Now()
		ours(page)
		mine += time.Since(began)
		began = time.Now()
		bare.show(page)
		theirs += time.Since(began)
	}
	b.ReportMetric(float64(mine)/float64(theirs), "x-bare")
	b.ReportMetric(float64(mine.Milliseconds())/float64(i), "ms/page")
}

// bareTab shows pages of a local server, without scripts.
type bareTab struct {
	*tab
	b      *testing.B
	server *httptest.Server
	page   []byte
}

func newBareTab(b *testing.B, br *Browser) *bareTab {
	b.Helper()
	t, err := openIsolatedTab(b.Context(), br.proc, "direct://", br.opts)
	if err != nil {
		b.Fatal(err)
	}
	bare := &bareTab{tab: t, b: b}
	bare.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(bare.page)
	}))
	b.Cleanup(func() {
		t.close()
		bare.server.Close()
	})
	off := emulation.SetScriptExecutionDisabledParams{Value: true}
	if _, err := cdp.Call(b.Context(), t, emulation.SetScriptExecutionDisabled, off); err != nil {
		b.Fatal(err)
	}
	return bare
}

func (t *bareTab) show(html []byte) {
	t.page = html
	ctx, cancel := context.WithTimeout(t.b.Context(), time.Minute)
	defer cancel()
	loaded := cdp.Events(ctx, t, page.LoadEventFired)
	if res, err := cdp.Call(ctx, t, page.Navigate, page.NavigateParams{URL: t.server.URL + "/"}); err != nil || res.ErrorText != "" {
		t.b.Fatal(err, res.ErrorText)
	}
	for _, err := range loaded {
		if err != nil {
			t.b.Fatal(err)
		}
		break
	}
	styles := domsnapshot.CaptureSnapshotParams{ComputedStyles: layoutProperties}
	if _, err := cdp.Call(ctx, t, domsnapshot.CaptureSnapshot, styles); err != nil {
		t.b.Fatal(err)
	}
}
