package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/output/sink"
)

func (f *batchFlags) journal() string {
	if f.observe {
		return f.sample() + ".journal"
	}
	return f.out + ".journal"
}

func (f *batchFlags) mode() batch.Mode {
	switch {
	case f.resume:
		return batch.Resume
	case f.overwrite:
		return batch.Overwrite
	}
	return batch.Begin
}

// checkOutput looks for the output of an earlier run. It reports whether that run
// is complete.
func (f *batchFlags) checkOutput(shard sink.Shard) (done bool, err error) {
	exists := func(path string) bool { _, err := os.Stat(path); return err == nil }
	if exists(f.journal()) {
		return false, nil
	}
	if f.resume && exists(f.out) {
		return true, nil
	}
	if f.overwrite {
		return false, nil
	}
	if partial := sink.Partial(f.out); exists(partial) {
		return false, cli.Fail(fmt.Errorf("%s exists but its journal is missing: use --overwrite to start again", partial))
	}
	old, err := sink.Existing(f.out, shard)
	switch {
	case err != nil:
		return false, cli.Fail(err)
	case old != "":
		return false, cli.Fail(fmt.Errorf("%s exists: use --overwrite to replace it, or write to another file", old))
	}
	return false, nil
}

// explain adds what to do about a journal that cannot be used.
func (f *batchFlags) explain(err error) error {
	switch {
	case errors.Is(err, batch.ErrUnfinished):
		err = fmt.Errorf("%s: %w: use --resume to continue it or --overwrite to start again", f.out, err)
	case errors.Is(err, batch.ErrLocked):
		err = fmt.Errorf("%s: %w: wait for it or write to another file", f.out, err)
	case errors.Is(err, batch.ErrChanged):
		err = fmt.Errorf("%s: %w: resume with the same command line or use --overwrite to start again", f.out, err)
	case errors.Is(err, batch.ErrVersion):
		err = fmt.Errorf("%s: %w: finish it with the version that began it or use --overwrite to start again", f.out, err)
	}
	return cli.Fail(err)
}

// prepareOutput checks the output and makes its folder. done is true if an earlier run has
// completed it.
func (r *batchRun) prepareOutput() (done bool, err error) {
	f := r.flags
	done, err = f.checkOutput(r.shard)
	if done {
		fmt.Fprintf(r.cmd.ErrOrStderr(), "lede: %s is complete; nothing to resume\n", f.out)
	}
	if done || err != nil {
		return done, err
	}
	if err := os.MkdirAll(filepath.Dir(f.out), 0o755); err != nil {
		return false, cli.Fail(fmt.Errorf("cannot write the result: %w", err))
	}
	return false, nil
}
