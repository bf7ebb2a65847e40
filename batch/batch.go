// Package batch works through many pages on one machine: it reads them from
// files, folders and archives, extracts with as many workers as there are
// cores, and gives every page one outcome, in the order of the input. A page
// that fails has its error for an outcome, and never none.
//
// [Run] writes lines of JSON to a writer. A [Job] is a run that may take days: it
// writes to a [Sink], keeps a [Journal], and can be taken up where it was killed.
package batch

import (
	"context"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/lede-news/lede/article"
)

// Extract takes the article out of one page. It must be safe for concurrent
// use; rivals and methods alike run through it.
type Extract func(ctx context.Context, p Page, r io.Reader) (*article.Article, error)

// Options say how to run.
type Options struct {
	// Workers is how many pages are in work at once; 0 means one a core.
	Workers int
	// Progress is called after every page, never at the same time twice. It may
	// keep nothing of the Stats that is a map.
	Progress func(Stats)
	// Kind gives an error a short name, for the line and the counts. Nil, or an
	// empty name, leaves that to this package.
	Kind func(error) string
	// Patience is how long a page may take before it is given up as hanging,
	// which is far longer than Extract itself should allow; 0 means for ever.
	Patience time.Duration
	// MaxMemory is how much the process may have in use, in bytes; 0 means no
	// limit. When it has more, the page that is longest in work is given up.
	MaxMemory int64
	// Quarantine is a folder for pages that crash the extractor or hang, and
	// the reasons; none when empty.
	Quarantine string
}

// Run extracts every page and writes its line to w, in the order of pages. It
// stops early only when ctx ends or w fails; pages in work are finished and
// written first. The error of a page is in its line and counted.
func Run(ctx context.Context, pages iter.Seq[Page], extract Extract, w io.Writer, opts Options) (Stats, error) {
	p := pipeline{extract: extract, opts: opts}
	stats := newStats()
	start := time.Now()
	err := p.run(ctx, pages, func(r *Result) error {
		if _, err := w.Write(r.JSON); err != nil {
			return fmt.Errorf("writing the result: %w", err)
		}
		stats.add(r)
		stats.Elapsed = time.Since(start)
		if opts.Progress != nil {
			opts.Progress(*stats)
		}
		return nil
	})
	stats.Elapsed = time.Since(start)
	return *stats, err
}
