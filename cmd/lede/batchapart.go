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
)

// apartPage is what a process that extracts one page is told about it.
type apartPage struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	Site    string `json:"site"`
	Charset string `json:"charset"`
}

// probe tries a page in a process of its own. The batch died once with this page
// in work; if it was the page, only that process dies of it now. An error other
// than batch.ErrCrash means that nothing is known.
func (r *batchRun) probe(ctx context.Context, p batch.Page) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	body, err := p.Open()
	if err != nil {
		return err
	}
	defer body.Close()
	head, err := json.Marshal(apartPage{p.ID, p.URL, p.Site, p.Charset})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*r.flags.pageTime+30*time.Second)
	defer cancel()
	child := exec.CommandContext(ctx, self, r.apartArgs()...)
	child.Args[0] = os.Args[0]
	child.Stdin = io.MultiReader(bytes.NewReader(append(head, '\n')), body)
	var said bytes.Buffer
	child.Stderr = &said
	err = child.Run()
	var ended *exec.ExitError
	if !errors.As(err, &ended) {
		return err
	}
	// Go's last words, or a signal such as that of the system when memory is short.
	if code := ended.ExitCode(); code < 0 || bytes.Contains(said.Bytes(), []byte("\ngoroutine ")) {
		first, _, _ := strings.Cut(said.String(), "\n")
		return fmt.Errorf("%w: it killed the batch, and then a process that had it alone: %w: %.200s", batch.ErrCrash, err, first)
	}
	return err
}

// apartArgs are the flags that make a difference to the extraction of a page.
// They are worked out once: to look at flags sorts them, and workers probe side
// by side.
func (r *batchRun) apartArgs() []string {
	r.once.Do(func() { r.apart = r.findApartArgs() })
	return r.apart
}

func (r *batchRun) findApartArgs() []string {
	args := []string{"batch", "--apart"}
	r.cmd.Flags().Visit(func(fl *pflag.Flag) {
		switch {
		case slices.Contains([]string{"shard", "site-store", "two-pass"}, fl.Name):
		case fl.Name == "site" && r.known == nil:
		case slices.Contains(resultFlags, fl.Name):
			args = append(args, flagArgs(fl)...)
		}
	})
	if r.known != nil {
		args = append(args, "--site-store="+r.flags.store())
	}
	return args
}

// flagArgs is a flag as it was given, one that was repeated several times.
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

// runApart is the process that has one page alone.
func (f *batchFlags) runApart(cmd *cobra.Command) error {
	ex, err := f.extractor(f.logger(cmd.ErrOrStderr()))
	if err != nil {
		return err
	}
	in := bufio.NewReader(cmd.InOrStdin())
	head, err := in.ReadBytes('\n')
	if err != nil {
		return failure{err}
	}
	var about apartPage
	if err := json.Unmarshal(head, &about); err != nil {
		return failure{err}
	}
	body, err := io.ReadAll(in)
	if err != nil {
		return failure{err}
	}
	if body == nil {
		body = []byte{}
	}
	known, err := f.siteFlags.open(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if known != nil {
		defer known.store.Close()
	}
	one := batch.Page{ID: about.ID, URL: about.URL, Site: about.Site, Charset: about.Charset, Body: body}
	// Ctrl-C reaches this process, too; it finishes its page, as the batch does.
	_, err = batch.Run(context.WithoutCancel(cmd.Context()), slices.Values([]batch.Page{one}), f.extract(ex, known, false), cmd.OutOrStdout(),
		batch.Options{Workers: 1, Kind: errorKind})
	if err != nil {
		return failure{err}
	}
	return nil
}
