package batch

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"time"
)

// ErrMemory is said of a page that took more memory than there is for it.
var ErrMemory = errors.New("the page takes too much memory")

// guard gives up a page when the process has more in use than it may. That page
// is the one that is longest in work: pages take milliseconds, and what fills the
// memory takes long.
type guard struct {
	limit int64

	mu    sync.Mutex
	pages []*inWork // the oldest first
}

type inWork struct {
	giveUp context.CancelCauseFunc
	given  time.Time // when it was given up; zero while it is not
}

// guardTime is how often the guard looks. A page can hardly ask for more than
// some 100 MB in that time.
const guardTime = 50 * time.Millisecond

// guardPatience is how long the guard waits for a page that it has given up. A
// page that hangs never goes.
const guardPatience = 5 * time.Second

// watch looks at the memory until ctx ends. Without a limit it does nothing.
func (g *guard) watch(ctx context.Context) {
	if g.limit <= 0 {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for tick := time.NewTicker(guardTime); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		if metrics.Read(live); int64(live[0].Value.Uint64()) > g.limit {
			g.relieve(live[0].Value.Uint64())
		}
	}
}

// relieve gives up the oldest page, unless one that was given up may yet go.
func (g *guard) relieve(live uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range g.pages {
		if p.given.IsZero() {
			p.given = time.Now()
			p.giveUp(fmt.Errorf("%w: %d MB were in use, and %d are allowed; allow more, or fewer bytes a page", ErrMemory, live>>20, g.limit>>20))
			return
		}
		if time.Since(p.given) < guardPatience {
			return
		}
	}
}

// enter puts a page under guard. The func is to be called when it is done.
func (g *guard) enter(ctx context.Context) (context.Context, func()) {
	if g.limit <= 0 {
		return ctx, func() {}
	}
	ctx, giveUp := context.WithCancelCause(ctx)
	page := &inWork{giveUp: giveUp}
	g.mu.Lock()
	g.pages = append(g.pages, page)
	g.mu.Unlock()
	return ctx, func() {
		if context.Cause(ctx) != nil {
			runtime.GC() // or the next page would pay for what is no longer in use
		}
		giveUp(nil)
		g.mu.Lock()
		g.pages = slices.DeleteFunc(g.pages, func(p *inWork) bool { return p == page })
		g.mu.Unlock()
	}
}
