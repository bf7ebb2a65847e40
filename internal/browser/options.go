package browser

import (
	"context"
	"log/slog"
	"net"
	"runtime"
	"time"

	"github.com/lede-news/lede/fetch"
	"github.com/lede-news/lede/method"
)

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
		o.Dial = fetch.Dial(fetch.Options{})
	}
	if o.Report == nil {
		o.Report = func(string) {}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}
