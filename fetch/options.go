package fetch

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"runtime/debug"
	"time"
)

// The limits that the zero Options stand for.
const (
	DefaultTimeout      = 30 * time.Second
	DefaultMaxBytes     = 20 << 20
	DefaultMaxRedirects = 10
)

// Options sets the limits of a Client. The zero value is safe to use on
// addresses that nobody has looked at.
type Options struct {
	// Timeout bounds a whole Get: lookup, redirects and body.
	// Zero or less means DefaultTimeout.
	Timeout time.Duration

	// MaxBytes bounds the body, both as sent and as decoded, so that a small
	// compressed body cannot grow without end. Zero or less means DefaultMaxBytes.
	MaxBytes int64

	// MaxRedirects is how many redirects are followed.
	// Zero means DefaultMaxRedirects, less than zero means none.
	MaxRedirects int

	// AllowPrivate turns the address guard off and the proxy variables of the
	// environment on.
	AllowPrivate bool

	// AnyType takes whatever there is at an address, such as a picture. Without
	// it, what is no page is ErrNotHTML.
	AnyType bool

	// UserAgent names the client to servers. Empty means lede's own name,
	// its version and where to read about it.
	UserAgent string

	// Logger hears of redirects and of bodies that broke off. Nil discards.
	Logger *slog.Logger

	// Resolver looks names up. Nil means the system's resolver.
	Resolver Resolver
}

// Resolver looks up the addresses of a name; *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	switch {
	case o.MaxRedirects == 0:
		o.MaxRedirects = DefaultMaxRedirects
	case o.MaxRedirects < 0:
		o.MaxRedirects = 0
	}
	if o.UserAgent == "" {
		o.UserAgent = "lede/" + version() + " (+https://" + module + ")"
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	return o
}

const module = "github.com/lede-news/lede"

// version asks the binary, so that no constant has to be kept in step with tags.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == module && m.Version != "" && m.Version != "(devel)" {
			return m.Version
		}
	}
	return "devel"
}
