package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"
)

// What can go wrong, for errors.Is. The error that Get returns says more: which
// URL, what happened and what to do about it.
var (
	ErrURL              = errors.New("fetch: not a usable URL")
	ErrScheme           = errors.New("fetch: not a plain http or https URL")
	ErrPrivateAddress   = errors.New("fetch: address is not on the public internet")
	ErrDNS              = errors.New("fetch: name could not be resolved")
	ErrConnect          = errors.New("fetch: no connection")
	ErrTLS              = errors.New("fetch: no secure connection")
	ErrProtocol         = errors.New("fetch: answer is not HTTP")
	ErrTimeout          = errors.New("fetch: out of time")
	ErrTooManyRedirects = errors.New("fetch: too many redirects")
	ErrNotHTML          = errors.New("fetch: not a page")
	ErrEncoding         = errors.New("fetch: body cannot be decoded")
	ErrTooLarge         = errors.New("fetch: body is too large")
)

// Error is a failed Get. It matches its Kind and its cause with errors.Is.
type Error struct {
	URL    string // the one that failed, without credentials
	From   string // the one that was asked for, if a redirect led to URL
	Kind   error  // one of the Err values, or context.Canceled
	Reason string
	Err    error // the cause, if there is one beneath
}

// Error is one line.
func (e *Error) Error() string {
	if e.From != "" {
		return oneLine(fmt.Sprintf("%s (redirected from %s): %s", short(e.URL), short(e.From), e.Reason))
	}
	return oneLine(short(e.URL) + ": " + e.Reason)
}

// Unwrap returns the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// StatusError is an answer that carries no page: a status of 400 or more, or a
// redirect that does not say where to.
type StatusError struct {
	URL    string
	Code   int
	Status string // the standard text for Code, such as "Not Found"
}

// Error is one line.
func (e *StatusError) Error() string {
	s := fmt.Sprintf("%s answered %d", short(e.URL), e.Code)
	if e.Status != "" {
		s += " " + e.Status
	}
	if isRedirect(e.Code) {
		s += " without a Location"
	}
	return oneLine(s)
}

func newStatusError(url string, code int) *StatusError {
	// A server's own reason phrase can be any bytes.
	return &StatusError{URL: url, Code: code, Status: http.StatusText(code)}
}

// short keeps a data: URL given by mistake from filling the screen.
func short(url string) string {
	const limit = 300
	if len(url) <= limit {
		return url
	}
	return strings.ToValidUTF8(url[:limit], "") + "…"
}

// oneLine keeps what servers and certificates say from moving the cursor.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
}
