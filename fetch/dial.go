package fetch

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"syscall"
)

// dialFunc connects to a host and port.
type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// Control is the address guard of a Client, for the Control of a [net.Dialer] of other
// programs that must not connect to private addresses. The dialer calls it with each IP
// address that it is about to connect to. The error wraps ErrPrivateAddress if the
// address is not on the public internet.
func Control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	return checkAddr(to.Addr())
}

// checkAddr returns an error for an address that must not be connected to.
func checkAddr(addr netip.Addr) error {
	if class := refused(addr); class != "" {
		return &refusedError{addr.Unmap(), class}
	}
	return nil
}

// refusedError is the error of an address that the guard refuses.
type refusedError struct {
	addr  netip.Addr
	class string
}

func (e *refusedError) Error() string { return e.of(e.addr.String()) }

// of returns the error of a host that has the address.
func (e *refusedError) of(host string) string {
	class := e.class
	if addr := e.addr.String(); addr != host {
		class = addr + ", " + class
	}
	return fmt.Sprintf("%s is %s address, which is not allowed", host, class)
}

func (e *refusedError) Unwrap() error { return ErrPrivateAddress }
