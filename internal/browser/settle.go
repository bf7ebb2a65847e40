package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

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
