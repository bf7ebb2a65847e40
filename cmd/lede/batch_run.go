package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/api/render"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/sink"
	"github.com/lede-news/lede/internal/sites"
	"github.com/lede-news/lede/site/store"
)

// batchRun is one run over a source into an output.
type batchRun struct {
	flags   *batchFlags
	cmd     *cobra.Command
	ex      *lede.Extractor
	in      *batch.Source
	out     string
	summary string // file, or ""
	mode    batch.Mode
	known   *sites.Sites // nil without --site-store
	index   *storyIndex  // nil without --stories
	bar     *progress
}

// newRun returns a run without source and output.
func (f *batchFlags) newRun(cmd *cobra.Command) (*batchRun, error) {
	ex, err := f.newExtractor(cmd)
	if err != nil {
		return nil, err
	}
	// The garbage collector works harder as the limit comes near. It does not count
	// the program itself.
	const program = 24 << 20
	debug.SetMemoryLimit(min(f.memory()-program, debug.SetMemoryLimit(-1)))
	return &batchRun{flags: f, cmd: cmd, ex: ex}, nil
}

// run runs the batch, writes its summary and prints it.
func (r *batchRun) run() (stats batch.Stats, err error) {
	f, stderr := r.flags, r.cmd.ErrOrStderr()
	r.bar = newProgress(stderr, f.quiet)
	r.bar.measure(r.in)
	if isStream(r.out) {
		stats, err = r.stream()
	} else {
		stats, err = r.file()
	}
	r.bar.Clear()
	switch {
	case errors.Is(err, batch.ErrNoPages) && len(r.in.Paths) == 0:
		err = cli.Fail(fmt.Errorf("no URLs in %s", strings.Join(r.in.Lists, ", ")))
	case errors.Is(err, batch.ErrNoPages):
		inputs := strings.Join(slices.Concat(r.in.Paths, r.in.Lists), ", ")
		err = cli.Fail(fmt.Errorf("no pages found in %s: folders are searched for .html, .htm, .html.gz, .htm.gz and .warc", inputs))
	}
	switch {
	case errors.Is(err, batch.ErrLocked): // the summary is that of the other process
		return stats, err
	case err != nil:
		return stats, errors.Join(err, r.writeSummary(stats, err))
	}
	if !f.quiet && stats.Done > 0 {
		printStats(stderr, stats)
	}
	return stats, nil
}

func (r *batchRun) options() batch.Options {
	f := r.flags
	opts := batch.Options{Workers: f.workers, Progress: r.bar.update, ErrorKind: render.Kind, Body: f.body,
		Probe: r.probe, Checkpoint: f.checkpoint}
	// The rest is for the program, and for results that wait.
	opts.MaxMemory = f.memory() * 3 / 4
	if r.index != nil {
		opts.MaxMemory = (f.memory() - storyMemory) * 3 / 4
		opts.Prepare, opts.Revise = r.index.prepare, r.index.revise
	}
	// Extraction checks its own time limit; this catches pages for which that fails.
	opts.HangTimeout = 5*f.pageTime + 10*time.Second
	if !isStream(r.out) {
		opts.Quarantine = r.out + ".quarantine"
	}
	return opts
}

// openStores opens the site store and the index of stories, if there are any.
func (r *batchRun) openStores() (err error) {
	f := r.flags
	if f.noLearn && !exists(f.siteFlags.path) {
		return cli.Fail(fmt.Errorf("no store %s to use with --no-learn; create one with lede site learn", f.siteFlags.path))
	}
	if r.known, err = f.siteFlags.open(r.cmd.ErrOrStderr(), store.Options{ReadOnly: f.noLearn}); err != nil {
		return err
	}
	r.index, err = f.storyFlags.open()
	return err
}

// closeStores closes what openStores has opened.
func (r *batchRun) closeStores() (err error) {
	if r.known != nil {
		err = r.known.Close()
	}
	if r.index != nil {
		err = errors.Join(err, r.index.Close())
	}
	r.known, r.index = nil, nil
	return err
}

// extract returns the function that extracts pages.
func (r *batchRun) extract() batch.ExtractFunc {
	return r.flags.extract(r.ex, r.known, !r.flags.noLearn)
}

