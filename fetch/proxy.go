package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// ErrProxy is the kind of errors of a proxy, as opposed to those of the site.
var ErrProxy = errors.New("fetch: the proxy failed")

// environmentProxy returns a function that chooses the proxy for a URL by the
// variables of the environment. It returns nil if there is none for it.
func environmentProxy() func(*url.URL) (*url.URL, error) {
	return httpproxy.FromEnvironment().ProxyFunc()
}

// proxyKey is the key of the proxy in the context of a request.
type proxyKey struct{}

// proxied returns a transport like direct for requests by a proxy. It connects only
// to the proxy in the context of a request, whose own address is not checked.
func proxied(direct *http.Transport, d *dialer) *http.Transport {
	t := direct.Clone()
	t.DialContext = d.dialProxy
	t.Proxy = func(req *http.Request) (*url.URL, error) {
		if p, ok := req.Context().Value(proxyKey{}).(*url.URL); ok {
			return p, nil
		}
		return nil, errors.New("no proxy was chosen")
	}
	t.OnProxyConnectResponse = func(_ context.Context, _ *url.URL, _ *http.Request, resp *http.Response) error {
		if resp.StatusCode != http.StatusOK {
			return &connectError{resp.StatusCode}
		}
		return nil
	}
	return t
}

// chooseProxy returns the proxy for a request, or nil if there is none. It fails if
// the guard refuses the target, which the proxy would connect to on our behalf.
func (c *Client) chooseProxy(ctx context.Context, u *url.URL) (*url.URL, error) {
	if c.proxy == nil {
		return nil, nil
	}
	p, err := c.proxy(u)
	if err != nil || p != nil && (p.Hostname() == "" || strings.Trim(p.Path, "/") != "") {
		// The cause, or what a bad address is taken for, may show the password.
		return nil, newError(u, ErrProxy, nil, "the address of the proxy is invalid; check %s", proxyVariable(u))
	}
	if p == nil {
		return nil, nil
	}
	if err := c.dialer.checkTarget(ctx, u.Hostname()); err != nil {
		return nil, c.networkError(ctx, u, err)
	}
	return p, nil
}

// checkTarget refuses the target of a proxy if it has a private address as seen
// from here, or a name of private networks. A name that is unknown here is left to
// the proxy: behind a proxy there is often no name server.
func (d *dialer) checkTarget(ctx context.Context, host string) error {
	if d.private {
		return nil
	}
	if isPrivateName(host) {
		return &refusedError{host: host}
	}
	const patience = 3 * time.Second // a name server that does not answer must not use up the time of the request
	ctx, cancel := context.WithTimeout(ctx, min(patience, d.timeout))
	defer cancel()
	addrs, err := d.lookup(ctx, host)
	if errors.Is(err, errBadHost) {
		return err
	}
	for _, addr := range addrs {
		// The proxy may choose any of them.
		if class := refused(addr); class != "" {
			return &refusedError{host, addr.Unmap(), class}
		}
	}
	return nil
}

// isPrivateName reports whether a name can only be one of this machine or of a
// private network: it has one label, or a domain that is reserved for them.
func isPrivateName(host string) bool {
	if _, ok, err := parseIP(host); ok || err != nil {
		return false
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	i := strings.LastIndexByte(name, '.')
	switch name[i+1:] {
	case "localhost", "local", "localdomain", "internal", "intranet", "private", "corp", "home", "lan":
		return true
	}
	return i < 0 || strings.HasSuffix(name, ".home.arpa")
}

// connectError is the answer of a proxy that refuses to connect.
type connectError struct{ code int }

func (e *connectError) Error() string { return fmt.Sprintf("%d %s", e.code, http.StatusText(e.code)) }

// proxyVariable returns the name of the variable that the proxy of u comes from.
func proxyVariable(u *url.URL) string { return strings.ToUpper(u.Scheme) + "_PROXY" }

// proxyError converts an error of a request by a proxy. It does not blame the site
// for what the proxy did.
func (c *Client) proxyError(ctx context.Context, u, proxy *url.URL, err error) error {
	if e := c.interrupted(ctx, u); e != nil {
		return e
	}
	name, variable := proxy.Scheme+"://"+proxy.Host, proxyVariable(u)
	var (
		answer  *connectError
		dns     *net.DNSError
		timeout net.Error
		op      *net.OpError
	)
	failed := func(format string, args ...any) error {
		return newError(u, ErrProxy, err, "the proxy "+strings.ReplaceAll(name, "%", "%%")+" "+format, args...)
	}
	atProxy := errors.As(err, &op) && op.Op == "proxyconnect"
	switch {
	case errors.As(err, &answer):
		return newError(u, ErrProxy, err, "%s", proxyAnswer(u, name, answer))
	case atProxy && errors.As(err, &dns):
		return failed("cannot be found: there is no address for %s; check %s", dns.Name, variable)
	case atProxy && errors.Is(err, syscall.ECONNREFUSED):
		return failed("refused the connection; check %s, and that the proxy is up", variable)
	case atProxy:
		return failed("cannot be used: %s; check %s", rootCause(err), variable)
	case errors.As(err, &timeout) && timeout.Timeout():
		return failed("did not answer in time; try again later")
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return failed("closed the connection without an answer; try again later")
	case strings.HasPrefix(proxy.Scheme, "socks"), errors.As(err, &dns), errors.As(err, &op) && op.Op == "dial":
		return failed("gave no connection: %s; check %s", rootCause(err), variable)
	}
	return c.networkError(ctx, u, err)
}

// proxyAnswer explains why a proxy does not connect.
func proxyAnswer(u *url.URL, name string, e *connectError) string {
	switch e.code {
	case http.StatusProxyAuthRequired:
		return fmt.Sprintf("the proxy %s asks for a name and a password; set %s to http://NAME:PASSWORD@HOST:PORT", name, proxyVariable(u))
	case http.StatusForbidden, http.StatusUnauthorized, http.StatusMethodNotAllowed:
		return fmt.Sprintf("the proxy %s does not allow %s (%v)", name, u.Host, e)
	case http.StatusNotFound, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return fmt.Sprintf("the proxy %s cannot reach %s (%v); check the address or try again later", name, u.Host, e)
	}
	return fmt.Sprintf("the proxy %s refused to connect to %s (%v)", name, u.Host, e)
}
