package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/warc"
)

func newRace() *cobra.Command {
	var r run
	cmd := &cobra.Command{
		Use:   "warc ARCHIVE…",
		Short: "Compare the speed of lede and other extractors on web archives",
		Long: `Compare the speed of lede and other extractors on the pages of web archives, on one
core. Every page goes to every system in turn. The table has pages per second, and
the time relative to the first system.`,
		Example: `  lede-lab newsroom write --warc -n 2000 made.warc.gz
  go run . warc made.warc.gz --rivals go`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.out, r.err = cmd.OutOrStdout(), cmd.ErrOrStderr()
			return r.race(cmd.Context(), args)
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&r.rivals, "rivals", []string{"go"}, "comma-separated `RIVALS`, as for peers")
	fl.StringSliceVar(&r.methods, "methods", []string{"blend"}, "comma-separated `METHODS` of lede; times are relative to the first")
	fl.IntVar(&r.limit, "limit", 0, "use the first `N` pages of each archive only")
	fl.StringVar(&r.home, "home", ".", "`FOLDER` of this module, where the rivals are installed")
	return cmd
}

// race measures the total time of every system on the pages of archives.
func (r *run) race(ctx context.Context, archives []string) error {
	systems, err := r.openSystems()
	defer closeAll(systems)
	if err != nil {
		return err
	}
	took := make([]time.Duration, len(systems))
	failed := make([]int, len(systems))
	pages := 0
	for _, name := range archives {
		n, err := r.raceArchive(ctx, name, systems, took, failed)
		pages += n
		if err != nil {
			return err
		}
	}
	if pages == 0 {
		return errors.New("no pages in the archives")
	}
	fmt.Fprintf(r.out, "%d pages\n%-28s %10s %8s %8s\n", pages, "", "pages/s", "time ×", "failed")
	for i, s := range systems {
		rate := float64(pages) / took[i].Seconds()
		fmt.Fprintf(r.out, "%-28s %10.1f %8.2f %8d\n", s.Name(), rate, took[i].Seconds()/took[0].Seconds(), failed[i])
	}
	return nil
}

// raceArchive measures the pages of one archive.
func (r *run) raceArchive(ctx context.Context, name string, systems []eval.System, took []time.Duration, failed []int) (pages int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	in := warc.NewReader(f, warc.Options{})
	for r.limit == 0 || pages < r.limit {
		rec, err := in.Next()
		if errors.Is(err, io.EOF) {
			return pages, nil
		}
		if err != nil {
			return pages, err
		}
		p, err := rec.Page()
		if err != nil {
			continue // not a page, or an invalid one
		}
		page := &eval.Input{Corpus: name, ID: p.ID, URL: p.URL, Charset: p.Charset, HTML: p.Body}
		for i, s := range systems {
			if ctx.Err() != nil {
				return pages, context.Cause(ctx)
			}
			out := s.Extract(ctx, page)
			took[i] += out.Time
			if out.Error != "" {
				failed[i]++
			}
		}
		pages++
	}
	return pages, nil
}
