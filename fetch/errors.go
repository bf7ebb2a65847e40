package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/lede-news/lede/internal/page/lines"
)

// The kinds of errors, for use with errors.Is. The errors that Get returns also
// say which URL failed, why, and what to do about it.
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

// Error is the error of a failed Get. It wraps its Kind and its cause.
type Error struct {
	URL    string // the URL that failed, without credentials
	From   string // the requested URL, if URL is the target of a redirect
	Kind   error  // one of the Err values, or context.Canceled
	Reason string // what happened and what to do about it
	Err    error  // the cause, or nil
}

func newError(u *url.URL, kind, cause error, format string, args ...any) *Error {
	return &Error{URL: u.String(), Kind: kind, Err: cause, Reason: fmt.Sprintf(format, args...)}
}

// Error returns the URL and the reason in one line.
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

// StatusError is the error of a response without a page: a status of 400 or more,
// or a redirect without a target.
type StatusError struct {
	URL        string        // the URL that failed, without credentials
	Code       int           // such as 404
	RetryAfter time.Duration // how long the server asks to wait, or 0
}

// retryAfter reads a Retry-After header: seconds or a date.
func retryAfter(value string, now time.Time) time.Duration {
	const most = 24 * time.Hour
	if n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 31); err == nil {
		return min(time.Duration(n)*time.Second, most)
	}
	if t, err := http.ParseTime(value); err == nil {
		return min(max(t.Sub(now), 0), most)
	}
	return 0
}

// Error returns the URL and the status in one line.
func (e *StatusError) Error() string {
	s := strings.TrimSpace(fmt.Sprintf("%s answered %d %s", short(e.URL), e.Code, http.StatusText(e.Code)))
	if isRedirect(e.Code) {
		s += " without a Location"
	}
	return oneLine(s)
}

// short truncates long URLs, such as a data: URL given by mistake.
func short(url string) string { return lines.Shorten(url, 300) }

// oneLine replaces control characters in the text of servers and certificates.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
}

// networkError converts an error of the transport into an Error of one kind and
// one line, without the names of the packages that it came through.
func (c *Client) networkError(ctx context.Context, u *url.URL, err error) error {
	if e := c.interrupted(ctx, u); e != nil {
		return e
	}
	reason, kind := diagnose(u, err)
	return newError(u, kind, err, "%s", reason)
}

// interrupted returns the error of a request that was cancelled or timed out on
// this side, or nil.
func (c *Client) interrupted(ctx context.Context, u *url.URL) *Error {
	switch err := ctx.Err(); {
	case err == nil:
		return nil
	case errors.Is(context.Cause(ctx), ErrTimeout):
		return newError(u, ErrTimeout, err, "not done after %s; try again or allow it more time", c.opts.Timeout)
	case errors.Is(err, context.DeadlineExceeded):
		return newError(u, ErrTimeout, err, "not done by the deadline; try again or allow it more time")
	default:
		return newError(u, err, context.Cause(ctx), "cancelled")
	}
}

func diagnose(u *url.URL, err error) (reason string, kind error) {
	var (
		refused *refusedError
		dns     *net.DNSError
		cert    *tls.CertificateVerificationError
		record  tls.RecordHeaderError
		timeout net.Error
	)
	switch {
	case errors.As(err, &refused):
		return refused.of(u.Hostname()), ErrPrivateAddress
	case errors.As(err, &dns) && dns.IsNotFound:
		return "there is no host " + dns.Name + "; check the spelling", ErrDNS
	case errors.As(err, &dns):
		return "the name server has no answer for " + dns.Name + " (" + dns.Err + "); try again later", ErrDNS
	case errors.As(err, &cert):
		return "certificate not accepted: " + rootCause(cert), ErrTLS
	case errors.As(err, &record) && string(record.RecordHeader[:]) == "HTTP/":
		return "the server speaks plain HTTP on this port; try http://", ErrTLS
	case errors.As(err, &timeout) && timeout.Timeout():
		return u.Host + " did not answer in time; try again later", ErrTimeout
	case errors.Is(err, syscall.ECONNREFUSED):
		return u.Host + " refused the connection; check that the server is up", ErrConnect
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return u.Host + " closed the connection without an answer; try again later", ErrConnect
	case isTLS(err):
		return "no secure connection: " + rootCause(err), ErrTLS
	}
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		return "no connection to " + u.Host + ": " + rootCause(err), ErrConnect
	}
	return "no HTTP answer: " + rootCause(err), ErrProtocol
}

// isTLS compares the text, because most errors of crypto/tls have no type.
func isTLS(err error) bool {
	return strings.Contains(err.Error(), "tls: ") || strings.Contains(err.Error(), "x509: ")
}

// rootCause returns the text of the innermost error without the name of its
// package.
func rootCause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			break
		}
		err = inner
	}
	s := err.Error()
	if dns, ok := err.(*net.DNSError); ok {
		s = dns.Err + ": " + dns.Name
	}
	for _, pkg := range []string{"net/http: ", "net/url: ", "http2: ", "http: ", "tls: ", "x509: "} {
		s = strings.TrimPrefix(s, pkg)
	}
	return s
}
