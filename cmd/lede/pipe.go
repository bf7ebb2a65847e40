package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/api/pipe"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/site/store"
)

// pipeGC is the setting of the garbage collector. A process that holds only a few pages
// collects often: that took 11 % of the processor time with the setting of Go, 100, on 1,000
// pages of the corpora, 4 % with 200 and 2 % with 400, which needs a quarter more memory.
const pipeGC = 400

type pipeFlags struct {
	pageFlags
	cli.WebFlags
	siteFlags
	workers  int
	protocol int
	read     bool
}

func newPipe() *cobra.Command {
	var f pipeFlags
	cmd := &cobra.Command{
		Use:   "pipe [--read IN…]",
		Short: "Answer requests on standard input, for programs in other languages",
		Long: `Answer requests on standard input, for programs in other languages: a program starts
lede pipe once and sends it pages; the answers come on standard output while it sends
more. docs/pipe.md describes the protocol, and how it ends.

--read writes the pages of the inputs of lede batch instead (files, folders, WARC, tar,
zip, JSON lines), as they are.`,
		Example: `  lede pipe --protocol 1 --workers 4 --site-store sites.db
  lede pipe --read crawl.warc.gz pages/`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.read {
				return cli.SomeArguments("--read needs an input: name files, folders or archives")(cmd, args)
			}
			return cli.Arguments(0, 0, "")(cmd, args)
		},
		RunE: f.run,
	}
	f.pageFlags.add(cmd)
	f.WebFlags.Add(cmd)
	f.siteFlags.add(cmd)
	fl := cmd.Flags()
	fl.IntVarP(&f.workers, "workers", "w", 0, "number of concurrent workers (default: GOMAXPROCS)")
	fl.IntVar(&f.protocol, "protocol", pipe.Protocol, "`VERSION` of the protocol that the client speaks; fail if lede does not")
	fl.BoolVar(&f.read, "read", false, "write the pages of the inputs as frames, instead of answering requests")
	return cmd
}

func (f *pipeFlags) check(args []string) error {
	switch {
	case f.protocol != pipe.Protocol:
		return fmt.Errorf("--protocol %d: this version of lede speaks protocol %d; use versions of lede and of its client that belong together",
			f.protocol, pipe.Protocol)
	case f.workers < 0 || f.maxBytes < 1:
		return errors.New("--workers and --max-bytes must be at least 1")
	case f.pageTime <= 0:
		return errors.New("--page-time must be a positive duration, such as 10s")
	}
	for _, arg := range args {
		if isAddress(arg) {
			return fmt.Errorf("--read %s: addresses are fetched by requests; name files, folders or archives", arg)
		}
	}
	return nil
}

func (f *pipeFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	if f.workers == 0 {
		f.workers = runtime.GOMAXPROCS(0)
	}
	if f.read {
		return f.readPages(cmd, args)
	}
	if in, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(int(in.Fd())) {
		return errors.New("lede pipe is for programs, and its input is a terminal; use lede extract, or see docs/pipe.md")
	}
	return f.serve(cmd)
}

// serve answers requests.
func (f *pipeFlags) serve(cmd *cobra.Command) (err error) {
	log := f.logger(cmd.ErrOrStderr())
	ex, err := f.extractor(log)
	if err != nil {
		return err
	}
	known, err := f.siteFlags.open(cmd.ErrOrStderr(), store.Options{})
	if err != nil {
		return err
	}
	if known != nil {
		defer func() { err = cli.Fail(errors.Join(err, known.Close())) }()
	}
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(pipeGC))
	}
	// The garbage collector works harder as the limit comes near, if pages are very large.
	debug.SetMemoryLimit(min(defaultMemory<<20, debug.SetMemoryLimit(-1)))
	return forClient(cmd.OutOrStdout(), func() error {
		return pipe.Serve(context.WithoutCancel(cmd.Context()), cmd.InOrStdin(), cmd.OutOrStdout(), pipe.Options{
			Extractor: ex, Sites: known, Fetch: f.Client(f.maxBytes, log).Get, Workers: f.workers, MaxBytes: f.maxBytes, PageTime: f.pageTime,
			Stop: cmd.Context().Done(), Log: log,
		})
	})
}

// readPages writes the pages of inputs.
func (f *pipeFlags) readPages(cmd *cobra.Command, args []string) error {
	src := &batch.Source{Paths: args, Stdin: cmd.InOrStdin(), MaxBytes: int64(f.maxBytes)}
	err := forClient(cmd.OutOrStdout(), func() error { return pipe.Read(cmd.Context(), cmd.OutOrStdout(), src) })
	if errors.Is(err, context.Canceled) {
		return cli.Fail(errors.New("stopped before all pages were read"))
	}
	return err
}

// forClient runs something for the program that reads the output from a pipe, and that
// decides when it ends: Ctrl-C, which reaches both, has no effect, and it is no error that
// the program has closed the pipe, or has ended.
func forClient(out io.Writer, do func() error) error {
	if !isPipe(out) {
		return cli.Fail(do())
	}
	signal.Ignore(os.Interrupt, syscall.SIGPIPE)
	defer signal.Reset(os.Interrupt, syscall.SIGPIPE)
	defer exitWithParent()()
	err := do()
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) && failed.Op == "write" {
		return nil
	}
	return cli.Fail(err)
}

// isPipe reports whether w is a pipe, or a socket, which some languages use instead.
func isPipe(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	fi, err := f.Stat()
	return err == nil && fi.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0
}
