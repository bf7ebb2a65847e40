package batch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"time"

	"github.com/lede-news/lede/internal/page/limits"
)

// What the extraction of a page by package lede takes at worst, in bytes of memory.
// make batch-memory measures it with the worst pages known.
const (
	costPage  = 2 << 20              // any page
	costByte  = 16                   // a byte of the page
	costBlock = 2800                 // a tag that begins a block of text
	costTag   = 128                  // any other tag
	costAttr  = 128                  // an attribute
	maxBlocks = limits.PageNodes / 2 // a block is an element and a text
)

// pageCost returns how much memory the extraction of a page takes at worst, besides
// the page itself. It counts all that can be tags and attributes. To leave out those
// in scripts, comments and text would need a parser, and a page could deceive
// anything simpler.
func pageCost(page []byte) int64 {
	tags := int64(bytes.Count(page, []byte("<")))
	attrs := int64(0)
	for _, c := range " \n\t\f\r/=" {
		attrs += int64(bytes.Count(page, []byte{byte(c)}))
	}
	blocks := min(tags, maxBlocks)
	return costPage + costByte*int64(len(page)) + costBlock*blocks + costTag*(tags-blocks) + costAttr*attrs
}

// memoryPlan divides Options.MaxMemory.
type memoryPlan struct {
	readers int   // pages that are read but not admitted yet
	pages   int64 // for pages that are being extracted
	waiting int   // bytes of results that wait for an earlier page
}

// planMemory divides limit among the run itself, which takes inUse when it begins,
// the pages and the results. It returns ErrMemory if too little is left for pages.
func planMemory(limit, inUse int64, workers int) (memoryPlan, error) {
	const (
		models = 24 << 20 // models and tables that are loaded with the first page
		least  = 16 << 20 // for the extraction of ordinary pages
	)
	plan := memoryPlan{waiting: int(min(maxWaitingBytes, limit/16))}
	left := limit - inUse - models - 2*int64(plan.waiting) // a result is copied when it is written
	plan.readers = int(min(max(left/8/limits.PageBytes, 1), int64(workers)))
	plan.pages = left - int64(plan.readers)*limits.PageBytes
	if plan.pages < least {
		need := (limit + least - plan.pages) * 9 / 8
		return plan, fmt.Errorf("%w: %d MB are too few to extract any page; allow at least %d MB", ErrMemory, limit>>20, need>>20+1)
	}
	return plan, nil
}

// memoryInUse returns the memory that the process has from the operating system.
func memoryInUse() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}

// admission lets pages begin while there is memory for what they can take at worst,
// in the order in which they ask.
type admission struct {
	readers chan struct{} // one for each page that is read and not admitted

	mu      sync.Mutex
	size    int64
	free    int64
	waiting []*waitingPage
}

type waitingPage struct {
	cost  int64
	begin chan struct{}
}

func newAdmission(plan memoryPlan) *admission {
	return &admission{readers: make(chan struct{}, plan.readers), size: plan.pages, free: plan.pages}
}

// acquire waits until there is memory for a page.
func (a *admission) acquire(cost int64) {
	a.mu.Lock()
	if len(a.waiting) == 0 && cost <= a.free {
		a.free -= cost
		a.mu.Unlock()
		return
	}
	w := &waitingPage{cost, make(chan struct{})}
	a.waiting = append(a.waiting, w)
	a.mu.Unlock()
	<-w.begin
}

func (a *admission) release(cost int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.free += cost
	for len(a.waiting) > 0 && a.waiting[0].cost <= a.free {
		a.free -= a.waiting[0].cost
		close(a.waiting[0].begin)
		a.waiting = a.waiting[1:]
	}
}

