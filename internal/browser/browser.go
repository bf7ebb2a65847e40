// Package browser has Chromium lay pages out and run their scripts.
//
// A [Browser] is one warm Chromium with a pool of tabs. [Browser.Layout] gives
// the box and the computed style of every node of a [dom.Document];
// [Browser.Render] fetches a page that needs JavaScript to show its story.
//
// # The mapping
//
// Chromium does not parse the page. It is handed the tree that package dom has
// made of it, element by element, so that the two cannot disagree about what
// malformed markup means. What Chromium then says of its own tree is compared
// with ours node by node, names and text; a page is mapped exactly or not at all
// ([ErrMapping]).
//
// # The walls around a page
//
// A page that is laid out runs no scripts and reaches nothing: its tab goes
// through a proxy that does not exist, and Chromium resolves no names. What
// would only ask for something (the addresses of pictures, frames, style sheets)
// is not handed over in the first place. A page that is rendered reaches the
// network through a gate of ours, which resolves names itself and connects to
// public addresses only. Nothing reads files.
//
// Chromium's own sandbox stays on. It cannot run as root; as root in a container
// it is off, and Options.Report and the logger say so.
package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/method"
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

// Defaults of Options.
const (
	// DefaultPageTime is the time that any page gets elsewhere in lede, too.
	DefaultPageTime = 10 * time.Second
	// More tabs than cores only make each other wait.
	mostTabs = 4
)

// DefaultScreen is wide enough that pages made since 2010 show the columns of a
// desk and not the single one of a telephone, and as high as the screens that
// were usual at that width.
var DefaultScreen = method.Screen{Width: 1280, Height: 1024}

// Options are the settings of a Browser. The zero value is safe for pages that
// nobody has looked at.
type Options struct {
	// Tabs is how many pages are open at once. Zero means one for each core,
	// four at the most.
	Tabs int
	// PageTime bounds a page from the moment that it has a tab.
	PageTime time.Duration
	// Screen is the window that pages are laid out for.
	Screen method.Screen
	// Scripts runs the scripts of a page before it is laid out. The document
	// of the layout is then the one that the scripts have made.
	Scripts bool
	// Network lets pages that are laid out load their style sheets, pictures
	// and scripts. Render needs no leave: whoever calls it wants the network.
	Network bool
	// Dial connects to a host for a page, "tcp" and "host:port". Nil connects
	// to public addresses only.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// UserAgent names the browser to servers. Empty means Chromium's own name.
	UserAgent string
	// Report is told, in a sentence, what the user must know.
	Report func(message string)
	// Logger hears of starts, crashes and killed tabs. Nil discards.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Tabs <= 0 {
		o.Tabs = min(runtime.NumCPU(), mostTabs)
	}
	if o.PageTime <= 0 {
		o.PageTime = DefaultPageTime
	}
	if o.Screen.Width <= 0 || o.Screen.Height <= 0 {
		o.Screen = DefaultScreen
	}
	if o.Dial == nil {
		o.Dial = fetch.DialContext(fetch.Options{})
	}
	if o.Report == nil {
		o.Report = func(string) {}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// What can go wrong, for errors.Is. The error that is returned says more.
var (
	// ErrNoBrowser means that there is no Chromium to be found.
	ErrNoBrowser = errors.New("browser: no Chromium found")
	// ErrRoot means that Chromium would run as root outside of a container.
	ErrRoot = errors.New("browser: Chromium has no sandbox as root; run as another user")
	// ErrStart means that Chromium was found but did not start.
	ErrStart = errors.New("browser: Chromium did not start")
	// ErrClosed means that the Browser has been closed.
	ErrClosed = errors.New("browser: closed")
	// ErrTimeout means that a page took longer than Options.PageTime.
	ErrTimeout = errors.New("browser: the page is out of time")
	// ErrCrashed means that the tab or all of Chromium died over a page. The
	// next page gets a new one.
	ErrCrashed = errors.New("browser: Chromium died")
	// ErrMapping means that Chromium has another tree than the document.
	ErrMapping = errors.New("browser: Chromium's tree is not the document's")
	// ErrURL means that the address is not one of a page on the web.
	ErrURL = errors.New("browser: not an http or https URL")
	// ErrRefused means that the address guard let the page's host not pass.
	ErrRefused = errors.New("browser: address refused")
	// ErrRedirects means that a page led on and on to others.
	ErrRedirects = errors.New("browser: too many redirects")
	// ErrDownload means that the address holds a file to be saved, not a page.
	ErrDownload = errors.New("browser: not a page but a download")
	// ErrStatus means that the server answered without the page: 404, 503 …
	ErrStatus = errors.New("browser: the server has no such page")
	// ErrLoad means that the page could not be loaded for another reason.
	ErrLoad = errors.New("browser: the page cannot be loaded")
)

// loadError is what Chromium says of a page that it cannot show.
func loadError(text string) error {
	return fmt.Errorf("%w: %s", ErrLoad, strings.TrimPrefix(text, "net::"))
}

// A browser that dies more often than this does not die of its pages.
const (
	mostRestarts  = 10
	restartPeriod = time.Minute
)

// restarts bounds how often Chromium is started again.
type restarts struct{ at []time.Time }

// allow notes a restart, or says that there were too many.
func (r *restarts) allow(now time.Time) error {
	for len(r.at) > 0 && now.Sub(r.at[0]) >= restartPeriod {
		r.at = r.at[1:]
	}
	if len(r.at) >= mostRestarts {
		return fmt.Errorf("%w %d times within a minute; wait, or look at its log for the reason (missing libraries, no memory left)",
			ErrCrashed, len(r.at))
	}
	r.at = append(r.at, now)
	return nil
}
