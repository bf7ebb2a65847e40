package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/pflag"

	"github.com/lede-news/lede/batch"
	"github.com/lede-news/lede/internal/sink"
)

func (f *batchFlags) journal() string { return f.out + ".journal" }

func (f *batchFlags) mode() batch.Mode {
	switch {
	case f.resume:
		return batch.Resume
	case f.overwrite:
		return batch.Overwrite
	}
	return batch.Begin
}

// before looks at what is there already. It says whether all is done.
func (f *batchFlags) before() (done bool, err error) {
	exists := func(path string) bool { _, err := os.Stat(path); return err == nil }
	if exists(f.journal()) {
		return false, nil
	}
	if f.resume && exists(f.out) {
		return true, nil
	}
	if partial := sink.Partial(f.out); !f.overwrite && exists(partial) {
		return false, failure{fmt.Errorf("%s is there, but no journal to go on with: --overwrite to begin anew", partial)}
	}
	return false, nil
}

// explain says what to do about a journal that cannot be used.
func (f *batchFlags) explain(err error) error {
	switch {
	case errors.Is(err, batch.ErrUnfinished):
		err = fmt.Errorf("%s: %w: --resume to go on, --overwrite to begin anew", f.out, err)
	case errors.Is(err, batch.ErrLocked):
		err = fmt.Errorf("%s: %w: wait for it, or write to another file", f.out, err)
	case errors.Is(err, batch.ErrChanged):
		err = fmt.Errorf("%s: %w: resume with the same command line, or begin anew with --overwrite", f.out, err)
	}
	return failure{err}
}

// resultFlags are the flags that make a difference to what is written.
var resultFlags = []string{
	"method", "set", "model", "charset", "max-bytes", "page-time", "only-articles", "favor", "with", "site-store", "site", "shard", "two-pass",
}

// setup describes the run for its journal.
func (r *batchRun) setup() batch.Setup {
	var settings []string
	r.cmd.Flags().VisitAll(func(fl *pflag.Flag) {
		if slices.Contains(resultFlags, fl.Name) {
			settings = append(settings, fmt.Sprintf("--%s=%s", fl.Name, fl.Value))
		}
	})
	return batch.NewSetup(r.in, settings)
}
