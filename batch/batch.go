// Package batch extracts articles from many pages on one machine. It reads pages
// from files, folders and archives, extracts them concurrently, and returns one
// [Result] per page, in the order of the input. A page that cannot be extracted
// has a result with its error: no page is left out.
//
// A [Source] lists the pages and [Run] extracts them. For a run that may take
// days, a [Journal] records the progress, so that a run that was interrupted, even
// by a crash of the machine, can be resumed without losing or repeating a page.
package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"time"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/output/outfile"
)

// ExtractFunc extracts the article of one page, which it reads from r. It must be
// safe for concurrent use.
type ExtractFunc func(ctx context.Context, in Input, r io.Reader) (*article.Article, error)

// Options are the options of a run. The zero value is ready to use.
type Options struct {
	// Workers is the number of concurrent workers (default: GOMAXPROCS).
	Workers int
	// Progress, if not nil, is called after every page, by one goroutine at a
	// time. The maps of the Stats are only valid during the call; see Stats.Clone.
	Progress func(Stats)
	// Body is the form of Line.Body: "md" for Markdown, "html" for an article
	// element, "blocks" for the blocks of article.Article, or "cleaned" for its Cleaned.
	// Empty or "text" means that there is only Line.Text.
	Body string
	// Prepare, if not nil, is called by a worker with the result of every page that has
	// an article, concurrently. What it returns is Result.Note, for Revise.
	Prepare func(*Result) any
	// Revise, if not nil, is called with every result before it is written, in the
	// order of the inputs. It may change Line, whose JSON is then encoded again. A
	// result for which it returns false is not written, but counted.
	Revise func(*Result) (keep bool, err error)
	// ErrorKind, if not nil, returns the kind of an error, for Line.Kind. If it
	// returns "", the error has one of the kinds that are listed there.
	ErrorKind func(error) string
	// HangTimeout is the time after which a page is abandoned with ErrHang
	// (default: none). It should be far longer than an ExtractFunc takes by its own
	// limits.
	HangTimeout time.Duration
	// MaxMemory is the memory for pages in bytes (default: 2 GiB). Pages are extracted at
	// the same time only if there is room for what they can take, which is 100 times
	// their size at worst. A page that is likely to take more than there is fails with
	// ErrMemory. Set debug.SetMemoryLimit as well: the garbage collector does not know
	// the option.
	MaxMemory int64
	// Quarantine is a folder for copies of pages whose errors are of the kinds
	// crash and hang, each with the reason (default: no copies).
	Quarantine string

	// Checkpoint is how often Journal.Run commits (default: every second, and every 1000
	// pages). It limits how much work is lost in a crash.
	Checkpoint      time.Duration
	checkpointPages int // in tests
	// Probe, if not nil, tries to extract a page where a crash does no harm, such
	// as in a child process. Journal.Run calls it for pages that were in progress
	// when an earlier process crashed. A page for which it returns ErrCrash is not
	// extracted; other errors are ignored.
	Probe func(ctx context.Context, in Input) error
}

// Errors of pages and of runs, for errors.Is.
var (
	ErrTooLarge = errors.New("the page is too large")
	ErrSource   = errors.New("the archive cannot be read")
	ErrStatus   = errors.New("the server sent no page") // but a redirect or an error
	ErrCrash    = errors.New("the extractor crashed on this page")
	ErrHang     = errors.New("the extractor hangs on this page")
	ErrMemory   = errors.New("the page takes too much memory")

	ErrNoPages    = errors.New("no pages found")                        // Journal.Run
	ErrUnfinished = errors.New("there is an unfinished run")            // OpenJournal with Begin
	ErrLocked     = outfile.ErrLocked                                   // OpenJournal
	ErrChanged    = errors.New("the unfinished run is a different one") // OpenJournal with Resume
)

// Run extracts all inputs and calls write with every result, in the order of the
// inputs. It returns early only if ctx is cancelled or write fails; pages in
// progress are then finished and, if ctx was cancelled, written. An error of a page
// is part of its result.
func Run(ctx context.Context, inputs iter.Seq[Input], extract ExtractFunc, write func(*Result) error, opts Options) (Stats, error) {
	if err := opts.checkBody(); err != nil {
		return Stats{}, err
	}
	p := pipeline{extract: extract, opts: opts}
	var stats Stats
	start := time.Now()
	err := p.run(ctx, inputs, func(r *Result) error {
		if err := opts.write(r, write); err != nil {
			return err
		}
		stats.Add(r)
		stats.Elapsed = time.Since(start)
		if opts.Progress != nil {
			opts.Progress(stats)
		}
		return nil
	})
	stats.Elapsed = time.Since(start)
	return stats, err
}

// write revises and writes a result.
func (o *Options) write(r *Result, write func(*Result) error) error {
	if o.Revise != nil {
		keep, err := o.Revise(r)
		if err != nil {
			return err
		}
		if r.leftOut = !keep; r.leftOut {
			return nil
		}
		if r.JSON, err = r.Line.encode(); err != nil {
			return fmt.Errorf("writing the result: %w", err)
		}
	}
	if err := write(r); err != nil {
		return fmt.Errorf("writing the result: %w", err)
	}
	return nil
}

// kind returns the kind of an error, as listed at Line.
func (o *Options) kind(err error) string {
	if o.ErrorKind != nil {
		return cmp.Or(o.ErrorKind(err), Kind(err))
	}
	return Kind(err)
}

// Kind returns the kind of an error of this package, as listed at Line, or "other".
func Kind(err error) string {
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			return k.name
		}
	}
	if errors.As(err, new(*fs.PathError)) {
		return "file"
	}
	return "other"
}

var kinds = []struct {
	err  error
	name string
}{
	{ErrCrash, "crash"}, {ErrHang, "hang"}, {ErrTooLarge, "too-large"}, {ErrMemory, "memory"}, {ErrSource, "source"}, {ErrStatus, "status"},
}
