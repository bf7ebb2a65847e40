package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// Sink writes the results of a run that can be resumed.
type Sink interface {
	// Write writes a result. It may buffer it.
	Write(*Result) error
	// Commit makes all results that were written survive a crash of the machine.
	// It returns the marks of the outputs that have changed, by name, such as the
	// sizes of files. With its marks, an output can be restored to its current
	// state, whatever is written later.
	Commit() (marks map[string]int64, err error)
	// Finish completes the outputs after the last Commit. If it was interrupted,
	// it is called again, maybe by another process.
	Finish() error
}

// Run extracts the pages that are not done yet and writes them to a sink, which
// must have been opened with the marks of State. After an error, or if ctx is
// cancelled, all results so far are committed and the run can be resumed. Remove the
// journal after a run without an error. ErrNoPages means that the source has no
// pages, unless it has a Name, an Origin or a Range and is thus part of a larger run.
func (j *Journal) Run(ctx context.Context, extract ExtractFunc, sink Sink, opts Options) (Stats, error) {
	if err := opts.checkBody(); err != nil {
		return j.state.Stats, err
	}
	l := newLedger(j, sink, opts)
	if !j.state.Finished {
		err := j.extract(ctx, extract, l)
		if err == nil && l.stats.Done == 0 && !j.source.isPart() {
			err = ErrNoPages
		}
		if err == nil {
			j.source.Rest(&l.stats)
			err = l.commit(true)
		}
		if err != nil {
			return l.stats, err
		}
	}
	if err := sink.Finish(); err != nil {
		return l.stats, fmt.Errorf("all pages are done, but the output could not be completed: %w", err)
	}
	return l.stats, nil
}

// extract extracts the pages that are not done yet.
func (j *Journal) extract(ctx context.Context, extract ExtractFunc, l *ledger) error {
	p := pipeline{extract: extract, opts: l.opts, first: int64(j.state.Stats.Done), started: j.inFlight.set}
	if l.opts.Probe != nil && len(j.suspects) > 0 {
		p.probe = func(ctx context.Context, number int64, page *Input) error {
			if !j.suspects[number] || page.Err != nil {
				return nil
			}
			if page.Err = l.opts.load(page); page.Err != nil {
				return nil
			}
			return l.opts.Probe(ctx, *page)
		}
	}
	var writeErr error
	err := p.run(ctx, j.source.from(j.position), func(r *Result) error {
		writeErr = l.write(r)
		return writeErr
	})
	if writeErr != nil {
		return writeErr // what was not committed is done again after resuming
	}
	return errors.Join(err, l.commit(false))
}

// ledger counts the results of a run and commits them.
type ledger struct {
	journal  *Journal
	sink     Sink
	opts     Options
	stats    Stats
	position position
	started  time.Time
	before   time.Duration // Stats.Elapsed of earlier processes

	// Since the last commit:
	committed time.Time
	pending   int
	counts    Counts
}

func newLedger(j *Journal, sink Sink, opts Options) *ledger {
	opts.Checkpoint = cmp.Or(opts.Checkpoint, time.Second)
	opts.CheckpointPages = cmp.Or(opts.CheckpointPages, 1000)
	now := time.Now()
	return &ledger{journal: j, sink: sink, opts: opts, stats: j.state.Stats, position: j.position,
		started: now, before: j.state.Stats.Elapsed, committed: now, counts: newCounts()}
}

// write writes a result and counts it.
func (l *ledger) write(r *Result) error {
	if err := l.opts.write(r, &l.stats, l.sink.Write); err != nil {
		return err
	}
	l.stats.add(r)
	l.counts.add(r)
	l.position = r.Input.next
	l.stats.Elapsed = l.before + time.Since(l.started)
	l.pending++
	if l.pending >= l.opts.CheckpointPages || time.Since(l.committed) >= l.opts.Checkpoint {
		if err := l.commit(false); err != nil {
			return err
		}
	}
	if l.opts.Progress != nil {
		l.opts.Progress(l.stats)
	}
	return nil
}

// commit commits the outputs first and then records it in the journal.
func (l *ledger) commit(finished bool) error {
	l.committed = time.Now()
	if l.pending == 0 && !finished {
		return nil
	}
	marks, err := l.sink.Commit()
	if err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	c := commit{Position: l.position, Marks: marks, Stats: l.stats, Finished: finished}
	c.Counts = l.counts
	if err := l.journal.write(c); err != nil {
		return fmt.Errorf("writing the journal: %w", err)
	}
	l.counts, l.pending = newCounts(), 0
	return nil
}
