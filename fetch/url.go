package fetch

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/lede-news/lede/internal/page/links"
)

// ParseURL parses the URL of a page as Do does: leniently, but only if it can be fetched.
// The error is an [*Error].
func ParseURL(raw string) (*url.URL, error) {
	u, err := parse(raw)
	if err != nil {
		return nil, err
	}
	if err := check(u); err != nil {
		return nil, err
	}
	return u, nil
}

// parse is links.Parse with errors of this package.
func parse(raw string) (*url.URL, error) {
	raw = strings.TrimSpace(raw)
	u, err := links.Parse(raw)
	if err != nil {
		// url.Error wraps the cause in `parse "…"`.
		if inner := (*url.Error)(nil); errors.As(err, &inner) {
			err = inner.Err
		}
		if i := strings.LastIndex(raw, "@"); i >= 0 {
			// Any part of it may be a password, so none is shown.
			return nil, &Error{URL: strconv.Quote("…" + raw[i:]), Kind: ErrURL, Reason: "not a URL; check what is before the @"}
		}
		return nil, &Error{URL: strconv.Quote(raw), Kind: ErrURL, Err: err, Reason: "not a URL: " + rootCause(err)}
	}
	return u, nil
}

// check refuses everything but a plain web address.
func check(u *url.URL) error {
	switch {
	case u.User != nil:
		// http://news.example@127.0.0.1/ is not at news.example.
		u.User = nil // not in messages
		return newError(u, ErrScheme, nil, "credentials before the host are not sent; remove all up to the @")
	case u.Scheme == "":
		return newError(u, ErrScheme, nil, "no scheme; begin it with https://")
	case u.Scheme != "http" && u.Scheme != "https":
		return newError(u, ErrScheme, nil, "scheme %q is not fetched; use http or https", u.Scheme)
	case u.Hostname() == "":
		return newError(u, ErrURL, nil, "no host; check the address")
	}
	if p := u.Port(); p != "" {
		if n, err := strconv.ParseUint(p, 10, 16); err != nil || n == 0 {
			return newError(u, ErrURL, nil, "port %s is out of range; use 1 to 65535", p)
		}
	}
	return nil
}
