package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/crawl/polite"
	"github.com/lede-news/lede/internal/page/lines"
)

// addressFlags are the flags of batch for pages that are fetched.
type addressFlags struct {
	politeFlags
	urls []string
}

func (f *addressFlags) add(cmd *cobra.Command) {
	f.politeFlags.add(cmd)
	cmd.Flags().StringArrayVar(&f.urls, "urls", nil, "`FILE` with an address on each line, or - for standard input; repeatable")
}

// politeFlags are the flags of commands that fetch many pages.
type politeFlags struct {
	delay       time.Duration
	connections int
}

func (f *politeFlags) add(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&f.delay, "delay", polite.DefaultDelay, "pause between two requests to a host")
	cmd.Flags().IntVar(&f.connections, "connections", polite.DefaultConnections, "number of concurrent requests to all hosts")
}

func (f *politeFlags) check() error {
	switch {
	case f.delay <= 0:
		return errors.New("--delay must be a positive duration, such as 1s")
	case f.connections < 1:
		return errors.New("--connections must be at least 1")
	}
	return nil
}

// check returns an error for flags that are wrong, a list that is not one, and a page
// that is a list.
func (f *addressFlags) check(args []string) error {
	stdin := 0
	for _, in := range slices.Concat(args, f.urls) {
		if in == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return errors.New("standard input can be read only once: use - once")
	}
	for _, list := range f.urls {
		fi, err := os.Stat(list)
		switch {
		case list == "-":
		case isAddress(list):
			return fmt.Errorf("--urls %s: name a file with addresses; for a single one, leave --urls out", list)
		case err != nil:
			return cli.Fail(fmt.Errorf("--urls: %w", err))
		case fi.IsDir():
			return fmt.Errorf("--urls %s: this is a folder; name a file with addresses", list)
		}
	}
	for _, arg := range args {
		if arg != "-" && lines.AreAddresses(headOf(arg)) {
			return fmt.Errorf("%s looks like a list of addresses, not a page: fetch them with --urls %s", arg, arg)
		}
	}
	return f.politeFlags.check()
}

// headOf returns the beginning of a regular file, or nil.
func headOf(path string) []byte {
	if fi, err := os.Stat(path); err != nil || !fi.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head, _ := io.ReadAll(io.LimitReader(f, 4<<10)) // what can be read is enough
	return head
}

// maxPause is how long a batch waits for a host that asks for it or fails. It is longer
// than elsewhere, since the pages of a host that has to be left alone longer fail.
const maxPause = 5 * time.Minute

// fetcher returns the function by which a batch fetches pages.
func (f *addressFlags) fetcher(web *cli.WebFlags, maxBytes int, log *slog.Logger) func(context.Context, *batch.Input) error {
	p := polite.New(polite.Options{
		Do: web.Client(maxBytes, log).Do, UserAgent: web.UserAgent, Delay: f.delay, Connections: f.connections, Patience: maxPause,
	})
	return func(ctx context.Context, in *batch.Input) error {
		resp, err := p.Get(ctx, in.URL)
		if err != nil {
			return cli.HintPrivate(err)
		}
		in.URL, in.Charset, in.Body, in.Partial = resp.URL, resp.Charset, resp.Body, resp.TruncatedReason
		return nil
	}
}
