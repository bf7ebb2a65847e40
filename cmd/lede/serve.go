package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/net/netutil"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/serve"
	"github.com/lede-news/lede/site/store"
)

const (
	defaultServeAddr = "127.0.0.1:8080"
	// maxConnections is the number of open connections; more have to wait.
	maxConnections = 1024
	// writeTime is the time for a request once its header was read: to read and fetch a
	// page, to extract it, and to write the response.
	writeTime = 10 * time.Minute
)

var logFormats = []string{"text", "json", "none"}

// moreThreads is how many threads there are besides those of the workers, which may take
// all cores. They read and answer requests meanwhile: the system gives them time at once,
// and Go's scheduler only when a worker has had its 10 ms.
const moreThreads = 2

type serveFlags struct {
	pageFlags
	cli.WebFlags
	siteStore string
	addr      string
	keys      string
	open      bool
	noFetch   bool
	workers   int
	queue     int
	grace     time.Duration
	hosts     []string
	pictures  bool
	log       string
}

func newServe() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve an HTTP API and a page to look at articles",
		Long: `Serve an HTTP API that takes pages or their URLs and answers with articles, and a
web page at / that shows an article and why each paragraph is in or out.

An address that others can reach needs --keys or --open. SIGHUP reads the keys again;
SIGTERM and Ctrl-C finish the requests that were accepted. See docs/serve.md.`,
		Example: `  lede serve
  curl -s --data-binary @page.html 'http://127.0.0.1:8080/v1/extract?format=md'
  lede serve key newsroom >> keys.txt
  lede serve --addr 0.0.0.0:8080 --keys keys.txt --site-store sites.db --log json`,
		Args: cli.Arguments(0, 0, ""),
		RunE: f.run,
	}
	fl := cmd.Flags()
	fl.StringVar(&f.addr, "addr", defaultServeAddr, "`ADDRESS` to listen on; a port alone is one of this machine only")
	fl.StringVar(&f.keys, "keys", "", "`FILE` of keys, of which each request needs one; see lede serve key")
	fl.BoolVar(&f.open, "open", false, "let everybody who can reach the address use it without a key")
	fl.StringArrayVar(&f.hosts, "host", nil, "`NAME` of the service besides localhost, or * for any; repeatable")
	fl.BoolVar(&f.noFetch, "no-fetch", false, "do not fetch pages by URL")
	fl.IntVar(&f.workers, "workers", 0, "number of concurrent workers (default: GOMAXPROCS)")
	fl.IntVar(&f.queue, "queue", 0, "number of requests that wait for a worker (default: 3 for each worker)")
	fl.IntVar(&f.maxBytes, "max-bytes", dom.DefaultBytes, "maximum size of a page, in bytes")
	fl.DurationVar(&f.pageTime, "page-time", lede.DefaultTime, "maximum time to extract a page, and again to write it")
	fl.DurationVar(&f.grace, "grace", 30*time.Second, "maximum time to finish requests when stopped")
	fl.BoolVar(&f.pictures, "pictures", false, "let the page at / load pictures of articles from their sites")
	fl.StringVar(&f.log, "log", "text", "`FORMAT` of the log: text, json, none")
	fl.StringVar(&f.siteStore, "site-store", "", "use and update what is known about sites, in a SQLite `FILE`")
	fl.StringVarP(&f.method, "method", "m", lede.DefaultMethod, "extraction `METHOD` of requests that name none; see lede methods")
	fl.StringArrayVar(&f.set, "set", nil, "set a parameter of the method, as `NAME=VALUE`; repeatable; see lede methods")
	fl.StringVar(&f.model, "model", "", "model `FILE` made by lede-lab train story, or with --method wrapper by lede-lab train wrapper")
	fl.BoolVarP(&f.verbose, "verbose", "v", false, "log more: health checks, and what is fetched")
	f.WebFlags.Add(cmd)
	cli.Complete(cmd, "log", logFormats...)
	cli.Complete(cmd, "method", cli.MethodNames()...)
	cmd.AddCommand(newServeKey())
	return cmd
}

// check returns an error for flags that are wrong or do not go together.
func (f *serveFlags) check() error {
	switch {
	case !slices.Contains(logFormats, f.log):
		return fmt.Errorf("--log %q: use text, json or none", f.log)
	case f.workers < 0 || f.queue < 0 || f.maxBytes < 1:
		return errors.New("--workers, --queue and --max-bytes must be at least 1")
	case f.pageTime <= 0 || f.grace <= 0:
		return errors.New("--page-time and --grace must be positive durations, such as 10s")
	case f.keys != "" && f.open:
		return errors.New("--keys and --open exclude each other: leave --open out if a key is needed")
	}
	return nil
}

