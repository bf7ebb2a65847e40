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
	"github.com/chromedp/chromedp"
)

const (
	startTime = time.Minute
	closeTime = 5 * time.Second
)

// process is a Chromium process.
type process struct {
	ctx    context.Context // of chromedp; done when Chromium has ended
	cancel context.CancelFunc
	free   func() // frees the resources of chromedp
}

// start starts Chromium. The context applies to the start only.
func start(ctx context.Context, opts Options) (*process, error) {
	path, err := findChromium()
	if err != nil {
		return nil, err
	}
	sandbox, err := sandboxed(isRoot(), inContainer())
	if err != nil {
		return nil, err
	}
	life, cancel := context.WithCancel(context.Background())
	life, freeAllocator := chromedp.NewExecAllocator(life, execOptions(path, sandbox)...)
	quiet := func(format string, args ...any) { opts.Logger.Debug(fmt.Sprintf(format, args...)) }
	life, freeBrowser := chromedp.NewContext(life, chromedp.WithLogf(quiet), chromedp.WithErrorf(quiet))
	p := &process{ctx: life, cancel: cancel, free: func() { freeBrowser(); freeAllocator() }}

	// Chromium ends with the context that it is started with, which must therefore
	// not be that of the caller.
	began := time.Now()
	ctx, done := context.WithTimeout(ctx, startTime)
	defer done()
	release := context.AfterFunc(ctx, cancel)
	_, err = chromedp.CallBrowser(p.ctx, cdpbrowser.GetVersion, cdp.Empty{})
	if !release() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		p.kill()
		return nil, fmt.Errorf("%w: %s: %w", ErrStart, path, err)
	}
	opts.Logger.Info("Chromium started", "path", path, "sandbox", sandbox, "took", time.Since(began))
	return p, nil
}

func (p *process) connection() *chromedp.Browser { return chromedp.FromContext(p.ctx).Browser }

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

// stop closes Chromium with its child processes, and kills it if that fails.
func (p *process) stop() error {
	var err error
	if !p.dead() {
		ctx, cancel := context.WithTimeout(p.ctx, closeTime)
		err = chromedp.Cancel(ctx)
		cancel()
		if errors.Is(err, context.Canceled) {
			err = nil // Chromium ended before it answered
		}
	}
	p.kill()
	return err
}

// kill kills Chromium and removes its profile.
func (p *process) kill() {
	p.cancel()
	p.free()
}

// pathVariable is the environment variable for the path of Chromium.
const pathVariable = "LEDE_CHROMIUM"

const howToInstall = "install it (apt install chromium, dnf install chromium, brew install --cask chromium), or set " +
	pathVariable + " to its path"

// findChromium returns the path of Chromium.
func findChromium() (string, error) {
	if name := os.Getenv(pathVariable); name != "" {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("%w: %s is %q, which is not an executable; correct it, or unset it to search PATH", ErrNoBrowser, pathVariable, name)
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

// noProxy is the proxy of pages without network. Its name does not resolve, so
// that there is no connection.
const noProxy = "http://offline.invalid:1"

// throughProxy makes requests to localhost use the proxy, too.
const throughProxy = "<-loopback>"

// execOptions returns the command line of Chromium.
func execOptions(path string, sandbox bool) []chromedp.ExecAllocatorOption {
	flags := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path),
		chromedp.NoInheritEnv, // a compromised Chromium finds no secrets
		chromedp.Env(environment()...),
		chromedp.Flag("no-sandbox", !sandbox), // always set, because chromedp has its own default

		chromedp.Flag("headless", "new"),
		chromedp.WindowSize(int(screen.Width), int(screen.Height)),
		chromedp.Flag("force-device-scale-factor", "1"),
		chromedp.Flag("font-render-hinting", "none"), // the same widths on all machines with the same fonts
		chromedp.Flag("lang", "en-US"),

		// Names are resolved by the proxy only.
		chromedp.Flag("proxy-server", noProxy),
		chromedp.Flag("proxy-bypass-list", throughProxy),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.Flag("webrtc-ip-handling-policy", "disable_non_proxied_udp"),
		chromedp.Flag("force-webrtc-ip-handling-policy", "disable_non_proxied_udp"), // its older name

		// A page that uses too much memory crashes its own tab only.
		chromedp.Flag("js-flags", "--max-old-space-size=512"),
		chromedp.Flag("password-store", "basic"),
		chromedp.Flag("disable-features", strings.Join(disabledFeatures, ",")),
	}
	for _, name := range switches {
		flags = append(flags, chromedp.Flag(name, true))
	}
	return flags
}

// disabledFeatures make requests, draw, or keep previous pages.
var disabledFeatures = []string{
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

// environment returns the environment variables that Chromium needs.
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

const noSandbox = "Chromium runs without its sandbox because lede runs as root in a container; run lede as another user to use the sandbox"

// sandboxed reports whether Chromium runs in its sandbox. It cannot as root. The
// container then isolates it; without a container, root is an error.
func sandboxed(root, container bool) (bool, error) {
	switch {
	case !root:
		return true, nil
	case container:
		return false, nil
	}
	return false, ErrRoot
}

// inContainer reports whether lede runs in a container.
func inContainer() bool {
	for _, file := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(file); err == nil {
			return true
		}
	}
	return os.Getenv("container") != "" || os.Getenv("KUBERNETES_SERVICE_HOST") != ""
}

func isRoot() bool { return os.Geteuid() == 0 }
