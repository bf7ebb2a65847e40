package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/sink"
	"github.com/lede-news/lede/internal/sites"
)

// batchRun is one run of the command.
type batchRun struct {
	flags *batchFlags
	cmd   *cobra.Command
	ex    *lede.Extractor
	links *cli.LinkTexts // nil without --anchors and --index
	in    *batch.Source
	shard sink.Shard
	known *sites.Sites // nil without --site-store
	bar   *progress
	// childArgs returns the arguments of an isolated process. They are computed
	// once, since visiting flags sorts them and workers probe concurrently.
	childArgs func() []string
}

// run runs the batch and prints a summary.
func (r *batchRun) run() (stats batch.Stats, err error) {
	f := r.flags
	r.childArgs = sync.OnceValue(r.buildChildArgs)
	for _, problem := range r.in.Repeats() {
		fmt.Fprintf(r.cmd.ErrOrStderr(), "lede: %s\n", problem)
	}
	// The garbage collector works harder as the limit comes near. It does not count
	// the program itself.
	const program = 24 << 20
	debug.SetMemoryLimit(min(f.memory()-program, debug.SetMemoryLimit(-1)))
	r.bar = newProgress(r.cmd.ErrOrStderr(), 0, f.quiet)
	r.bar.Live = r.bar.Live || f.live && !f.quiet
	if !r.bar.Live && !f.quiet {
		r.bar.log = progressLog(r.cmd.ErrOrStderr())
	}
	r.bar.measure(r.in)
	if f.metrics != "" {
		stop, err := r.bar.serveMetrics(f.metrics, r.cmd.ErrOrStderr())
		if err != nil {
			return stats, cli.Fail(err)
		}
		defer stop()
	}
	switch {
	case f.observe:
		stats, err = r.observe()
	case f.isStream():
		stats, err = r.stream()
	default:
		stats, err = r.file()
	}
	r.bar.Clear()
	if err != nil {
		return stats, err
	}
	if !f.quiet && stats.Done > 0 {
		fmt.Fprintf(r.cmd.ErrOrStderr(), "lede: %s\n", summary(stats))
		details(r.cmd.ErrOrStderr(), stats, cli.UsesLinkText(f.method))
	}
	return stats, nil
}

func (r *batchRun) options() batch.Options {
	f := r.flags
	opts := batch.Options{Workers: f.workers, Progress: r.bar.update, ErrorKind: errorKind, Body: f.body, Quarantine: f.quarantine, MaxMemory: f.memory()}
	// Extraction checks its own time limit; this catches pages for which that fails.
	opts.HangTimeout = 5*f.pageTime + 10*time.Second
	if opts.Quarantine == "" && !f.isStream() {
		opts.Quarantine = f.out + ".quarantine"
	}
	if r.links != nil {
		opts.LinkText = func(url string) string { return r.links.Find(url) }
	}
	opts.Probe, opts.Checkpoint = r.probe, f.checkpoint
	if f.stories != "" {
		opts.OtherMemory = storyMemory
	}
	return opts
}

// memory returns the memory limit of the run in bytes.
func (f *batchFlags) memory() int64 {
	mb := f.maxMemory
	if mb == 0 {
		workers := cmp.Or(f.workers, runtime.GOMAXPROCS(0))
		mb = max(defaultMemory, 32*workers)
	}
	return int64(mb) << 20
}

// closeSites closes the site store.
func (r *batchRun) closeSites(err error) error {
	if r.known == nil {
		return err
	}
	if bad := r.known.Close(); bad != nil && err == nil {
		err = cli.Fail(bad)
	}
	return err
}

// stream writes to standard output or to a file that is not regular.
func (r *batchRun) stream() (stats batch.Stats, err error) {
	f := r.flags
	if r.known, err = f.openSites(r.cmd.ErrOrStderr()); err != nil {
		return stats, err
	}
	defer func() { err = r.closeSites(err) }()
	out := r.cmd.OutOrStdout()
	if f.out != "-" {
		file, err := os.OpenFile(f.out, os.O_WRONLY, 0)
		if err != nil {
			return stats, cli.Fail(fmt.Errorf("cannot write the result: %w", err))
		}
		defer file.Close()
		out = file
	}
	w := bufio.NewWriterSize(out, 1<<16)
	write, err := sink.Stream(w, f.out)
	if err != nil {
		return stats, cli.Fail(err)
	}
	index, err := f.storyFlags.open()
	if err != nil {
		return stats, err
	}
	opts := r.options()
	if index != nil {
		opts.Prepare, opts.Revise = index.prepare, index.revise
		defer func() {
			if bad := index.Close(); bad != nil && err == nil {
				err = cli.Fail(bad)
			}
		}()
	}
	stats, err = batch.Run(r.cmd.Context(), r.in.Inputs(), f.extract(r.ex, r.known, !f.noLearn), write, opts)
	r.in.Rest(&stats)
	err = errors.Join(err, w.Flush())
	switch {
	case errors.Is(err, context.Canceled):
		return stats, cli.Fail(fmt.Errorf("stopped after %d pages; write to a file to be able to resume", stats.Done))
	case err != nil:
		return stats, cli.Fail(err)
	case stats.Done == 0 && !f.isTask():
		return stats, batch.ErrNoPages
	}
	return stats, nil
}

