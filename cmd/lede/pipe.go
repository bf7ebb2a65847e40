package main

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/internal/pipe"
)

type pipeFlags struct {
	pageFlags
	webFlags
	workers int
}

func newPipe() *cobra.Command {
	var f pipeFlags
	cmd := &cobra.Command{
		Use:   "pipe",
		Short: "Answer requests on standard input, for programs in other languages",
		Args:  cobra.NoArgs,
		RunE:  f.run,
	}
	f.pageFlags.add(cmd)
	f.webFlags.add(cmd)
	cmd.Flags().IntVarP(&f.workers, "workers", "w", 0, "number of concurrent workers (default: GOMAXPROCS)")
	return cmd
}

func (f *pipeFlags) run(cmd *cobra.Command, _ []string) error {
	log := f.logger(cmd.ErrOrStderr())
	ex, err := f.extractor(log)
	if err != nil {
		return err
	}
	if f.workers < 1 {
		f.workers = runtime.GOMAXPROCS(0)
	}
	return fail(pipe.Serve(cmd.Context(), ex, cmd.InOrStdin(), cmd.OutOrStdout(), pipe.Options{
		Workers: f.workers, MaxBytes: f.maxBytes, Fetch: f.client(f.maxBytes, log),
	}))
}
