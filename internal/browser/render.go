package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	cdpdom "github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
)

// Rendered is a page after its scripts have run.
type Rendered struct {
	HTML   []byte // UTF-8, with the insides of its components
	URL    string // where it was in the end
	Status int    // of HTTP; 0 when there was no answer to have one
}

// Render fetches a page with Chromium and runs its scripts until it has loaded
// and the network is quiet, or most of the time limit is over. It has the
// network through the gate, nothing of earlier pages, and leaves nothing behind.
func (b *Browser) Render(ctx context.Context, address string) (*Rendered, error) {
	u, err := webURL(address)
	if err != nil {
		return nil, err
	}
	g, err := openGate(b.opts.Dial, b.opts.Logger)
	if err != nil {
		return nil, err
	}
	defer g.close()
	return b.inOwnTab(ctx, g.address(), func(ctx context.Context, t *tab) (*Rendered, error) {
		return t.fetch(ctx, u, g, b.opts)
	})
}

// inOwnTab opens a tab for one page and closes it afterwards.
func (b *Browser) inOwnTab(ctx context.Context, proxy string, do func(context.Context, *tab) (*Rendered, error)) (*Rendered, error) {
	if err := b.enter(ctx); err != nil {
		return nil, err
	}
	defer b.leave()
	p, err := b.process(ctx)
	if err != nil {
		return nil, err
	}
	t, err := openOwnTab(ctx, p, proxy, b.opts)
	if err != nil {
		return nil, err
	}
	defer b.discard(t)
	ctx, cancel := t.within(ctx, b.opts.PageTime)
	defer cancel()
	r, err := do(ctx, t)
	return r, t.explain(ctx, err)
}

// fetch goes to an address and waits for the page.
func (t *tab) fetch(ctx context.Context, u *url.URL, g *gate, opts Options) (*Rendered, error) {
	if _, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{}); err != nil {
		return nil, err
	}
	status := t.watchStatus(ctx)
	w := t.watch(ctx, opts.PageTime)
	res, err := cdp.Call(ctx, t, page.Navigate, page.NavigateParams{URL: u.String()})
	switch {
	case err != nil:
		return nil, err
	case res.IsDownload:
		return nil, fmt.Errorf("%w: %s", ErrDownload, u.Redacted())
	case res.ErrorText != "":
		return nil, failure(u, res.ErrorText, g)
	}
	if err := w.settled(ctx); err != nil {
		return nil, err
	}
	r, err := t.read(ctx)
	if err != nil {
		return nil, err
	}
	if r.Status = status(); r.Status >= 400 {
		return nil, fmt.Errorf("%w: %s answered %d", ErrStatus, u.Redacted(), r.Status)
	}
	return r, nil
}

// watchStatus follows the answers for the page itself. What it returns tells
// the code of the last.
func (t *tab) watchStatus(ctx context.Context) func() int {
	codes := make(chan int, 1)
	codes <- 0
	answers := cdp.Events(ctx, t, network.ResponseReceived)
	go func() {
		for ev, err := range answers {
			if err == nil && ev.Type == network.ResourceTypeDocument && string(ev.FrameID) == string(t.TargetID) {
				<-codes
				codes <- int(ev.Response.Status)
			}
		}
	}()
	return func() int {
		code := <-codes
		codes <- code
		return code
	}
}

// read takes the page out of the tab, past anything that its scripts could
// have put in the way. A page that goes on to another in between is read again.
func (t *tab) read(ctx context.Context) (*Rendered, error) {
	const tries = 3
	for try := 1; ; try++ {
		r, err := t.readOnce(ctx)
		var refused *cdproto.Error
		if try == tries || !errors.As(err, &refused) {
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

// failure says why Chromium could not go to a page.
func failure(u *url.URL, text string, g *gate) error {
	if reason := g.reason(); reason != nil {
		return fmt.Errorf("%w: %s: %w", ErrLoad, u.Redacted(), reason)
	}
	kind := ErrLoad
	if text == "net::ERR_TOO_MANY_REDIRECTS" {
		kind = ErrRedirects
	}
	return fmt.Errorf("%w: %s: %s", kind, u.Redacted(), strings.TrimPrefix(text, "net::"))
}

// webURL reads an address that may be gone to. Files are not pages.
func webURL(address string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrURL, err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, fmt.Errorf("%w: %q", ErrURL, address)
	}
	return u, nil
}

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
