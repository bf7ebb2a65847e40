package command

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/lab/label"
)

func newLabel() *cobra.Command {
	var labels, addr string
	cmd := &cobra.Command{
		Use:   "label DIR|FILE…",
		Short: "Label titles and bodies of pages, to train the wrapper",
		Long: `Label the title and the body of pages in a browser. lede-lab serves a web page on
loopback and prints its URL. Point and click, or use the keys; ? lists them. A label
is on disk before the page shows it as saved.

Labels are JSON lines, one for each page. lede-lab train wrapper learns from them.
Pages are shown without scripts, and without remote pictures and style sheets.`,
		Example: `  lede-lab label pages/ --labels labels.jsonl
  lede-lab train wrapper labels.jsonl --pages pages/ --out model.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("no input: name folders or files")
			}
			pages, err := label.Files(args)
			if err != nil {
				return cli.Fail(err)
			}
			store, err := label.OpenStore(labels)
			if err != nil {
				return cli.Fail(err)
			}
			l, err := net.Listen("tcp", addr)
			if err != nil {
				return cli.Fail(fmt.Errorf("cannot listen on %s: %w; choose another with --addr", addr, err))
			}
			s := label.New(pages, store)
			fmt.Fprintf(cmd.OutOrStdout(), "labelling %d pages into %s\nopen http://%s%s\n", len(pages), labels, l.Addr(), s.Path())
			srv := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute}
			return cli.Fail(cli.ServeUntilDone(cmd.Context(), srv, l, 5*time.Second))
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&labels, "labels", "l", "labels.jsonl", "`FILE` of labels to read and write")
	fl.StringVar(&addr, "addr", "127.0.0.1:0", "`ADDRESS` to listen on; port 0 chooses a free one")
	return cmd
}