// writeLines returns a function for batch.Run that writes JSON lines.
func writeLines(w io.Writer) func(*batch.Result) error {
	return func(r *batch.Result) error {
		_, err := w.Write(r.JSON)
		return err
	}
}

// file writes to files and keeps a journal.
func (r *batchRun) file() (stats batch.Stats, err error) {
	f := r.flags
	if done, err := r.prepareOutput(); done || err != nil {
		return stats, err
	}
	journal, err := batch.OpenJournal(f.journal(), r.in, r.settings(), f.mode())
	if err != nil {
		return stats, f.explain(err)
	}
	stats, err = r.withJournal(journal)
	if errors.Is(err, sink.ErrDamaged) {
		if journal, err = r.startAgain(journal, err); err != nil {
			return stats, cli.Fail(err)
		}
		stats, err = r.withJournal(journal)
	}
	if err == nil || errors.Is(err, batch.ErrNoPages) {
		return stats, errors.Join(err, journal.Remove())
	}
	if bad := journal.Close(); bad != nil {
		err = errors.Join(err, bad)
	}
	switch {
	case errors.Is(err, context.Canceled):
		err = fmt.Errorf("stopped after %d pages, which are saved; run the same command with --resume to continue", stats.Done)
	case !errors.As(err, new(cli.Failure)):
		err = fmt.Errorf("%w; fix this and run the same command with --resume to continue", err)
	}
	return stats, cli.Fail(err)
}

// startAgain keeps the outputs of a run that cannot be continued because they are
// damaged, and begins a new one.
func (r *batchRun) startAgain(journal *batch.Journal, cause error) (*batch.Journal, error) {
	names := slices.Collect(maps.Keys(journal.State().Marks))
	if err := journal.Close(); err != nil {
		return nil, err
	}
	journal, err := batch.OpenJournal(r.flags.journal(), r.in, r.settings(), batch.Overwrite)
	if err != nil {
		return nil, r.flags.explain(err)
	}
	if err := r.keepOutputs(names, cli.OneLine(cause)); err != nil {
		return nil, errors.Join(err, journal.Close())
	}
	return journal, nil
}

// keepOutputs renames outputs that cannot be continued.
func (r *batchRun) keepOutputs(names []string, why string) error {
	asides, err := sink.SetAside(r.flags.out, names)
	r.bar.Clear()
	if len(asides) > 0 {
		why += "; it is kept as " + strings.Join(asides, ", ")
	}
	fmt.Fprintf(r.cmd.ErrOrStderr(), "lede: %s; starting again from the first page\n", why)
	return err
}

func (r *batchRun) withJournal(journal *batch.Journal) (stats batch.Stats, err error) {
	f := r.flags
	state := journal.State()
	if state.Damaged != nil {
		fmt.Fprintf(r.cmd.ErrOrStderr(), "lede: %s\n", cli.OneLine(state.Damaged))
		if state.Stats.Done == 0 {
			if err := r.keepOutputs(nil, "the output so far cannot be continued"); err != nil {
				return stats, err
			}
		}
	}
	if f.overwrite {
		if err := errors.Join(sink.Discard(f.out, state.Overwritten), f.removeFirstPass()); err != nil {
			return stats, err
		}
	}
	out, err := sink.Open(f.out, sink.Options{Shard: r.shard, Marks: state.Marks, Finished: state.Finished})
	if err != nil {
		return stats, err
	}
	defer out.Close()
	if f.twoPass {
		err = r.firstPass()
	} else {
		r.known, err = f.openSites(r.cmd.ErrOrStderr())
	}
	if err != nil {
		return stats, err
	}
	defer func() { err = r.closeSites(err) }()
	r.bar.resumed(state.Stats)
	opts := r.options()
	if r.shard.BySite() { // a commit syncs every file
		opts.CheckpointPages, opts.Checkpoint = 10_000, max(f.checkpoint, 15*time.Second)
	}
	if stats, err = r.withStories(journal, f.extract(r.ex, r.known, !f.twoPass && !f.noLearn), out, opts); err != nil {
		return stats, err
	}
	if f.twoPass {
		err = r.closeSites(nil)
		r.known = nil
		err = errors.Join(err, f.removeFirstPass())
	}
	return stats, err
}

// withStories runs the batch with the index of --stories, if it is set.
func (r *batchRun) withStories(journal *batch.Journal, extract batch.ExtractFunc, out sink.Sink, opts batch.Options) (stats batch.Stats, err error) {
	f, ctx, state := r.flags, r.cmd.Context(), journal.State()
	if f.stories == "" {
		return journal.Run(ctx, extract, out, opts)
	}
	if _, err := os.Stat(f.stories); err != nil && state.Stats.Done > 0 && !state.Finished {
		return stats, fmt.Errorf("the index of the interrupted run is missing: %w; use --overwrite to start again", err)
	}
	index, err := f.storyFlags.open()
	if err != nil {
		return stats, errors.Unwrap(err) // the run can be resumed
	}
	defer func() {
		if bad := index.Close(); err == nil {
			err = bad
		}
	}()
	opts.Prepare, opts.Revise = index.prepare, index.revise
	return journal.Run(ctx, extract, storySink{out, index}, opts)
}
