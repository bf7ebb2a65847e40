package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Sink writes the results of a run that can be resumed.
type Sink interface {
	// Write writes a result. It may buffer it.
	Write(*Result) error
	// Commit makes all results that were written survive a crash of the machine. With
	// the mark, such as the size of a file, the output can be restored to its
	// current state, whatever is written later.
	Commit() (mark int64, err error)
	// Finish completes the output after the last Commit. If it was interrupted,
	// it is called again, maybe by another process.
	Finish() error
}

// Run extracts the pages that are not done yet and writes them to a sink, which
// must have been opened with the mark of State. After an error, or if ctx is
// cancelled, all results so far are committed and the run can be resumed. Remove the
// journal after a run without an error. ErrNoPages means that the source has no
// files.
func (j *Journal) Run(ctx context.Context, extract ExtractFunc, sink Sink, opts Options) (Stats, error) {
	if err := opts.checkBody(); err != nil {
		return j.state.Stats, err
	}
	if !j.state.Finished {
		err := j.extract(ctx, extract, sink, opts)
		if err == nil && j.state.Stats.Done == 0 && j.source.Files() == 0 {
			err = ErrNoPages
		}
		if err == nil {
			err = j.commit(sink, true)
		}
		if err != nil {
			return j.state.Stats, err
		}
	}
	if err := sink.Finish(); err != nil {
		return j.state.Stats, fmt.Errorf("all pages are done, but the output could not be completed: %w", err)
	}
	return j.state.Stats, nil
}

// extract extracts the pages that are not done yet.
func (j *Journal) extract(ctx context.Context, extract ExtractFunc, sink Sink, opts Options) error {
	stats := &j.state.Stats
	p := pipeline{extract: extract, opts: opts, first: int64(stats.Done), started: j.inFlight.set}
	if opts.Probe != nil && len(j.suspects) > 0 {
		var one sync.Mutex // at a time: one that takes all memory must not end the process of another
		p.probe = func(ctx context.Context, number int64, page Input) error {
			if !j.suspects[number] {
				return nil
			}
			one.Lock()
			defer one.Unlock()
			return opts.Probe(ctx, page)
		}
	}
	every, pages := cmp.Or(opts.Checkpoint, time.Second), cmp.Or(opts.checkpointPages, 1000)
	began, before, committed, pending := time.Now(), stats.Elapsed, time.Now(), 0
	var writeErr error
	err := p.run(ctx, j.source.from(j.position), func(r *Result) error {
		if writeErr = opts.write(r, sink.Write); writeErr != nil {
			return writeErr
		}
		stats.Add(r)
		j.position = r.Input.next
		stats.Elapsed = before + time.Since(began)
		if pending++; pending >= pages || time.Since(committed) >= every {
			if writeErr = j.commit(sink, false); writeErr != nil {
				return writeErr
			}
			committed, pending = time.Now(), 0
		}
		if opts.Progress != nil {
			opts.Progress(*stats)
		}
		return nil
	})
	if writeErr != nil {
		return writeErr // what was not committed is done again after resuming
	}
	if pending > 0 {
		err = errors.Join(err, j.commit(sink, false))
	}
	return err
}

// commit commits the output first and then records it in the journal.
func (j *Journal) commit(sink Sink, finished bool) (err error) {
	if j.state.Mark, err = sink.Commit(); err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	j.state.Finished = finished
	if err := j.write(); err != nil {
		return fmt.Errorf("writing the journal: %w", err)
	}
	return nil
}
