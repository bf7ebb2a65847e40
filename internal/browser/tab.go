package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// tabTime bounds the opening of a tab in a browser that answers.
const tabTime = 30 * time.Second

// tab is a page of Chromium that can be used again and again.
type tab struct {
	proc *process
	*chromedp.Target
	// life ends with the tab, however it ends.
	life   context.Context
	end    context.CancelCauseFunc
	cancel context.CancelFunc // closes the tab

	window runtime.RemoteObjectID // of the page that it is at, once it was needed
}

// openTab opens a tab that runs no scripts, in a context that there is.
func openTab(ctx context.Context, p *process, in cdp.BrowserContextID, opts Options) (*tab, error) {
	// One window for all: each costs Chromium a process for its frame.
	return attach(ctx, p, opts, func(t *tab) error {
		off := emulation.SetScriptExecutionDisabledParams{Value: true}
		if _, err := cdp.Call(t.life, t, emulation.SetScriptExecutionDisabled, off); err != nil {
			return err
		}
		_, err := cdp.Call(t.life, t, page.SetLifecycleEventsEnabled, page.SetLifecycleEventsEnabledParams{Enabled: false})
		return err
	}, chromedp.WithExistingBrowserContext(in), chromedp.WithNewWindow(false))
}

// openOwnTab opens a tab in a context of its own, which ends with it.
func openOwnTab(ctx context.Context, p *process, proxy string, opts Options) (*tab, error) {
	return attach(ctx, p, opts, func(t *tab) error {
		return p.denyDownloads(t.life, chromedp.FromContext(t.life).BrowserContextID)
	}, chromedp.WithNewBrowserContext(func(c *target.CreateBrowserContextParams) { *c = *isolated(proxy) }))
}

// attach opens a tab and makes it ready.
func attach(ctx context.Context, p *process, opts Options, ready func(*tab) error, in ...chromedp.ContextOption) (*tab, error) {
	// A tab of chromedp lives as long as its context, so that of the caller
	// only cancels it while it is being opened.
	ctx, done := context.WithTimeoutCause(ctx, tabTime, fmt.Errorf("%w: no tab within %v", ErrTimeout, tabTime))
	defer done()
	life, cancel := chromedp.NewContext(p.ctx, in...)
	life, end := context.WithCancelCause(life)
	t := &tab{proc: p, life: life, end: end, cancel: cancel}
	release := context.AfterFunc(ctx, func() { end(context.Cause(ctx)) })
	err := chromedp.Do(life)
	if err == nil {
		t.Target = chromedp.FromContext(life).Target
		err = t.prepare(opts)
	}
	if err == nil {
		err = ready(t)
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

// prepare sets the screen and turns off what chromedp listens to for queries:
// all of it is sent for every page, and none of it is used here.
func (t *tab) prepare(opts Options) error {
	crashes := cdp.Events(t.life, t, inspector.TargetCrashed)
	go func() {
		for _, err := range crashes {
			if err == nil {
				t.end(ErrCrashed)
			}
		}
	}()
	dialogs := cdp.Events(t.life, t, page.JavascriptDialogOpening)
	go func() {
		for _, err := range dialogs {
			if err == nil {
				_, _ = cdp.Call(t.life, t, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: false})
			}
		}
	}()
	for _, domain := range []string{"CSS", "DOM", "Log", "Network", "Runtime"} {
		if err := t.Call(t.life, domain+".disable", cdp.Empty{}, nil); err != nil {
			return err
		}
	}
	_, err := cdp.Call(t.life, t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(opts.Screen.Width), Height: int64(opts.Screen.Height), DeviceScaleFactor: 1,
	})
	return err
}

// within bounds the work on a page: by the caller, by the time limit, and by
// the life of the tab.
func (t *tab) within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, timeout := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w: more than %v", ErrTimeout, limit))
	ctx, cancel := context.WithCancelCause(ctx)
	release := context.AfterFunc(t.life, func() { cancel(ErrCrashed) })
	return ctx, func() {
		release()
		cancel(nil)
		timeout()
	}
}

