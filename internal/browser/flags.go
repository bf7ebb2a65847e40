package browser

import (
	"fmt"
	"os"
	"strings"

	"github.com/chromedp/chromedp"
)

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
