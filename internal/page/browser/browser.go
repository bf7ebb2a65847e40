// Package browser uses Chromium to lay out pages and to run their scripts.
//
// A [Browser] is a running Chromium with a pool of tabs. [Browser.Layout] returns
// the box and the computed style of every node of a [dom.Document].
// [Browser.Render] fetches a page that needs JavaScript to show its article.
//
// # Mapping
//
// Chromium does not parse the page. Layout builds the tree of package dom in the
// tab, element by element, so that the two cannot disagree about malformed
// markup. It then compares the names and texts of Chromium's tree with those of
// the document, node by node. A page is mapped exactly or not at all
// ([ErrMapping]).
//
// # Isolation
//
// A page that is laid out runs no scripts and has no network: its tab uses a proxy
// that does not exist, and Chromium does not resolve names. Attributes that would
// only load something, such as the URLs of pictures, frames and style sheets, are
// left out of the tree. A page that is rendered uses a local proxy, which resolves
// names itself and connects to public addresses only. No page can read files.
//
// Chromium's own sandbox stays on. It cannot run as root. As root in a container,
// the sandbox is off, which is reported by Options.Report.
package browser

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"runtime"
	"sync"
	"time"

	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/method"
)

// Browser is a running Chromium. It is safe for concurrent use.
type Browser struct {
	opts  Options
	slots chan struct{} // limits the number of open pages
	done  chan struct{} // closed by Close

	mu   sync.Mutex
	proc *process
	idle []*tab // tabs of proc

	closing sync.WaitGroup // tabs that are closing

	once sync.Once
	err  error // of Close
}

// New starts Chromium. The context applies to the start only.
func New(ctx context.Context, opts Options) (*Browser, error) {
	opts = opts.withDefaults()
	b := &Browser{opts: opts, slots: make(chan struct{}, min(runtime.NumCPU(), maxTabs)), done: make(chan struct{})}
	var err error
	if b.proc, err = start(ctx, opts); err != nil {
		return nil, err
	}
	if sandbox, _ := sandboxed(isRoot(), inContainer()); !sandbox {
		opts.Report(noSandbox)
	}
	return b, nil
}

// Close waits for open pages, stops Chromium and removes its profile.
func (b *Browser) Close() error {
	b.once.Do(func() {
		close(b.done)
		for range cap(b.slots) {
			b.slots <- struct{}{} // waits for open pages
		}
		b.closing.Wait()
		b.err = b.proc.stop()
	})
	return b.err
}

// acquire waits for a slot. The caller must call release.
func (b *Browser) acquire(ctx context.Context) error {
	select {
	case b.slots <- struct{}{}:
	case <-b.done:
		return ErrClosed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-b.done:
		b.release()
		return ErrClosed
	default:
		return nil
	}
}

func (b *Browser) release() { <-b.slots }

// process returns the running Chromium, and restarts it if it has ended.
func (b *Browser) process(ctx context.Context) (*process, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.proc.dead() {
		return b.proc, nil
	}
	b.opts.Logger.Warn("Chromium crashed; restarting")
	b.idle = nil
	b.proc.kill()
	p, err := start(ctx, b.opts)
	if err != nil {
		return nil, err // b.proc stays dead, so that the next page tries again
	}
	b.proc = p
	return p, nil
}

// takeTab returns an idle tab, or opens one.
func (b *Browser) takeTab(ctx context.Context) (*tab, error) {
	p, err := b.process(ctx)
	if err != nil {
		return nil, err
	}
	if t := b.idleTab(); t != nil {
		return t, nil
	}
	return openTab(ctx, p, b.opts.Network, false, b.opts)
}

// idleTab returns a tab that has not crashed, or nil if there is none.
func (b *Browser) idleTab() *tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.idle) > 0 {
		t := b.idle[len(b.idle)-1]
		b.idle = b.idle[:len(b.idle)-1]
		if t.life.Err() == nil {
			return t
		}
		b.discard(t)
	}
	return nil
}

// returnTab keeps a tab for the next page unless there was an error.
func (b *Browser) returnTab(t *tab, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil && t.proc == b.proc && t.life.Err() == nil {
		b.idle = append(b.idle, t)
		return
	}
	b.discard(t)
}

// discard closes a tab in the background, since a hanging page takes a while.
func (b *Browser) discard(t *tab) { b.closing.Go(t.close) }

const (
	defaultPageTime = 10 * time.Second // as elsewhere in lede
	maxTabs         = 4                // or one for each core, if there are fewer
)

// screen is wide enough for the desktop layout of pages made since 2010.
var screen = method.Screen{Width: 1280, Height: 1024}

// Options are the options of New. The zero value is safe for untrusted pages.
type Options struct {
	// PageTime limits the time for a page once it has a tab (default: 10 seconds).
	PageTime time.Duration
	// Network lets Layout load style sheets and pictures, and RenderHTML scripts.
	// Render always uses the network.
	Network bool
	// Properties are the CSS properties of Page.Styles, besides font-size and
	// font-weight.
	Properties []string
	// Dial connects to a host for a page (default: public addresses only).
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Report is called with messages for the user. It may be nil.
	Report func(message string)
	// Logger logs starts and crashes. It may be nil.
	Logger *slog.Logger
}

func (o *Options) properties() []string {
	return append([]string{"font-size", "font-weight"}, o.Properties...)
}

func (o Options) withDefaults() Options {
	if o.PageTime <= 0 {
		o.PageTime = defaultPageTime
	}
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: fetch.DefaultTimeout, Control: fetch.Control}).DialContext
	}
	if o.Report == nil {
		o.Report = func(string) {}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Errors for use with errors.Is.
var (
	ErrNoBrowser = errors.New("browser: no Chromium found")
	ErrRoot      = errors.New("browser: Chromium has no sandbox as root; run lede as another user")
	ErrStart     = errors.New("browser: Chromium did not start")
	ErrClosed    = errors.New("browser: closed")
	ErrTimeout   = errors.New("browser: timeout")          // a page took longer than Options.PageTime
	ErrCrashed   = errors.New("browser: Chromium crashed") // a tab or all of it; the next page gets a new one
	ErrMapping   = errors.New("browser: Chromium's tree differs from the document")
	ErrRedirects = errors.New("browser: too many redirects")
	ErrDownload  = errors.New("browser: the URL is a download, not a page")
	ErrStatus    = errors.New("browser: HTTP error")
	ErrLoad      = errors.New("browser: cannot load the page") // for another reason
)
