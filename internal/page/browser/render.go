package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	cdpdom "github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"

	webfetch "github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/internal/page/charset"
)

// Rendered is a page after its scripts have run.
type Rendered struct {
	HTML []byte // UTF-8, including shadow trees
	URL  string // after redirects
}

// Render fetches a page and runs its scripts until it has loaded and the network
// is idle, or until most of the time limit is over. The page uses the proxy and
// shares no state with other pages.
func (b *Browser) Render(ctx context.Context, address string) (*Rendered, error) {
	u, err := webfetch.ParseURL(address)
	if err != nil {
		return nil, err
	}
	return b.inNewTab(ctx, true, func(ctx context.Context, t *tab) (*Rendered, error) {
		return t.fetch(ctx, u, b.opts.PageTime)
	})
}

// inNewTab calls do with a tab that runs scripts, and closes it afterwards.
func (b *Browser) inNewTab(ctx context.Context, network bool, do func(context.Context, *tab) (*Rendered, error)) (*Rendered, error) {
	if err := b.acquire(ctx); err != nil {
		return nil, err
	}
	defer b.release()
	p, err := b.process(ctx)
	if err != nil {
		return nil, err
	}
	t, err := openTab(ctx, p, network, true, b.opts)
	if err != nil {
		return nil, err
	}
	defer b.discard(t)
	ctx, cancel := t.within(ctx, b.opts.PageTime)
	defer cancel()
	r, err := do(ctx, t)
	return r, t.explain(ctx, err)
}

// fetch navigates to a URL and returns the page.
func (t *tab) fetch(ctx context.Context, u *url.URL, limit time.Duration) (*Rendered, error) {
	if _, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{}); err != nil {
		return nil, err
	}
	var status atomic.Int64
	listen(ctx, t, network.ResponseReceived, func(ev network.EventResponseReceived) {
		if ev.Type == network.ResourceTypeDocument && string(ev.FrameID) == string(t.TargetID) {
			status.Store(int64(ev.Response.Status))
		}
	})
	w := t.watch(ctx, limit)
	res, err := cdp.Call(ctx, t, page.Navigate, page.NavigateParams{URL: u.String()})
	switch {
	case err != nil:
		return nil, err
	case res.IsDownload:
		return nil, fmt.Errorf("%w: %s", ErrDownload, u.Redacted())
	case res.ErrorText != "":
		return nil, loadError(u, res.ErrorText, t.proxy)
	}
	if err := w.wait(ctx); err != nil {
		return nil, err
	}
	if code := status.Load(); code >= 400 {
		return nil, fmt.Errorf("%w %d: %s", ErrStatus, code, u.Redacted())
	}
	return t.read(ctx)
}

// read returns the HTML of the page without using the page's scripting
// environment. It tries again if the page navigates in between.
func (t *tab) read(ctx context.Context) (*Rendered, error) {
	const tries = 3
	for try := 1; ; try++ {
		r, err := t.readOnce(ctx)
		var protocol *cdproto.Error
		if try == tries || !errors.As(err, &protocol) {
			return r, err
		}
	}
}

func (t *tab) readOnce(ctx context.Context) (*Rendered, error) {
	doc, err := cdp.Call(ctx, t, cdpdom.GetDocument, cdpdom.GetDocumentParams{})
	if err != nil {
		return nil, err
	}
	yes := true
	whole := cdpdom.GetOuterHTMLParams{NodeID: doc.Root.NodeID, IncludeShadowDOM: &yes}
	res, err := cdp.Call(ctx, t, cdpdom.GetOuterHTML, whole)
	if err != nil {
		return nil, err
	}
	return &Rendered{HTML: []byte(res.OuterHTML), URL: doc.Root.DocumentURL}, nil
}

// loadError returns the reason why Chromium could not load a page.
func loadError(u *url.URL, text string, p *proxy) error {
	if err := p.lastError(); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrLoad, u.Redacted(), err)
	}
	kind := ErrLoad
	if text == "net::ERR_TOO_MANY_REDIRECTS" {
		kind = ErrRedirects
	}
	return fmt.Errorf("%w: %s: %s", kind, u.Redacted(), strings.TrimPrefix(text, "net::"))
}

// unknownURL is the URL of pages without one.
const unknownURL = "http://page.invalid/"

// RenderHTML runs the scripts of a page that is at hand, without requesting its
// URL. The scripts use the network only with Options.Network, and the page cannot
// navigate.
func (b *Browser) RenderHTML(ctx context.Context, html []byte, src Source) (*Rendered, error) {
	text, _, err := charset.Decode(html, charset.Hints{Charset: src.Charset, Header: src.HeaderCharset})
	if err != nil {
		return nil, err
	}
	return b.inNewTab(ctx, b.opts.Network, func(ctx context.Context, t *tab) (*Rendered, error) {
		w := t.watch(ctx, b.opts.PageTime)
		if err := t.serve(ctx, text, src.URL); err != nil {
			return nil, err
		}
		if err := w.wait(ctx); err != nil {
			return nil, err
		}
		r, err := t.read(ctx)
		if err == nil && strings.HasPrefix(r.URL, "about:") {
			err = fmt.Errorf("%w: it navigated to %s", ErrLoad, r.URL)
		}
		return r, err
	})
}

// serve shows a page at a URL without requesting the URL. Until the context is
// done, the tab cannot navigate.
func (t *tab) serve(ctx context.Context, html []byte, url string) error {
	if _, err := webfetch.ParseURL(url); err != nil {
		url = unknownURL
	}
	var served atomic.Bool
	listen(ctx, t, fetch.RequestPaused, func(ev fetch.EventRequestPaused) { _ = t.answer(ctx, ev, html, &served) })
	all := []*fetch.RequestPattern{{ResourceType: network.ResourceTypeDocument}}
	if _, err := cdp.Call(ctx, t, fetch.Enable, fetch.EnableParams{Patterns: all}); err != nil {
		return err
	}
	t.window = ""
	wait := t.watchNavigation(ctx)
	res, err := cdp.Call(ctx, t, page.Navigate, page.NavigateParams{URL: url})
	if err != nil {
		return err
	}
	if res.ErrorText != "" {
		return fmt.Errorf("%w: %s", ErrLoad, strings.TrimPrefix(res.ErrorText, "net::"))
	}
	return wait()
}

// watchNavigation returns a function that waits until the tab has navigated.
func (t *tab) watchNavigation(ctx context.Context) func() error {
	events := cdp.Events(ctx, t, page.FrameNavigated)
	return func() error {
		for ev, err := range events {
			if err != nil {
				return err
			}
			if ev.Frame.ParentID == "" {
				return nil
			}
		}
		return ErrCrashed
	}
}

// answer answers the first request of the tab with the page and aborts others.
// Requests of frames continue to the proxy.
func (t *tab) answer(ctx context.Context, ev fetch.EventRequestPaused, html []byte, served *atomic.Bool) error {
	var err error
	switch {
	case string(ev.FrameID) != string(t.TargetID):
		_, err = cdp.Call(ctx, t, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: ev.RequestID})
	case served.CompareAndSwap(false, true):
		_, err = cdp.Call(ctx, t, fetch.FulfillRequest, fetch.FulfillRequestParams{
			RequestID: ev.RequestID, ResponseCode: 200, Body: html,
			ResponseHeaders: []*fetch.HeaderEntry{{Name: "Content-Type", Value: "text/html; charset=utf-8"}},
		})
	default:
		_, err = cdp.Call(ctx, t, fetch.FailRequest, fetch.FailRequestParams{
			RequestID: ev.RequestID, ErrorReason: network.ErrorReasonAborted,
		})
	}
	return err
}
