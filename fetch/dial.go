package fetch

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"time"
)

// dialer connects to hosts that the guard lets pass.
type dialer struct {
	guard    *guard // nil when private addresses are allowed
	resolver Resolver
	timeout  time.Duration
	logger   *slog.Logger
	// connect gets an address, never a name. Tests replace it, to have a public
	// address lead to a server of theirs.
	connect func(ctx context.Context, network, address string) (net.Conn, error)
}

func newDialer(opts Options) *dialer {
	d := &dialer{
		resolver: opts.Resolver,
		timeout:  opts.Timeout,
		logger:   opts.Logger,
		connect:  new(net.Dialer).DialContext,
	}
	if !opts.AllowPrivate {
		d.guard = newGuard()
	}
	return d
}

// Dial is how a client with these options connects, for others that must keep
// to public addresses: it looks a name up once, checks what it got and connects
// to that, so that a name cannot change its answer in between. What the guard
// refuses is ErrPrivateAddress.
func Dial(opts Options) func(ctx context.Context, network, address string) (net.Conn, error) {
	return newDialer(opts.withDefaults()).DialContext
}

// refusedError is what the guard says of a host.
type refusedError struct {
	host  string
	addr  netip.Addr
	class string
}

func (e *refusedError) Error() string {
	const advice = "address; allow it with --allow-private"
	if e.host == e.addr.String() {
		return fmt.Sprintf("%s is %s %s", e.host, e.class, advice)
	}
	return fmt.Sprintf("%s is %s, %s %s", e.host, e.addr, e.class, advice)
}

func (e *refusedError) Unwrap() error { return ErrPrivateAddress }

// DialContext resolves the host, checks every address and connects to one that
// passed.
func (d *dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	// The transport lets a dial outlive the request that began it.
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()

	addrs, err := d.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	if addrs, err = d.allowed(ctx, host, addrs); err != nil {
		return nil, err
	}
	return d.race(ctx, network, port, interleave(addrs))
}

func (d *dialer) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	addr, ok, err := literal(host)
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

// allowed drops the addresses that the guard refuses; it fails when none is left.
func (d *dialer) allowed(ctx context.Context, host string, addrs []netip.Addr) ([]netip.Addr, error) {
	if d.guard == nil {
		return addrs, nil
	}
	var passed []netip.Addr
	var first *refusedError
	for _, addr := range addrs {
		class := d.guard.refuses(addr)
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
	// headStart is what RFC 8305 gives an attempt before the next one begins.
	headStart = 250 * time.Millisecond
	// maxAttempts keeps a name with a thousand addresses from becoming a scan.
	maxAttempts = 8
)

// race connects to the first address that answers (RFC 8305, "happy eyeballs"),
// so that a network with broken IPv6 does not eat the time of the request.
// net.Dialer does the same for names, but names are resolved before this.
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

// interleave keeps the resolver's order but alternates the families.
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
