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
	"strings"
	"syscall"
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

// explain turns what the transport says into an Error of one kind and one line,
// without the trail of packages it came through.
func (c *Client) explain(ctx context.Context, u *url.URL, err error) error {
	if e := c.interrupted(ctx, u); e != nil {
		return e
	}
	reason, kind := diagnose(u, err)
	return &Error{URL: show(u), Kind: kind, Reason: reason, Err: err}
}

// interrupted is the error for a request that was ended from this side, or nil.
func (c *Client) interrupted(ctx context.Context, u *url.URL) *Error {
	switch err := ctx.Err(); {
	case err == nil:
		return nil
	case errors.Is(context.Cause(ctx), ErrTimeout):
		return &Error{URL: show(u), Kind: ErrTimeout, Err: err,
			Reason: "not done after " + c.opts.Timeout.String() + "; try again or allow it more time"}
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{URL: show(u), Kind: ErrTimeout, Err: err,
			Reason: "not done by the deadline; try again or allow it more time"}
	default:
		return &Error{URL: show(u), Kind: err, Err: context.Cause(ctx), Reason: "cancelled"}
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
		return refused.Error(), ErrPrivateAddress
	case errors.Is(err, errBadHost):
		return errBadHost.Error(), ErrURL
	case errors.As(err, &dns) && dns.IsNotFound:
		return "there is no host " + dns.Name + "; check the spelling", ErrDNS
	case errors.As(err, &dns):
		return "the name server has no answer for " + dns.Name + " (" + dns.Err + "); try again later", ErrDNS
	case errors.As(err, &cert):
		return "certificate not accepted: " + cause(cert), ErrTLS
	case errors.As(err, &record) && string(record.RecordHeader[:]) == "HTTP/":
		return "the server speaks plain HTTP on this port; try http://", ErrTLS
	case errors.As(err, &timeout) && timeout.Timeout():
		return u.Host + " did not answer in time; try again later", ErrTimeout
	case errors.Is(err, syscall.ECONNREFUSED):
		return u.Host + " refused the connection; check that the server is up", ErrConnect
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return u.Host + " closed the connection without an answer; try again later", ErrConnect
	case isTLS(err):
		return "no secure connection: " + cause(err), ErrTLS
	}
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		return "no connection to " + u.Host + ": " + cause(err), ErrConnect
	}
	return "no HTTP answer: " + cause(err), ErrProtocol
}

// isTLS goes by the text, since most errors of crypto/tls have no type.
func isTLS(err error) bool {
	return strings.Contains(err.Error(), "tls: ") || strings.Contains(err.Error(), "x509: ")
}

// cause is the text at the end of the chain, less the package that wrote it.
func cause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			break
		}
		err = inner
	}
	s := err.Error()
	for _, pkg := range []string{"net/http: ", "net/url: ", "http2: ", "http: ", "tls: ", "x509: "} {
		s = strings.TrimPrefix(s, pkg)
	}
	return s
}
