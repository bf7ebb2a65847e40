package batch

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Sink takes the results of a run, one after the other.
type Sink interface {
	// Write takes a result.
	Write(*Result) error
	// Commit makes all that was written safe against a crash of the machine. It
	// gives the marks of the outputs that have changed: with them the sink can
	// be opened again as it is now, whatever is written later.
	Commit() (map[string]int64, error)
	// Finish puts the outputs in place, after the last Commit. It may be called
	// again, also by another process, when it was broken off.
	Finish() error
	// Close lets go of the outputs.
	Close() error
}

// Job is a run that can be taken up again: it never loses a page that it has
// taken from its inputs, and never writes one twice.
type Job struct {
	Inputs  *Inputs
	Extract Extract
	Sink    Sink
	Journal *Journal
	Options Options

	// Probe, if set, tries a page where a crash does no harm, in a process of its
	// own. It gets the pages that were in work when the run died. One of which it
	// says ErrCrash is guilty, and is not tried here again.
	Probe func(ctx context.Context, p Page) error

	// CommitPages and CommitTime are how much work a crash may cost; 0 means
	// 1,000 pages and a second.
	CommitPages int
	CommitTime  time.Duration
}

// ErrNoPages is said when the inputs hold nothing.
var ErrNoPages = errors.New("no pages found")

// Run does what is left to do. After an error, or when ctx has ended, all that
// is done is safe and the job can be resumed.
func (j *Job) Run(ctx context.Context) (Stats, error) {
	b := newBook(j)
	if !j.Journal.state.Finished {
		err := j.pages(ctx, b)
		if err == nil && b.stats.Done == 0 {
			err = ErrNoPages
		}
		if err == nil {
			err = b.commit(true)
		}
		if err != nil {
			return *b.stats, err
		}
	}
	if err := j.Sink.Finish(); err != nil {
		return *b.stats, fmt.Errorf("all pages are done, but the result is not in place: %w", err)
	}
	return *b.stats, nil
}

// pages works through the inputs.
func (j *Job) pages(ctx context.Context, b *book) error {
	state := j.Journal.state
	p := pipeline{extract: j.Extract, opts: j.Options, first: int64(state.Stats.Done), begin: j.Journal.flight.note}
	if j.Probe != nil && len(state.Suspects) > 0 {
		p.probe = func(ctx context.Context, number int64, page *Page) error {
			if !state.Suspects[number] || page.Err != nil {
				return nil
			}
			if page.Err = page.finish(); page.Err != nil {
				return nil
			}
			return j.Probe(ctx, *page)
		}
	}
	var written error
	err := p.run(ctx, j.Inputs.From(state.Place), func(r *Result) error {
		written = b.take(r)
		return written
	})
	if written != nil {
		return written // what was not committed will be done again
	}
	return errors.Join(err, b.commit(false))
}

// book keeps count of a run and writes it down.
type book struct {
	job     *Job
	stats   *Stats
	since   Counts // the last commit
	place   Place
	started time.Time
	before  time.Duration // what earlier processes took
	last    time.Time     // of the last commit
	pending int           // pages since
}

func newBook(j *Job) *book {
	stats := j.Journal.state.Stats
	now := time.Now()
	return &book{job: j, stats: &stats, since: newCounts(), place: j.Journal.state.Place, started: now, last: now, before: stats.Elapsed}
}

// take writes a result and counts it.
func (b *book) take(r *Result) error {
	r.Number = int64(b.stats.Done)
	if err := b.job.Sink.Write(r); err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	b.stats.add(r)
	b.since.add(r)
	b.place = r.Page.After
	b.stats.Elapsed = b.before + time.Since(b.started)
	b.pending++
	pages, often := b.job.CommitPages, b.job.CommitTime
	if pages == 0 {
		pages = 1000
	}
	if often == 0 {
		often = time.Second
	}
	if b.pending >= pages || time.Since(b.last) >= often {
		if err := b.commit(false); err != nil {
			return err
		}
	}
	if b.job.Options.Progress != nil {
		b.job.Options.Progress(*b.stats)
	}
	return nil
}

// commit makes the outputs safe, and then says so in the journal.
func (b *book) commit(finished bool) error {
	b.last = time.Now()
	if b.pending == 0 && !finished {
		return nil
	}
	marks, err := b.job.Sink.Commit()
	if err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	c := newCommit(b.place, b.stats)
	c.Marks, c.Counts, c.Finished = marks, b.since, finished
	err = b.job.Journal.write(c)
	if err != nil {
		return fmt.Errorf("writing the journal: %w", err)
	}
	b.since, b.pending = newCounts(), 0
	return nil
}
