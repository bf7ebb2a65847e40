package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

const (
	startTime = 30 * time.Second
	closeTime = 5 * time.Second
)

// process is one Chromium, from its start to its end. It has one context for
// all tabs that lay pages out; pages that are rendered get their own.
type process struct {
	ctx    context.Context // chromedp's; done when Chromium is
	cancel context.CancelFunc
	free   func() // waits for what chromedp has left
	shared cdp.BrowserContextID
	gate   *gate // nil without network
}

// start starts Chromium. The context bounds the start, not what comes after.
func start(ctx context.Context, opts Options) (*process, error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	sandbox, err := sandboxed(root(), inContainer())
	if err != nil {
		return nil, err
	}
	if !sandbox {
		opts.Logger.Warn(noSandbox)
	}
	life, cancel := context.WithCancel(context.Background())
	life, freeAllocator := chromedp.NewExecAllocator(life, allocation(path, sandbox, opts)...)
	quiet := func(format string, args ...any) { opts.Logger.Debug(fmt.Sprintf(format, args...)) }
	life, freeBrowser := chromedp.NewContext(life, chromedp.WithLogf(quiet), chromedp.WithErrorf(quiet))
	p := &process{ctx: life, cancel: cancel, free: func() { freeBrowser(); freeAllocator() }}

	// Chromium lives as long as the context that it is started with.
	began := time.Now()
	ctx, done := context.WithTimeout(ctx, startTime)
	defer done()
	release := context.AfterFunc(ctx, cancel)
	err = p.open(opts)
	if !release() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		p.kill()
		return nil, fmt.Errorf("%w: %s: %w", ErrStart, path, err)
	}
	opts.Logger.Info("Chromium started", "path", path, "screen", viewport(opts), "sandbox", sandbox, "took", time.Since(began))
	return p, nil
}

func (p *process) open(opts Options) error {
	if _, err := chromedp.CallBrowser(p.ctx, cdpbrowser.GetVersion, cdp.Empty{}); err != nil {
		return err
	}
	proxy := noProxy
	if opts.Network {
		var err error
		if p.gate, err = openGate(opts.Dial, opts.Logger); err != nil {
			return err
		}
		proxy = p.gate.address()
	}
	res, err := cdp.Call(p.ctx, p.connection(), target.CreateBrowserContext, *isolated(proxy))
	if err != nil {
		return err
	}
	p.shared = res.BrowserContextID
	return p.denyDownloads(p.ctx, p.shared)
}

// isolated is a context without anything of others, behind a proxy.
func isolated(proxy string) *target.CreateBrowserContextParams {
	yes := true
	return &target.CreateBrowserContextParams{DisposeOnDetach: &yes, ProxyServer: proxy, ProxyBypassList: throughProxy}
}

func (p *process) denyDownloads(ctx context.Context, in cdp.BrowserContextID) error {
	_, err := cdp.Call(ctx, p.connection(), cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: in,
	})
	return err
}

func (p *process) connection() *chromedp.Browser { return chromedp.FromContext(p.ctx).Browser }

// pid is Chromium's process, whose children the others are.
func (p *process) pid() int { return p.connection().Process().Pid }

func (p *process) dead() bool {
	select {
	case <-p.connection().LostConnection:
		return true
	case <-p.ctx.Done():
		return true
	default:
		return false
	}
}

// stop asks Chromium to end, so that it takes its children along, and kills it
// when it does not.
func (p *process) stop() error {
	var err error
	if !p.dead() {
		ctx, cancel := context.WithTimeout(p.ctx, closeTime)
		err = chromedp.Cancel(ctx)
		cancel()
		if errors.Is(err, context.Canceled) {
			err = nil // it was quicker than its answer
		}
	}
	p.kill()
	return err
}

// kill ends Chromium at once and removes its profile.
func (p *process) kill() {
	p.cancel()
	p.free()
	if p.gate != nil {
		p.gate.close()
	}
}
