package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
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

// Variable names a Chromium that is not on PATH, or not under a usual name.
const Variable = "LEDE_CHROMIUM"

const howToInstall = "install it (apt install chromium, dnf install chromium, brew install --cask chromium), or set " +
	Variable + " to its path"

// Find is the path of the Chromium that New starts.
func Find() (string, error) {
	if name := os.Getenv(Variable); name != "" {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("%w: %s is %q, which cannot be run; correct it, or unset it to look on PATH", ErrNoBrowser, Variable, name)
		}
		return path, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: %s", ErrNoBrowser, howToInstall)
}

// noProxy is where the traffic of pages without network goes: a name that
// resolves to nothing, so that not even a connection is tried.
const noProxy = "http://offline.invalid:1"

// throughProxy has requests to this machine go through the proxy, too.
const throughProxy = "<-loopback>"

// allocation is how Chromium is started.
func allocation(path string, sandbox bool, opts Options) []chromedp.ExecAllocatorOption {
	flags := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path),
		chromedp.NoInheritEnv, // a page that breaks out shall find no secrets
		chromedp.Env(environment()...),
		chromedp.Flag("no-sandbox", !sandbox), // said in any case: chromedp would decide by itself

		chromedp.Flag("headless", "new"),
		chromedp.WindowSize(int(opts.Screen.Width), int(opts.Screen.Height)),
		chromedp.Flag("force-device-scale-factor", "1"),
		chromedp.Flag("font-render-hinting", "none"), // the same widths on every machine with the same fonts
		chromedp.Flag("lang", "en-US"),

		// Names are resolved by the gate, or not at all.
		chromedp.Flag("proxy-server", noProxy),
		chromedp.Flag("proxy-bypass-list", throughProxy),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.Flag("webrtc-ip-handling-policy", "disable_non_proxied_udp"),
		chromedp.Flag("force-webrtc-ip-handling-policy", "disable_non_proxied_udp"), // its older name

		// A page that hoards memory dies of it alone.
		chromedp.Flag("js-flags", "--max-old-space-size=512"),
		chromedp.Flag("password-store", "basic"),
		chromedp.Flag("disable-features", strings.Join(unwanted, ",")),
	}
	for _, name := range switches {
		flags = append(flags, chromedp.Flag(name, true))
	}
	if opts.UserAgent != "" {
		flags = append(flags, chromedp.UserAgent(opts.UserAgent))
	}
	return flags
}

// unwanted features call home, draw, or keep what a tab has shown.
var unwanted = []string{
	"Translate", "MediaRouter", "OptimizationHints", "InterestFeedContentSuggestions",
	"AutofillServerCommunication", "CertificateTransparencyComponentUpdater", "DialMediaRouteProvider",
	"BackForwardCache", "PaintHolding", "GlobalMediaControls",
}

var switches = []string{
	"no-first-run", "no-default-browser-check", "no-pings", "no-service-autorun",
	"hide-scrollbars", "mute-audio", "use-mock-keychain", "enable-automation",
	"deny-permission-prompts", "metrics-recording-only",
	"disable-background-networking", "disable-background-timer-throttling", "disable-backgrounding-occluded-windows",
	"disable-breakpad", "disable-crash-reporter", "disable-client-side-phishing-detection", "disable-component-update",
	"disable-component-extensions-with-background-pages", "disable-default-apps", "disable-dev-shm-usage",
	"disable-domain-reliability", "disable-extensions", "disable-field-trial-config", "disable-gpu", "disable-hang-monitor",
	"disable-notifications", "disable-prompt-on-repost", "disable-quic", "disable-renderer-backgrounding",
	"disable-search-engine-choice-screen", "disable-software-rasterizer", "disable-speech-api", "disable-sync",
	"safebrowsing-disable-auto-update",
}

// environment is what Chromium needs of ours: where things are, and in which
// language.
func environment() []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch {
		case name == "HOME", name == "PATH", name == "TMPDIR", name == "TZ", name == "LANG", name == "LD_LIBRARY_PATH",
			strings.HasPrefix(name, "LC_"), strings.HasPrefix(name, "XDG_"), strings.HasPrefix(name, "FONTCONFIG_"):
			env = append(env, v)
		}
	}
	return env
}

// viewport is the screen in whole pixels, as messages show it.
func viewport(o Options) string {
	return fmt.Sprintf("%.0f×%.0f", o.Screen.Width, o.Screen.Height)
}

const noSandbox = "Chromium runs without its sandbox, since lede runs as root in a container; run it as another user to have the sandbox"

// sandboxed decides whether Chromium runs in its sandbox. It cannot as root; a
// container is then the wall that is left, and without one nothing is.
func sandboxed(root, container bool) (bool, error) {
	switch {
	case !root:
		return true, nil
	case container:
		return false, nil
	}
	return false, ErrRoot
}

// inContainer looks for the marks that container engines leave.
func inContainer() bool {
	for _, file := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(file); err == nil {
			return true
		}
	}
	if os.Getenv("container") != "" || os.Getenv("KUBERNETES_SERVICE_HOST") != "" {
		return true
	}
	groups, _ := os.ReadFile("/proc/1/cgroup")
	for _, engine := range []string{"docker", "kubepods", "containerd", "lxc", "libpod"} {
		if strings.Contains(string(groups), engine) {
			return true
		}
	}
	return false
}

func root() bool { return os.Geteuid() == 0 }
