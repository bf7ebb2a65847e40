package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/fetch"
)

// webFlags are the flags of commands that fetch pages.
type WebFlags struct {
	Timeout      time.Duration
	AllowPrivate bool
	UserAgent    string
}

func (f *WebFlags) Add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.DurationVar(&f.Timeout, "timeout", fetch.DefaultTimeout, "maximum time to fetch one page")
	fl.BoolVar(&f.AllowPrivate, "allow-private", false, "allow addresses of this machine and of private networks")
	fl.StringVar(&f.UserAgent, "user-agent", "", "User-Agent header (default: lede and its version)")
}

func (f *WebFlags) Client(maxBytes int, log *slog.Logger) *fetch.Client {
	return fetch.New(fetch.Options{
		Timeout: f.Timeout, MaxBytes: int64(maxBytes), AllowPrivate: f.AllowPrivate, UserAgent: f.UserAgent, Logger: log,
	})
}

// hintPrivate adds the flag to use to the error of a refused address.
func HintPrivate(err error) error {
	if errors.Is(err, fetch.ErrPrivateAddress) {
		return fmt.Errorf("%w; allow it with --allow-private", err)
	}
	return err
}

// serveUntilDone serves requests until the context is done. It then finishes those that
// were accepted, within a time.
func ServeUntilDone(ctx context.Context, srv *http.Server, l net.Listener, grace time.Duration) error {
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	return errors.Join(srv.Shutdown(ctx), srv.Close())
}

// methodNames returns the names of all methods.
func MethodNames() []string {
	var names []string
	for _, m := range lede.Methods() {
		names = append(names, m.Name)
	}
	return names
}
