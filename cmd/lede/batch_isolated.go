package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/site/store"
)

// probe extracts a page in a process of its own, because the batch died once
// while the page was being extracted. If the page was the cause, only that
// process dies: by a crash of Go, or by a signal, such as the one of the
// out-of-memory killer. An error other than batch.ErrCrash means that the page is not the
// cause.
func (r *batchRun) probe(ctx context.Context, p batch.Input) error {
	ctx, cancel := context.WithTimeout(ctx, 5*r.flags.pageTime+30*time.Second)
	defer cancel()
	exit := new(exec.ExitError)
	said, err := r.runChild(ctx, p)
	if errors.As(err, &exit) && exit.ExitCode() < 0 && ctx.Err() == nil {
		said, err = r.runChild(ctx, p) // somebody may have killed it
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err() // it was ended because of its time, or with the run
	case errors.As(err, &exit) && (exit.ExitCode() < 0 || bytes.Contains(said, []byte("\ngoroutine "))):
		first, _, _ := strings.Cut(string(said), "\n")
		return fmt.Errorf("%w: it killed the batch and then an isolated process: %w: %.200s", batch.ErrCrash, err, first)
	}
	return err
}

// runChild extracts a page in an isolated process with the flags of this one, and returns
// what that writes to standard error.
func (r *batchRun) runChild(ctx context.Context, p batch.Input) (said []byte, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	body, err := p.Open()
	if err != nil {
		return nil, err
	}
	defer body.Close()
	page := batch.Input{ID: p.ID, URL: p.URL, Site: p.Site, Charset: p.Charset, LinkText: p.LinkText}
	if page.Body, err = io.ReadAll(body); err != nil {
		return nil, err
	}
	in, err := json.Marshal(page)
	if err != nil {
		return nil, err
	}
	child := exec.CommandContext(ctx, self, append([]string{"batch", "--isolated"}, os.Args[2:]...)...)
	child.Args[0] = os.Args[0]
	child.Stdin = bytes.NewReader(in)
	var stderr bytes.Buffer
	child.Stderr = &stderr
	err = child.Run()
	return stderr.Bytes(), err
}

// runIsolated extracts the one page on standard input.
func (f *batchFlags) runIsolated(cmd *cobra.Command) error {
	ex, err := f.newExtractor(cmd)
	if err != nil {
		return err
	}
	var page batch.Input
	if err := json.NewDecoder(cmd.InOrStdin()).Decode(&page); err != nil {
		return cli.Fail(err)
	}
	// The page may be innocent of what happens to the store.
	known, err := f.siteFlags.open(cmd.ErrOrStderr(), store.Options{ReadOnly: true})
	if err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "lede: %s\n", cli.OneLine(err))
		known = nil
	}
	if known != nil {
		defer known.Store.Close()
	}
	// Ctrl-C reaches this process too; it finishes its page, as the batch does.
	_, err = batch.Run(context.WithoutCancel(cmd.Context()), slices.Values([]batch.Input{page}), f.extract(ex, known, false),
		func(*batch.Result) error { return nil }, batch.Options{Workers: 1, Body: f.body})
	return cli.Fail(err)
}
