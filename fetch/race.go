package fetch

import (
	"context"
	"net"
	"net/netip"
	"time"
)

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
