package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/sink"
)

// batchRun is one run of the command.
type batchRun struct {
	flags *batchFlags
	cmd   *cobra.Command
	ex    *lede.Extractor
	in    *batch.Inputs
	args  []string
	shard sink.Shard
	known *sites // nil when none are wanted
	bar   *progress
	once  sync.Once // for apart
	apart []string
}

// all does the run, and tells how it went.
func (r *batchRun) all() (stats batch.Stats, err error) {
	f := r.flags
	// Nearer to its limit, the collector of garbage works harder.
	debug.SetMemoryLimit(min(f.memory(), debug.SetMemoryLimit(-1)))
	r.bar = newProgress(r.cmd.ErrOrStderr(), 0, f.quiet)
	if !r.bar.live && !f.quiet {
		r.bar.log = progressLog(r.cmd.ErrOrStderr())
	}
	r.bar.measure(r.in)
	if f.metrics != "" {
		stop, err := r.bar.serveMetrics(f.metrics, r.cmd.ErrOrStderr())
		if err != nil {
			return stats, failure{err}
		}
		defer stop()
	}
	if f.isStream() {
		stats, err = r.stream()
	} else {
		stats, err = r.file()
	}
	r.bar.clear()
	if err != nil {
		return stats, err
	}
	if !f.quiet && stats.Done > 0 {
		fmt.Fprintf(r.cmd.ErrOrStderr(), "lede: %s\n", summary(stats))
		details(r.cmd.ErrOrStderr(), stats)
	}
	return stats, nil
}

func (r *batchRun) options() batch.Options {
	f := r.flags
	opts := batch.Options{Workers: f.workers, Progress: r.bar.update, Kind: errorKind, Quarantine: f.quarantine, MaxMemory: f.memory()}
	// A page should look at its own clock; one that does not is given up.
	opts.Patience = 5*f.pageTime + 10*time.Second
	if opts.Quarantine == "" && !f.isStream() {
		opts.Quarantine = f.out + ".quarantine"
	}
	return opts
}

// memory is how much the whole run may have in use, in bytes.
func (f *batchFlags) memory() int64 {
	mb := f.maxMemory
	if mb == 0 {
		workers := cmp.Or(f.workers, runtime.GOMAXPROCS(0))
		mb = max(1024, 32*workers)
	}
	return int64(mb) << 20
}

// closeSites ends the use of the store of sites.
func (r *batchRun) closeSites(err error) error {
	if r.known == nil {
		return err
	}
	if bad := r.known.close(); bad != nil && err == nil {
		err = failure{bad}
	}
	return err
}

// stream writes to standard output, or to something else that is no file.
func (r *batchRun) stream() (stats batch.Stats, err error) {
	f := r.flags
	if r.known, err = f.siteFlags.open(r.cmd.ErrOrStderr()); err != nil {
		return stats, err
	}
	defer func() { err = r.closeSites(err) }()
	out := r.cmd.OutOrStdout()
	if f.out != "-" {
		file, err := os.OpenFile(f.out, os.O_WRONLY, 0)
		if err != nil {
			return stats, failure{fmt.Errorf("cannot write the result: %w", err)}
		}
		defer file.Close()
		out = file
	}
	w := bufio.NewWriterSize(out, 1<<16)
	stats, err = batch.Run(r.cmd.Context(), r.in.All(), f.extract(r.ex, r.known, true), w, r.options())
	err = errors.Join(err, w.Flush())
	switch {
	case errors.Is(err, context.Canceled):
		return stats, failure{fmt.Errorf("stopped after %d pages; a run into a file could be taken up again", stats.Done)}
	case err != nil:
		return stats, failure{err}
	case stats.Done == 0:
		return stats, batch.ErrNoPages
	}
	return stats, nil
}

// file writes to files, with a journal.
func (r *batchRun) file() (stats batch.Stats, err error) {
	f := r.flags
	if err := sink.Check(f.out, r.shard); err != nil {
		return stats, failure{err}
	}
	if done, err := f.before(); done || err != nil {
		if done {
			fmt.Fprintf(r.cmd.ErrOrStderr(), "lede: %s is whole; there is nothing to resume\n", f.out)
		}
		return stats, err
	}
	journal, err := batch.OpenJournal(f.journal(), r.setup(), f.mode())
	if err != nil {
		return stats, f.explain(err)
	}
	stats, err = r.withJournal(journal)
	if err == nil || errors.Is(err, batch.ErrNoPages) {
		return stats, errors.Join(err, journal.Remove())
	}
	if bad := journal.Close(); bad != nil {
		err = errors.Join(err, bad)
	}
	switch {
	case errors.Is(err, context.Canceled):
		err = fmt.Errorf("stopped after %d pages, and all of them are safe; the same command with --resume goes on", stats.Done)
	case !errors.As(err, new(failure)):
		err = fmt.Errorf("%w; when that is mended, the same command with --resume goes on", err)
	}
	return stats, failure{err}
}

func (r *batchRun) withJournal(journal *batch.Journal) (stats batch.Stats, err error) {
	f := r.flags
	state := journal.State()
	if f.overwrite {
		if err := errors.Join(sink.Discard(f.out, journal.Old()), f.forgetLearned()); err != nil {
			return stats, err
		}
	}
	out, err := sink.Open(f.out, sink.Options{Shard: r.shard, Marks: state.Marks, Finished: state.Finished})
	if err != nil {
		return stats, err
	}
	defer out.Close()
	learn := true
	if f.twoPass {
		learn = false
		err = r.firstPass()
	} else {
		r.known, err = f.siteFlags.open(r.cmd.ErrOrStderr())
	}
	if err != nil {
		return stats, err
	}
	defer func() { err = r.closeSites(err) }()
	r.bar.resumed(state.Stats)
	job := batch.Job{
		Inputs: r.in, Sink: out, Journal: journal, Options: r.options(),
		Extract: f.extract(r.ex, r.known, learn), Probe: r.probe,
		CommitTime: f.checkpoint,
	}
	if r.shard.BySite() { // every commit waits for every file
		job.CommitPages, job.CommitTime = 10_000, max(f.checkpoint, 15*time.Second)
	}
	if stats, err = job.Run(r.cmd.Context()); err != nil {
		return stats, err
	}
	if f.twoPass {
		err = r.closeSites(nil)
		r.known = nil
		err = errors.Join(err, f.forgetLearned())
	}
	return stats, err
}
