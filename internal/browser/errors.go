package browser

import (
	"errors"
	"fmt"
	"strings"
)

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
