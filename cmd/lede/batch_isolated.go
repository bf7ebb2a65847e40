package main

import (
	"bufio"
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
	"github.com/spf13/pflag"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/site/store"
)

// isolatedPage describes the page that an isolated process extracts.
type isolatedPage struct {
	ID       string `json:"id"`
	URL      string `json:"url"`
	Site     string `json:"site"`
	Charset  string `json:"charset"`
	LinkText string `json:"link_text"`
}

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

// runChild extracts a page in an isolated process, and returns what that writes to
// standard error.
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
	head, err := json.Marshal(isolatedPage{p.ID, p.URL, p.Site, p.Charset, p.LinkText})
	if err != nil {
		return nil, err
	}
	child := exec.CommandContext(ctx, self, r.child...)
	child.Args[0] = os.Args[0]
	child.Stdin = io.MultiReader(bytes.NewReader(append(head, '\n')), body)
	var stderr bytes.Buffer
	child.Stderr = &stderr
	err = child.Run()
	return stderr.Bytes(), err
}

// childArgs returns the arguments of an isolated process.
func (f *batchFlags) childArgs(cmd *cobra.Command) []string {
	args := []string{"batch", "--isolated"}
	cmd.Flags().Visit(func(fl *pflag.Flag) {
		if slices.Contains(resultFlags, fl.Name) && fl.Name != "stories" && fl.Name != "one-per-story" {
			args = append(args, flagArgs(fl)...)
		}
	})
	return args
}

// flagArgs returns the arguments that set a flag to its value.
func flagArgs(fl *pflag.Flag) []string {
	if list, ok := fl.Value.(pflag.SliceValue); ok {
		var args []string
		for _, v := range list.GetSlice() {
			args = append(args, "--"+fl.Name+"="+v)
		}
		return args
	}
	return []string{"--" + fl.Name + "=" + fl.Value.String()}
}

// runIsolated extracts the one page on standard input.
func (f *batchFlags) runIsolated(cmd *cobra.Command) error {
	ex, err := f.extractor(f.logger(cmd.ErrOrStderr()))
	if err != nil {
		return err
	}
	in := bufio.NewReader(cmd.InOrStdin())
	head, err := in.ReadBytes('\n')
	if err != nil {
		return cli.Fail(err)
	}
	var about isolatedPage
	if err := json.Unmarshal(head, &about); err != nil {
		return cli.Fail(err)
	}
	body, err := io.ReadAll(in)
	if err != nil {
		return cli.Fail(err)
	}
	if body == nil {
		body = []byte{}
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
	one := batch.Input{ID: about.ID, URL: about.URL, Site: about.Site, Charset: about.Charset, LinkText: about.LinkText, Body: body}
	// Ctrl-C reaches this process too; it finishes its page, as the batch does.
	_, err = batch.Run(context.WithoutCancel(cmd.Context()), slices.Values([]batch.Input{one}), f.extract(ex, known, false), writeLines(cmd.OutOrStdout()),
		batch.Options{Workers: 1, ErrorKind: render.Kind, Body: f.body})
	return cli.Fail(err)
}
