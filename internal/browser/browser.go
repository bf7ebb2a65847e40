package browser

import (
	"context"
	"sync"
	"time"
)

// Browser is a warm Chromium. It is safe for concurrent use.
type Browser struct {
	opts  Options
	slots chan struct{} // one for each page that may be open
	done  chan struct{} // closed by Close

	mu       sync.Mutex
	proc     *process
	idle     []*tab // of proc
	restarts restarts

	closing sync.WaitGroup // tabs that are being closed

	once sync.Once
	err  error // of Close
}

// New starts Chromium. The context bounds the start; Close ends it.
func New(ctx context.Context, opts Options) (*Browser, error) {
	opts = opts.withDefaults()
	b := &Browser{opts: opts, slots: make(chan struct{}, opts.Tabs), done: make(chan struct{})}
	var err error
	if b.proc, err = start(ctx, opts); err != nil {
		return nil, err
	}
	if sandbox, _ := sandboxed(root(), inContainer()); !sandbox {
		opts.Report(noSandbox)
	}
	return b, nil
}

// Close ends Chromium and removes its profile. It waits for pages that are open.
func (b *Browser) Close() error {
	b.once.Do(func() {
		close(b.done)
		for range cap(b.slots) {
			b.slots <- struct{}{} // pages that are open end first
		}
		b.closing.Wait()
		b.err = b.proc.stop()
	})
	return b.err
}

// enter waits for a slot. The caller must leave.
func (b *Browser) enter(ctx context.Context) error {
	select {
	case b.slots <- struct{}{}:
	case <-b.done:
		return ErrClosed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-b.done:
		b.leave()
		return ErrClosed
	default:
		return nil
	}
}

func (b *Browser) leave() { <-b.slots }

// process is the living Chromium, started anew if the last one died.
func (b *Browser) process(ctx context.Context) (*process, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.alive(ctx)
}

func (b *Browser) alive(ctx context.Context) (*process, error) {
	if !b.proc.dead() {
		return b.proc, nil
	}
	if err := b.restarts.allow(time.Now()); err != nil {
		return nil, err
	}
	b.opts.Logger.Warn("Chromium died and is started again")
	b.idle = nil
	b.proc.kill()
	p, err := start(ctx, b.opts)
	if err != nil {
		return nil, err // the dead one stays, so that the next page tries again
	}
	b.proc = p
	return p, nil
}

// borrow takes an idle tab, or opens one.
func (b *Browser) borrow(ctx context.Context) (*tab, error) {
	b.mu.Lock()
	p, err := b.alive(ctx)
	if err != nil {
		b.mu.Unlock()
		return nil, err
	}
	for len(b.idle) > 0 {
		t := b.idle[len(b.idle)-1]
		b.idle = b.idle[:len(b.idle)-1]
		if t.life.Err() == nil {
			b.mu.Unlock()
			return t, nil
		}
		b.discard(t)
	}
	b.mu.Unlock()
	return openTab(ctx, p, p.shared, b.opts)
}

// giveBack keeps a tab for the next page if all went well with this one.
func (b *Browser) giveBack(t *tab, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil && t.proc == b.proc && t.life.Err() == nil {
		b.idle = append(b.idle, t)
		return
	}
	b.discard(t)
}

// discard closes a tab, which takes a while when its page hangs.
func (b *Browser) discard(t *tab) { b.closing.Go(t.close) }