func (f *serveFlags) run(cmd *cobra.Command, _ []string) error {
	if err := f.check(); err != nil {
		return err
	}
	at, err := f.address()
	if err != nil {
		return err
	}
	log := f.newLog(cmd.ErrOrStderr())
	details := slog.New(slog.DiscardHandler) // they have addresses of pages
	if f.verbose {
		details = log
	}
	ex, err := f.extractor(details)
	if err != nil {
		return err
	}
	if f.workers == 0 {
		f.workers = runtime.GOMAXPROCS(0)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + moreThreads))
	opts := serve.Options{
		Hosts: f.hostNames(), Workers: f.workers, Queue: f.queue, MaxBytes: f.maxBytes,
		Pictures: f.pictures, Token: keptToken(log), Log: log,
	}
	if f.keys != "" {
		if opts.Keys, err = serve.LoadKeys(f.keys); err != nil {
			return cli.Fail(err)
		}
	}
	if !f.noFetch {
		opts.Fetch = f.Client(f.maxBytes, details)
	}
	if f.siteStore != "" {
		known, err := store.Open(f.siteStore, store.Options{Report: func(err error) { log.Warn(cli.OneLine(err)) }})
		if err != nil {
			return cli.Fail(err)
		}
		defer known.Close()
		opts.Sites = known
	}
	l, err := net.ListenTCP("tcp", at)
	if err != nil {
		return cli.Fail(fmt.Errorf("cannot listen on %s: %w; choose another address with --addr", f.addr, err))
	}
	srv := &http.Server{
		Handler: serve.Handler(ex, opts), MaxHeaderBytes: 64 << 10,
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, WriteTimeout: writeTime,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	stop := reloadKeys(opts.Keys, log) // before others can know that the service is there
	defer stop()
	fmt.Fprintf(cmd.ErrOrStderr(), "lede: listening on http://%s/ (%s)\n", l.Addr(), f.reach(at))
	err = cli.ServeUntilDone(cmd.Context(), srv, netutil.LimitListener(l, maxConnections), f.grace)
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("requests were not finished within %v and are cut off; give them more time with --grace", f.grace)
	}
	return cli.Fail(err)
}

// address returns the address to listen on. What is not loopback needs keys or --open.
func (f *serveFlags) address() (*net.TCPAddr, error) {
	addr := f.addr
	if _, err := strconv.Atoi(addr); err == nil {
		addr = ":" + addr
	}
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("--addr %q: use HOST:PORT, such as %s", f.addr, defaultServeAddr)
	}
	at, err := net.ResolveTCPAddr("tcp", net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port))
	if err != nil {
		return nil, fmt.Errorf("--addr %q: %w", f.addr, err)
	}
	if !at.IP.IsLoopback() && f.keys == "" && !f.open {
		return nil, fmt.Errorf("--addr %s can be reached by others: "+
			"name a file of keys with --keys (lede serve key makes one), or let everybody use it with --open", f.addr)
	}
	return at, nil
}

// reach says who can use the service.
func (f *serveFlags) reach(at *net.TCPAddr) string {
	switch local := at.IP.IsLoopback(); {
	case local && f.keys != "":
		return "this machine only, with a key"
	case local:
		return "this machine only"
	case f.keys != "":
		return "with a key"
	}
	return "open to everybody"
}

// hostNames returns the names that the service has besides its addresses.
func (f *serveFlags) hostNames() []string {
	names := f.hosts
	if own, err := os.Hostname(); err == nil && f.open {
		names = append(names, own, own+".local")
	}
	return names
}

func newServeKey() *cobra.Command {
	return &cobra.Command{
		Use:   "key NAME",
		Short: "Make a key for lede serve --keys",
		Long: `Make a random key. Standard output gets its line for the file of --keys, with the name and
the hash of the key. The key itself is printed on standard error, and not stored: give
it to the client, which sends it as the header Authorization: Bearer KEY.

A service that runs reads the file again on SIGHUP. To revoke a key, remove its line.`,
		Example: `  lede serve key newsroom >> keys.txt
  pkill -HUP -x lede`,
		Args: cli.Arguments(1, 1, "no name: give the key one, such as lede serve key newsroom"),
		RunE: func(cmd *cobra.Command, args []string) error {
			secret, line, err := serve.NewKey(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "lede: the key of %s is %s\n", args[0], secret)
			_, err = fmt.Fprintln(cmd.OutOrStdout(), line)
			return cli.Fail(err)
		},
	}
}

// newLog returns the log. Without lines for requests it still has warnings.
func (f *serveFlags) newLog(w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: slog.LevelInfo}
	switch {
	case f.log == "none":
		opts.Level = slog.LevelWarn
	case f.verbose:
		opts.Level = slog.LevelDebug
	}
	if f.log == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}

// reloadKeys reads the keys again on each SIGHUP, until stop is called.
func reloadKeys(keys *serve.Keys, log *slog.Logger) (stop func()) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range hangup {
			if keys == nil {
				log.Warn("there are no keys to read again: the service was started without --keys")
			} else if err := keys.Reload(); err != nil {
				log.Error("the keys were not read again; those before are valid", "error", cli.OneLine(err))
			} else {
				log.Info("the keys were read again")
			}
		}
	}()
	return func() {
		signal.Stop(hangup)
		close(hangup)
		<-done
	}
}

// keptToken returns the secret behind the bookmarklet. It is kept in lede/token in the
// folder of the user's settings, so that the bookmarklet works after a restart.
func keptToken(log *slog.Logger) string {
	token := rand.Text()
	folder, err := os.UserConfigDir()
	file := filepath.Join(folder, "lede", "token")
	if err == nil {
		if kept, err := os.ReadFile(file); err == nil && len(kept) > 0 {
			return strings.TrimSpace(string(kept))
		}
		err = os.MkdirAll(filepath.Dir(file), 0o700)
	}
	if err == nil {
		err = os.WriteFile(file, []byte(token+"\n"), 0o600)
	}
	if err != nil {
		log.Warn("the bookmarklet works until the service ends, since its secret cannot be kept", "error", cli.OneLine(err))
	}
	return token
}
