package browser

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

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
