package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"
)

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
