package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/lede-news/lede/internal/pipe"
)

type pipeFlags struct {
	pageFlags
	webFlags
	siteFlags
	workers  int
	protocol int
}

func newPipe() *cobra.Command {
	var f pipeFlags
	cmd := &cobra.Command{
		Use:   "pipe",
		Short: "Answer requests on standard input, for programs in other languages",
		Args:  noArguments,
		RunE:  f.run,
	}
	f.pageFlags.add(cmd)
	f.webFlags.add(cmd)
	f.siteFlags.add(cmd)
	fl := cmd.Flags()
	fl.IntVarP(&f.workers, "workers", "w", 0, "number of concurrent workers (default: GOMAXPROCS)")
	fl.IntVar(&f.protocol, "protocol", pipe.Protocol, "`VERSION` of the protocol that the client speaks; fail if lede does not")
	return cmd
}

func (f *pipeFlags) check() error {
	switch {
	case f.protocol != pipe.Protocol:
		return fmt.Errorf("--protocol %d: this version of lede speaks protocol %d; use versions of lede and of its client that belong together", f.protocol, pipe.Protocol)
	case f.workers < 0:
		return errors.New("--workers must be at least 1")
	case f.maxBytes < 1:
		return errors.New("--max-bytes must be at least 1")
	case f.pageTime <= 0:
		return errors.New("--page-time must be a positive duration, such as 10s")
	}
	return nil
}

func (f *pipeFlags) run(cmd *cobra.Command, _ []string) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	if in, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(int(in.Fd())) {
		return errors.New("lede pipe is for programs, and its input is a terminal; see docs/pipe.md, or use lede extract")
	}
	log := f.logger(cmd.ErrOrStderr())
	ex, err := f.extractor(log)
	if err != nil {
		return err
	}
	known, err := f.siteFlags.open(cmd.ErrOrStderr(), f.pageTime)
	if err != nil {
		return err
	}
	if known != nil {
		defer func() { err = fail(errors.Join(err, known.Close())) }()
	}
	if f.workers == 0 {
		f.workers = runtime.GOMAXPROCS(0)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + moreThreads))
	return f.serve(cmd, pipe.Options{
		Extractor: ex, Sites: known, Fetch: f.client(f.maxBytes, log), Workers: f.workers, MaxBytes: f.maxBytes, PageTime: f.pageTime,
		Stop: cmd.Context().Done(), Log: log,
	})
}

// serve answers requests. The client decides when the process ends, so Ctrl-C, which
// reaches both, does not end it.
func (f *pipeFlags) serve(cmd *cobra.Command, opts pipe.Options) error {
	signal.Ignore(os.Interrupt, syscall.SIGPIPE)
	defer signal.Reset(os.Interrupt, syscall.SIGPIPE)
	defer exitWithParent()()
	err := pipe.Serve(context.WithoutCancel(cmd.Context()), cmd.InOrStdin(), cmd.OutOrStdout(), opts)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return nil // the client is gone
	}
	return fail(err)
}
