package fetch

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"time"
)

// dialer connects to hosts that the guard allows.
type dialer struct {
	private  bool // whether private addresses are allowed
	resolver Resolver
	timeout  time.Duration
	logger   *slog.Logger
	// connect gets an IP address, never a name.
	connect func(ctx context.Context, network, address string) (net.Conn, error)
}

func newDialer(opts Options) *dialer {
	return &dialer{
		private:  opts.AllowPrivate,
		resolver: opts.Resolver,
		timeout:  opts.Timeout,
		logger:   opts.Logger,
		connect:  opts.Dial,
	}
}

// DialContext returns the function by which a Client with these options connects
// without a proxy, for other programs that must not connect to private addresses, for example as
// the DialContext of an http.Transport. It resolves a name once, checks the
// addresses and connects to one of them. The error is ErrPrivateAddress if the
// guard refuses all of them.
func DialContext(opts Options) func(ctx context.Context, network, address string) (net.Conn, error) {
	return newDialer(opts.withDefaults()).dial
}

// refusedError is the error of a host that the guard refuses, for its address or,
// if that is invalid, for its name.
type refusedError struct {
	host  string
	addr  netip.Addr
	class string
}

func (e *refusedError) Error() string {
	if !e.addr.IsValid() {
		return e.host + " is a name of this machine or of a private network, which is not allowed"
	}
	class := e.class
	if addr := e.addr.String(); addr != e.host {
		class = addr + ", " + class
	}
	return fmt.Sprintf("%s is %s address, which is not allowed", e.host, class)
}

func (e *refusedError) Unwrap() error { return ErrPrivateAddress }

// dial resolves the host, checks every address and connects to one that is
// allowed.
func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	return d.dialHost(ctx, network, address, d.allowed)
}

// dialProxy connects to a proxy, whose address is not checked.
func (d *dialer) dialProxy(ctx context.Context, network, address string) (net.Conn, error) {
	return d.dialHost(ctx, network, address, func(_ context.Context, _ string, addrs []netip.Addr) ([]netip.Addr, error) { return addrs, nil })
}

func (d *dialer) dialHost(ctx context.Context, network, address string,
	allowed func(context.Context, string, []netip.Addr) ([]netip.Addr, error)) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	// A dial may outlive the request that started it.
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()

	addrs, err := d.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	if addrs, err = allowed(ctx, host, addrs); err != nil {
		return nil, err
	}
	return d.race(ctx, network, port, interleave(addrs))
}

func (d *dialer) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	addr, ok, err := parseIP(host)
	if err != nil {
		return nil, err
	}
	if ok {
		return []netip.Addr{addr}, nil
	}
	addrs, err := d.resolver.LookupNetIP(ctx, "ip", host)
	if err == nil && len(addrs) == 0 {
		err = &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return addrs, err
}

// allowed drops the addresses that the guard refuses. It fails if none is left.
func (d *dialer) allowed(ctx context.Context, host string, addrs []netip.Addr) ([]netip.Addr, error) {
	if d.private {
		return addrs, nil
	}
	var passed []netip.Addr
	var first *refusedError
	for _, addr := range addrs {
		class := refused(addr)
		if class == "" {
			passed = append(passed, addr)
			continue
		}
		d.logger.DebugContext(ctx, "address refused", "host", host, "address", addr, "class", class)
		if first == nil {
			first = &refusedError{host, addr.Unmap(), class}
		}
	}
	if len(passed) == 0 {
		return nil, first
	}
	return passed, nil
}

const (
	// headStart is the delay of RFC 8305 before the next attempt begins.
	headStart = 250 * time.Millisecond
	// maxAttempts keeps a name with a thousand addresses from causing a scan.
	maxAttempts = 8
)

// race connects to the first address that answers (RFC 8305, "happy eyeballs"),
// so that a network with broken IPv6 does not use up the time of the request.
// net.Dialer does so only for names, and here the name is already resolved.
func (d *dialer) race(ctx context.Context, network, port string, addrs []netip.Addr) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the slower attempts

	type result struct {
		conn net.Conn
		err  error
	}
	results := make(chan result)
	attempt := func(addr netip.Addr) {
		conn, err := d.connect(ctx, network, net.JoinHostPort(addr.String(), port))
		select {
		case results <- result{conn, err}:
		case <-ctx.Done():
			if err == nil {
				conn.Close()
			}
		}
	}

	addrs = addrs[:min(len(addrs), maxAttempts)]
	timer := time.NewTimer(0)
	defer timer.Stop()
	var first error
	for next, failed := 0, 0; failed < len(addrs); {
		start := timer.C
		if next == len(addrs) {
			start = nil
		}
		select {
		case <-start:
			go attempt(addrs[next])
			next++
			timer.Reset(headStart)
		case r := <-results:
			if r.err == nil {
				return r.conn, nil
			}
			if first == nil {
				first = r.err
			}
			failed++
			timer.Reset(0)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return nil, first
}

// interleave alternates IPv4 and IPv6 but keeps the order of the resolver.
func interleave(addrs []netip.Addr) []netip.Addr {
	if len(addrs) == 0 {
		return addrs
	}
	var same, other []netip.Addr
	for _, a := range addrs {
		if a.Unmap().Is4() == addrs[0].Unmap().Is4() {
			same = append(same, a)
		} else {
			other = append(other, a)
		}
	}
	mixed := make([]netip.Addr, 0, len(addrs))
	for i := range max(len(same), len(other)) {
		if i < len(same) {
			mixed = append(mixed, same[i])
		}
		if i < len(other) {
			mixed = append(mixed, other[i])
		}
	}
	return mixed
}
