package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/lede-news/lede/newsroom"
)

func newNewsroom() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "newsroom",
		Short: "Made-up news sites, for tests, demos and load",
		Long: `Made-up news sites with real style sheets, advertisements, comments and feeds,
for tests, demos and load. The same seed always gives the same pages, and every
page comes with its gold: what an extractor should find on it.

The sites are ` + strings.Join(newsroom.Sites(), ", ") + `.`,
		Example: `  lede newsroom serve
  lede newsroom write --pages 100 made-up/`,
	}
	cmd.AddCommand(newNewsroomServe(), newNewsroomWrite())
	return cmd
}

func newNewsroomServe() *cobra.Command {
	var addr string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the sites over HTTP",
		Long: `Serve the sites over HTTP until interrupted, each under its name. Only this
machine can reach them unless --addr says otherwise.`,
		Example: `  lede newsroom serve --addr 127.0.0.1:8080
  lede extract --allow-private http://127.0.0.1:8080/marston-gazette/`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := net.Listen("tcp", addr)
			if err != nil {
				return failure{fmt.Errorf("cannot listen on %s: %w; choose another with --addr", addr, err)}
			}
			fmt.Fprintf(cmd.OutOrStdout(), "serving %d made-up news sites on http://%s/\n", len(newsroom.Sites()), l.Addr())
			return serve(cmd.Context(), l, newsroom.New(seed).Handler())
		},
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "`ADDRESS` to listen on; port 0 chooses one")
	cmd.Flags().Uint64Var(&seed, "seed", 1, "seed of the pages")
	return cmd
}

// serve answers until the context ends, then lets open requests finish.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute,
	}
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	select {
	case err := <-ended:
		return failure{err}
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := srv.Shutdown(grace); err != nil {
		return failure{err}
	}
	return nil
}

func newNewsroomWrite() *cobra.Command {
	var opts newsroom.WriteOptions
	var seed uint64
	cmd := &cobra.Command{
		Use:   "write DIR",
		Short: "Write pages and their gold to a folder",
		Long: `Write pages and their gold to a folder, in the form of a corpus: DIR/pages/ and
DIR/gold.jsonl, which lede batch reads.`,
		Example: `  lede newsroom write --pages 20 made-up/
  lede newsroom write --sites lanxi-ribao,hed-hagiva --gzip made-up/`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if opts.Pages < 1 {
				return errors.New("--pages is a number of pages for each site, 1 or more")
			}
			if f, ok := cmd.ErrOrStderr().(*os.File); ok && term.IsTerminal(int(f.Fd())) {
				opts.Progress = func(done, total int) {
					fmt.Fprintf(f, "\r\x1b[K%d/%d pages", done, total)
					if done == total {
						fmt.Fprint(f, "\r\x1b[K")
					}
				}
			}
			err := newsroom.New(seed).Write(args[0], opts)
			switch {
			case errors.Is(err, newsroom.ErrNoSite):
				return err
			case err != nil:
				return failure{err}
			}
			return nil
		},
	}
	fl := cmd.Flags()
	fl.IntVar(&opts.Pages, "pages", 10, "articles of each site")
	fl.StringSliceVar(&opts.Sites, "sites", nil, "`NAMES` of sites, separated by commas; default all")
	fl.BoolVar(&opts.Index, "index", false, "home pages and section pages too")
	fl.BoolVar(&opts.Gzip, "gzip", false, "pack the pages")
	fl.BoolVar(&opts.Force, "force", false, "write into a folder that is not empty")
	fl.Uint64Var(&seed, "seed", 1, "seed of the pages")
	return cmd
}