// admit reads a page and waits until there is memory for it. The page is in progress
// until release is called. Without Options.MaxMemory, large pages are extracted one
// at a time.
func (p *pipeline) admit(page *Input) (release func(), err error) {
	if p.admission == nil {
		if max(int64(len(page.Body)), page.Size) > largeBytes {
			p.large.Lock()
			return p.large.Unlock, nil
		}
		return func() {}, nil
	}
	if page.Err != nil {
		return func() {}, nil
	}
	a := p.admission
	a.readers <- struct{}{}
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("%w: %v", ErrCrash, x)
		}
		<-a.readers
	}()
	if err := p.opts.load(page); err != nil {
		return nil, err
	}
	cost, err := readBody(page)
	switch {
	case err != nil:
		return nil, err
	case cost < 0: // larger than pages are by default: alone
		cost = a.size
	case cost > a.size:
		return nil, fmt.Errorf("%w: it can take %d MB, and %d MB are left for pages; allow more memory", ErrMemory, cost>>20, a.size>>20)
	}
	a.acquire(cost)
	return func() { a.release(cost) }, nil
}

// readBody reads a page that is a file, and returns what it can cost, or -1 if it is
// larger than limits.PageBytes; it is then left to the extractor.
func readBody(page *Input) (cost int64, err error) {
	if page.Body == nil {
		r, err := page.Open()
		if err != nil {
			return 0, err
		}
		defer r.Close()
		body, err := io.ReadAll(io.LimitReader(r, limits.PageBytes+1))
		if err != nil {
			return 0, fmt.Errorf("reading the page: %w", err)
		}
		if len(body) > limits.PageBytes {
			return -1, nil
		}
		page.Body = body
	}
	if len(page.Body) > limits.PageBytes {
		return -1, nil
	}
	return int64(cap(page.Body)) + pageCost(page.Body), nil
}

// memoryGuard cancels a page if the process uses more memory than allowed: the one
// that has been in progress for longest, since most pages take milliseconds and those
// that fill the memory take long.
type memoryGuard struct {
	limit int64

	mu    sync.Mutex
	pages []*activePage // the oldest first
}

type activePage struct {
	cancel    context.CancelCauseFunc
	cancelled time.Time // zero if it is not cancelled
}

const (
	// memoryInterval is how often the memory is checked. A page can hardly
	// allocate more than some 100 MB in that time.
	memoryInterval = 50 * time.Millisecond
	// cancelGrace is how long to wait for a cancelled page before the next one is
	// cancelled. A page that hangs never ends.
	cancelGrace = 5 * time.Second
)

// watch checks the memory until ctx is cancelled.
func (g *memoryGuard) watch(ctx context.Context) {
	if g.limit <= 0 {
		return
	}
	tick := time.NewTicker(memoryInterval)
	defer tick.Stop()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for range receive(ctx.Done(), tick.C) {
		if metrics.Read(live); int64(live[0].Value.Uint64()) > g.limit {
			g.cancelOldest(live[0].Value.Uint64())
		}
	}
}

// cancelOldest cancels the oldest page, unless one that was cancelled may still
// end.
func (g *memoryGuard) cancelOldest(live uint64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, p := range g.pages {
		if p.cancelled.IsZero() {
			p.cancelled = time.Now()
			p.cancel(fmt.Errorf("%w: %d MB in use, %d MB allowed; allow more memory, or fewer bytes per page", ErrMemory, live>>20, g.limit>>20))
			return
		}
		if time.Since(p.cancelled) < cancelGrace {
			return
		}
	}
}

// enter returns a context that the guard may cancel, and a function to call when the
// page is done.
func (g *memoryGuard) enter(ctx context.Context) (context.Context, func()) {
	if g.limit <= 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	page := &activePage{cancel: cancel}
	g.mu.Lock()
	g.pages = append(g.pages, page)
	g.mu.Unlock()
	return ctx, func() {
		if context.Cause(ctx) != nil {
			runtime.GC() // otherwise the next page would be cancelled for the memory of this one
		}
		cancel(nil)
		g.mu.Lock()
		g.pages = slices.DeleteFunc(g.pages, func(p *activePage) bool { return p == page })
		g.mu.Unlock()
	}
}
