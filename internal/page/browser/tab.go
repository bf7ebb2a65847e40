package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// tabTime limits the time to open a tab.
const tabTime = time.Minute

// tab is a tab of Chromium that can be used for several pages.
type tab struct {
	proc *process
	*chromedp.Target
	// life is done when the tab is closed or has crashed.
	life   context.Context
	end    context.CancelCauseFunc
	cancel context.CancelFunc // closes the tab
	proxy  *proxy             // nil without network

	window runtime.RemoteObjectID // of the current page, set on first use
}

// openTab opens a tab in a browser context of its own, with a proxy of its own if it has
// network.
func openTab(ctx context.Context, p *process, network, scripts bool, opts Options) (*tab, error) {
	var via *proxy
	address := noProxy
	if network {
		var err error
		if via, err = startProxy(opts.Dial, opts.Logger); err != nil {
			return nil, err
		}
		address = via.address()
	}
	// A tab of chromedp ends with its context. The context of the caller may only
	// cancel it while it is being opened.
	ctx, done := context.WithTimeoutCause(ctx, tabTime, fmt.Errorf("%w: no tab within %v", ErrTimeout, tabTime))
	defer done()
	life, cancel := chromedp.NewContext(p.ctx, chromedp.WithNewBrowserContext(func(c *target.CreateBrowserContextParams) {
		yes := true
		*c = target.CreateBrowserContextParams{DisposeOnDetach: &yes, ProxyServer: address, ProxyBypassList: throughProxy}
	}))
	life, end := context.WithCancelCause(life)
	t := &tab{proc: p, life: life, end: end, cancel: cancel, proxy: via}
	release := context.AfterFunc(ctx, func() { end(context.Cause(ctx)) })
	err := chromedp.Do(life)
	if err == nil {
		t.Target = chromedp.FromContext(life).Target
		err = t.prepare(scripts)
	}
	if !release() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		err = t.explain(ctx, err)
		go t.close()
		return nil, err
	}
	return t, nil
}

// prepare sets the size of the screen, refuses downloads, and turns off events that
// chromedp enables for its queries, which are not used here.
func (t *tab) prepare(scripts bool) error {
	listen(t.life, t, inspector.TargetCrashed, func(inspector.EventTargetCrashed) { t.end(ErrCrashed) })
	listen(t.life, t, page.JavascriptDialogOpening, func(page.EventJavascriptDialogOpening) {
		_, _ = cdp.Call(t.life, t, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: false})
	})
	for _, domain := range []string{"CSS", "DOM", "Log", "Network", "Runtime"} {
		if err := t.Call(t.life, domain+".disable", cdp.Empty{}, nil); err != nil {
			return err
		}
	}
	_, err := cdp.Call(t.life, t.proc.connection(), cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: chromedp.FromContext(t.life).BrowserContextID,
	})
	if err != nil {
		return err
	}
	if _, err := cdp.Call(t.life, t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(screen.Width), Height: int64(screen.Height), DeviceScaleFactor: 1,
	}); err != nil || scripts {
		return err
	}
	_, err = cdp.Call(t.life, t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	return err
}

// listen calls do for every event until the context is done.
func listen[E any](ctx context.Context, t *tab, event cdp.Event[E], do func(E)) {
	events := cdp.Events(ctx, t, event)
	go func() {
		for ev, err := range events {
			if err == nil {
				do(ev)
			}
		}
	}()
}

// within returns a context for the work on a page, which ends with that of the
// caller, after the time limit, or when the tab ends.
func (t *tab) within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, timeout := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w: the page took more than %v", ErrTimeout, limit))
	ctx, cancel := context.WithCancelCause(ctx)
	release := context.AfterFunc(t.life, func() { cancel(ErrCrashed) })
	return ctx, func() {
		release()
		cancel(nil)
		timeout()
	}
}

// explain returns the cause of a failed call.
func (t *tab) explain(ctx context.Context, err error) error {
	switch cause := context.Cause(ctx); {
	case err == nil:
		return nil
	case t.proc.dead():
		return fmt.Errorf("%w; the next page starts a new one", ErrCrashed)
	case t.life.Err() != nil && errors.Is(context.Cause(t.life), ErrCrashed):
		return fmt.Errorf("%w on this page; the next page opens a new tab", ErrCrashed)
	case cause != nil:
		return cause
	}
	return err
}