// stream writes to standard output or to a file that is not regular.
func (r *batchRun) stream() (stats batch.Stats, err error) {
	defer func() { err = cli.Fail(errors.Join(err, r.closeStores())) }()
	if err := r.openStores(); err != nil {
		return stats, err
	}
	out := r.cmd.OutOrStdout()
	if r.out != "-" {
		file, err := os.OpenFile(r.out, os.O_WRONLY, 0)
		if err != nil {
			return stats, cli.Fail(fmt.Errorf("cannot write the result: %w", err))
		}
		defer file.Close()
		out = file
	}
	w := bufio.NewWriterSize(out, 1<<16)
	write, err := sink.Stream(w, r.out)
	if err != nil {
		return stats, cli.Fail(err)
	}
	stats, err = batch.Run(r.cmd.Context(), r.in.Inputs(), r.extract(), write, r.options())
	err = errors.Join(err, w.Flush())
	switch {
	case errors.Is(err, context.Canceled):
		return stats, cli.Fail(fmt.Errorf("stopped after %d pages; write to a file to be able to resume", stats.Done))
	case err != nil:
		return stats, cli.Fail(err)
	case stats.Done == 0:
		return stats, batch.ErrNoPages
	}
	return stats, r.writeSummary(stats, nil)
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

func (r *batchRun) journal() string { return r.out + ".journal" }

// isComplete reports whether an earlier run has completed the output.
func (r *batchRun) isComplete() bool { return exists(r.out) && !exists(r.journal()) }

// checkOutput returns an error if there is an output of an earlier run that must not be
// replaced.
func (r *batchRun) checkOutput() error {
	if exists(r.journal()) || r.mode == batch.Overwrite {
		return nil
	}
	if partial := sink.Partial(r.out); exists(partial) {
		return cli.Fail(fmt.Errorf("%s exists but its journal is missing: use --overwrite to start again", partial))
	}
	if fi, err := os.Stat(r.out); err == nil && fi.Size() > 0 {
		return cli.Fail(fmt.Errorf("%s exists: use --overwrite to replace it, or write to another file", r.out))
	}
	return nil
}

// file writes to a file and keeps a journal.
func (r *batchRun) file() (stats batch.Stats, err error) {
	if r.mode == batch.Resume && r.isComplete() {
		fmt.Fprintf(r.cmd.ErrOrStderr(), "lede: %s is complete; nothing to resume\n", r.out)
		return stats, r.restoreSummary()
	}
	if err := r.checkOutput(); err != nil {
		return stats, err
	}
	if err := os.MkdirAll(filepath.Dir(r.out), 0o755); err != nil {
		return stats, cli.Fail(fmt.Errorf("cannot write the result: %w", err))
	}
	journal, err := batch.OpenJournal(r.journal(), r.in, r.settings(), r.mode)
	if err != nil {
		return stats, r.explain(err)
	}
	stats, err = r.withJournal(journal)
	if err == nil {
		err = r.writeSummary(stats, nil) // while the run can be resumed
	}
	if err == nil || errors.Is(err, batch.ErrNoPages) {
		return stats, errors.Join(err, journal.Remove())
	}
	err = errors.Join(err, journal.Close())
	switch {
	case errors.Is(err, context.Canceled):
		err = fmt.Errorf("stopped after %d pages, which are saved; run the same command with --resume to continue", stats.Done)
	case errors.Is(err, sink.ErrDamaged):
		err = fmt.Errorf("%w; use --overwrite to start again", err)
	case !errors.As(err, new(cli.Failure)):
		err = fmt.Errorf("%w; fix this and run the same command with --resume to continue", err)
	}
	return stats, cli.Fail(err)
}

// explain adds what to do about a journal that cannot be used.
func (r *batchRun) explain(err error) error {
	switch {
	case errors.Is(err, batch.ErrUnfinished):
		err = fmt.Errorf("%s: %w: use --resume to continue it or --overwrite to start again", r.out, err)
	case errors.Is(err, batch.ErrLocked):
		err = fmt.Errorf("%s: %w: wait for it or write to another file", r.out, err)
	case errors.Is(err, batch.ErrChanged):
		err = fmt.Errorf("%s: %w: resume with the same command line or use --overwrite to start again", r.out, err)
	}
	return cli.Fail(err)
}

func (r *batchRun) withJournal(journal *batch.Journal) (stats batch.Stats, err error) {
	state := journal.State()
	out, err := sink.Open(r.out, state.Mark, state.Finished)
	if err != nil {
		return stats, err
	}
	defer out.Close()
	if index := r.flags.stories; index != "" && !exists(index) && state.Stats.Done > 0 && !state.Finished {
		return stats, fmt.Errorf("the index of the interrupted run, %s, is missing; use --overwrite to start again", index)
	}
	defer func() { err = errors.Join(err, r.closeStores()) }()
	if err := r.openStores(); err != nil {
		return stats, err
	}
	if r.index != nil {
		out = storySink{out, r.index}
	}
	r.bar.resumed(state.Stats)
	return journal.Run(r.cmd.Context(), r.extract(), out, r.options())
}
