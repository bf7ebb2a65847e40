package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// ErrProxy is the kind of errors of a proxy, as opposed to those of the site.
var ErrProxy = errors.New("fetch: the proxy failed")

// byProxy returns a transport like direct for requests by a proxy, whose own address is
// not checked.
func (c *Client) byProxy(direct *http.Transport, dial dialFunc) *http.Transport {
	t := direct.Clone()
	t.DialContext = dial
	t.Proxy = func(req *http.Request) (*url.URL, error) { return c.proxy(req.URL) }
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
	p, err := c.proxy(u)
	if err != nil || p != nil && (p.Hostname() == "" || strings.Trim(p.Path, "/") != "") {
		// The cause, or what a bad address is taken for, may show the password.
		return nil, newError(u, ErrProxy, nil, "the address of the proxy is invalid; check %s", proxyVariable(u))
	}
	if p == nil {
		return nil, nil
	}
	return p, c.checkTarget(ctx, u)
}

// lookupFunc is the type of net.Resolver.LookupNetIP.
type lookupFunc func(ctx context.Context, network, host string) ([]netip.Addr, error)

// checkTarget refuses the target of a proxy if it has a private address as seen
// from here, a name of private networks, or an address that cannot be known here.
func (c *Client) checkTarget(ctx context.Context, u *url.URL) error {
	host := u.Hostname()
	if c.opts.AllowPrivate {
		return nil
	}
	addrs := []netip.Addr{}
	if addr, err := netip.ParseAddr(host); err == nil {
		addrs = append(addrs, addr)
	} else if isPrivateName(host) {
		return newError(u, ErrPrivateAddress, nil, "%s is a name of this machine or of a private network, which is not allowed", host)
	} else if addrs, err = c.lookup(ctx, "ip", host); err != nil || len(addrs) == 0 {
		if e := c.interrupted(ctx, u); e != nil {
			return e
		}
		return newError(u, ErrPrivateAddress, err, "%s cannot be resolved here, so its address cannot be checked before a proxy is asked for it", host)
	}
	for _, addr := range addrs { // the proxy may choose any of them
		if err := checkAddr(addr); err != nil {
			return c.networkError(ctx, u, err)
		}
	}
	return nil
}

// isPrivateName reports whether a name can only be one of this machine or of a
// private network: it has one label, or a domain that is reserved for them. A name
// that ends in a number is one of the other ways to write an IPv4 address.
func isPrivateName(host string) bool {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	i := strings.LastIndexByte(name, '.')
	switch domain := name[i+1:]; domain {
	case "localhost", "local", "localdomain", "internal", "intranet", "private", "corp", "home", "lan":
		return true
	default:
		return i < 0 || strings.HasSuffix(name, ".home.arpa") || domain != "" && '0' <= domain[0] && domain[0] <= '9'
	}
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
	var (
		advice = "check " + proxyVariable(u)
		reason string
		answer *connectError
		op     *net.OpError
	)
	switch {
	case errors.As(err, &answer) && answer.code == http.StatusProxyAuthRequired:
		reason, advice = "asks for a name and a password", "set "+proxyVariable(u)+" to http://NAME:PASSWORD@HOST:PORT"
	case errors.As(err, &answer):
		reason, advice = fmt.Sprintf("does not connect to %s (%v)", u.Host, answer), "check the address or try again later"
	case errors.As(err, &op), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), strings.HasPrefix(proxy.Scheme, "socks"):
		reason = "cannot be used: " + rootCause(err)
	default:
		return c.networkError(ctx, u, err)
	}
	return newError(u, ErrProxy, err, "the proxy %s://%s %s; %s", proxy.Scheme, proxy.Host, reason, advice) // without its password
}