// close closes the tab. Chromium kills hanging scripts.
//
// It detaches from the tab before it ends the context: chromedp then stops reading
// the events of the tab, and many events would block all tabs.
func (t *tab) close() {
	ctx, done := context.WithTimeout(context.Background(), closeTime)
	defer done()
	conn := t.proc.connection()
	if t.Target != nil && !t.proc.dead() {
		_, _ = cdp.Call(ctx, conn, target.CloseTarget, target.CloseTargetParams{TargetID: t.TargetID})
		_, _ = cdp.Call(ctx, conn, target.DetachFromTarget, target.DetachFromTargetParams{SessionID: t.SessionID})
	}
	t.end(ErrClosed)
	t.cancel()
	if t.proxy != nil {
		t.proxy.close()
	}
}

// idleTime is the time without requests after which a page is considered loaded.
const idleTime = 150 * time.Millisecond

// watchRequests observes the requests of a page. The function wait returns when
// there have been none for a while, or after the time limit.
func (t *tab) watchRequests(ctx context.Context, limit time.Duration) (wait func() error, err error) {
	type change struct {
		id      network.RequestID
		started bool
	}
	changes := make(chan change)
	send := func(c change) {
		select {
		case changes <- c:
		case <-ctx.Done():
		}
	}
	listen(ctx, t, network.RequestWillBeSent, func(ev network.EventRequestWillBeSent) { send(change{ev.RequestID, true}) })
	listen(ctx, t, network.LoadingFinished, func(ev network.EventLoadingFinished) { send(change{ev.RequestID, false}) })
	listen(ctx, t, network.LoadingFailed, func(ev network.EventLoadingFailed) { send(change{ev.RequestID, false}) })
	if _, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{}); err != nil {
		return nil, err
	}
	return func() error {
		// Start and end of a request may arrive in any order.
		pending := make(map[network.RequestID]bool)
		timeout, idle := time.After(limit), time.NewTimer(idleTime)
		for {
			select {
			case c := <-changes:
				if started, ok := pending[c.id]; !ok {
					pending[c.id] = c.started
				} else if started != c.started {
					delete(pending, c.id)
				}
				idle.Reset(idleTime)
			case <-idle.C:
				if len(pending) == 0 {
					return nil
				}
			case <-timeout:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}, nil
}

const (
	// maxPages limits redirects by scripts and refreshes.
	maxPages = 5
	// settleTime limits the time for requests after the page has loaded.
	settleTime = 3 * time.Second
)

// watcher observes the loading of a page.
type watcher struct {
	events <-chan page.EventLifecycleEvent
	limit  time.Time
}

// watch starts observing. It must be called before the tab navigates.
func (t *tab) watch(ctx context.Context, limit time.Duration) *watcher {
	events := make(chan page.EventLifecycleEvent)
	listen(ctx, t, page.LifecycleEvent, func(ev page.EventLifecycleEvent) {
		if string(ev.FrameID) != string(t.TargetID) {
			return
		}
		select {
		case events <- ev:
		case <-ctx.Done():
		}
	})
	// The last quarter of the time is for reading the page.
	return &watcher{events, time.Now().Add(limit * 3 / 4)}
}

// wait waits until the network is idle, or for settleTime after the page has
// loaded. It returns without an error when most of the time for the page is over.
func (w *watcher) wait(ctx context.Context) error {
	pages, loaded := 0, false
	timeout := time.NewTimer(time.Until(w.limit))
	defer timeout.Stop()
	for {
		select {
		case ev := <-w.events:
			switch ev.Name {
			case "init":
				loaded = false
				if pages++; pages > maxPages {
					return redirectError(pages - 1)
				}
			case "load":
				loaded = true
				timeout.Reset(min(time.Until(w.limit), settleTime))
			case "networkIdle":
				// A page that tried to navigate never loads, but becomes idle.
				if pages > 0 {
					return nil
				}
			}
		case <-timeout.C:
			if pages > 2 && !loaded {
				return redirectError(pages - 1)
			}
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func redirectError(pages int) error {
	return fmt.Errorf("%w: the page navigated to %d others", ErrRedirects, pages)
}