// explain says in our terms why a call failed.
func (t *tab) explain(ctx context.Context, err error) error {
	switch cause := context.Cause(ctx); {
	case err == nil:
		return nil
	case t.proc.dead():
		return fmt.Errorf("%w; the next page gets a new one", ErrCrashed)
	case t.life.Err() != nil && errors.Is(context.Cause(t.life), ErrCrashed):
		return fmt.Errorf("%w over this page; the next one gets a new tab", ErrCrashed)
	case cause != nil:
		return cause
	}
	return err
}

// close closes the tab. What hangs in it is killed by Chromium.
//
// It leaves the tab before it ends its life: chromedp stops reading what a tab
// says when its context ends, and a page that says much would then block all.
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
}

// pause is how long a page asks for nothing before it is taken to have all.
const pause = 150 * time.Millisecond

// traffic listens to what a page loads. What it returns waits until nothing has
// been on its way for a while, or for the limit.
func (t *tab) traffic(ctx context.Context, limit time.Duration) (quiet func() error, err error) {
	type change struct {
		id    network.RequestID
		begun bool
	}
	changes := make(chan change)
	send := func(c change) {
		select {
		case changes <- c:
		case <-ctx.Done():
		}
	}
	begun := cdp.Events(ctx, t, network.RequestWillBeSent)
	done := cdp.Events(ctx, t, network.LoadingFinished)
	failed := cdp.Events(ctx, t, network.LoadingFailed)
	go func() {
		for ev := range begun {
			send(change{ev.RequestID, true})
		}
	}()
	go func() {
		for ev := range done {
			send(change{ev.RequestID, false})
		}
	}()
	go func() {
		for ev := range failed {
			send(change{ev.RequestID, false})
		}
	}()
	if _, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{}); err != nil {
		return nil, err
	}
	return func() error {
		// Both halves of a request come by different ways, in any order.
		half := make(map[network.RequestID]bool)
		enough, calm := time.After(limit), time.NewTimer(pause)
		for {
			select {
			case c := <-changes:
				if before, ok := half[c.id]; !ok {
					half[c.id] = c.begun
				} else if before != c.begun {
					delete(half, c.id)
				}
				calm.Reset(pause)
			case <-calm.C:
				if len(half) == 0 {
					return nil
				}
			case <-enough:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}, nil
}

const (
	// mostPages is how many pages an address may lead through by scripts and
	// refreshes.
	mostPages = 5
	// settleTime is how long a loaded page may keep the network busy.
	settleTime = 3 * time.Second
)

// watcher follows a page from its address to its last script.
type watcher struct {
	events <-chan page.EventLifecycleEvent
	limit  time.Time // take what there is
}

// watch begins to listen; the page shall be gone to afterwards.
func (t *tab) watch(ctx context.Context, limit time.Duration) *watcher {
	// The last quarter is for reading the page.
	w := &watcher{limit: time.Now().Add(limit * 3 / 4)}
	events := make(chan page.EventLifecycleEvent)
	w.events = events
	all := cdp.Events(ctx, t, page.LifecycleEvent)
	go func() {
		for ev, err := range all {
			if err != nil || string(ev.FrameID) != string(t.TargetID) {
				continue
			}
			select {
			case events <- ev:
			case <-ctx.Done():
			}
		}
	}()
	return w
}

// settled waits until the network is quiet, or a while after the page has
// loaded. A page that never comes to rest is taken as it is when most of its
// time is over.
func (w *watcher) settled(ctx context.Context) error {
	pages, loaded := 0, false
	enough := time.NewTimer(time.Until(w.limit))
	defer enough.Stop()
	for {
		select {
		case ev := <-w.events:
			switch ev.Name {
			case "init":
				loaded = false
				if pages++; pages > mostPages {
					return ledOn(pages - 1)
				}
			case "load":
				loaded = true
				enough.Reset(min(time.Until(w.limit), settleTime))
			case "networkIdle":
				// A page that tried to leave never loads, but it comes to rest.
				if pages > 0 {
					return nil
				}
			}
		case <-enough.C:
			if pages > 2 && !loaded {
				return ledOn(pages - 1)
			}
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func ledOn(pages int) error {
	return fmt.Errorf("%w: the page led on to %d others, one after the other", ErrRedirects, pages)
}
