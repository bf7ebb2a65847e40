package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
)

// nowhere is the address of pages that have none.
const nowhere = "http://page.invalid/"

// runScripts has Chromium parse a page and run its scripts. The page cannot
// leave: only the document that was given is ever shown.
func (b *Browser) runScripts(ctx context.Context, html []byte, url string) ([]byte, error) {
	proxy := noProxy
	if b.opts.Network {
		g, err := openGate(b.opts.Dial, b.opts.Logger)
		if err != nil {
			return nil, err
		}
		defer g.close()
		proxy = g.address()
	}
	r, err := b.inOwnTab(ctx, proxy, func(ctx context.Context, t *tab) (*Rendered, error) {
		w := t.watch(ctx, b.opts.PageTime)
		if err := t.serve(ctx, html, url); err != nil {
			return nil, err
		}
		if err := w.settled(ctx); err != nil {
			return nil, err
		}
		r, err := t.read(ctx)
		if err == nil && strings.HasPrefix(r.URL, "about:") {
			err = fmt.Errorf("%w: it has left for %s", ErrLoad, r.URL)
		}
		return r, err
	})
	if err != nil {
		return nil, err
	}
	return r.HTML, nil
}

// visit goes to an address without asking anybody for what is there: an empty
// page, from which relative addresses lead to the right place.
func (t *tab) visit(ctx context.Context, url string) error {
	return t.serve(ctx, nil, url)
}

// serve shows a page at an address. Until the context ends, the tab goes
// nowhere else.
func (t *tab) serve(ctx context.Context, html []byte, url string) error {
	if _, err := webURL(url); err != nil {
		url = nowhere
	}
	paused := cdp.Events(ctx, t, fetch.RequestPaused)
	all := []*fetch.RequestPattern{{ResourceType: network.ResourceTypeDocument}}
	if _, err := cdp.Call(ctx, t, fetch.Enable, fetch.EnableParams{Patterns: all}); err != nil {
		return err
	}
	var served atomic.Bool
	go func() {
		for ev, err := range paused {
			if err == nil {
				_ = t.answer(ctx, ev, html, &served)
			}
		}
	}()
	t.window = ""
	there := t.arrival(ctx)
	res, err := cdp.Call(ctx, t, page.Navigate, page.NavigateParams{URL: url})
	if err != nil {
		return err
	}
	if res.ErrorText != "" {
		return loadError(res.ErrorText)
	}
	return there()
}

// arrival waits for the tab to be at another page than now.
func (t *tab) arrival(ctx context.Context) func() error {
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

// answer gives the page to the first request for it. Frames go their way, which
// ends at the proxy; the tab itself stays.
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

// quoted is a string as an argument of a script.
func quoted(s string) []byte {
	b, _ := json.Marshal(s) // a string cannot fail
	return b
}
