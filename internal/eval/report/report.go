package report

import (
	"cmp"
	"io"
	"slices"
	"sync"

	"github.com/lede-news/lede/internal/eval"
)

// Options say what goes into a report.
type Options struct {
	// Title is the headline; empty means a plain one.
	Title string
	// MaxPages is how many pages can be opened, those that are worst by the first
	// measure; 0 means all. The figures of all pages are in the report anyway.
	MaxPages int
}

// Report gathers pages while a run goes on.
type Report struct {
	opts Options

	mu     sync.Mutex
	packed map[pageKey][]byte
}

type pageKey struct{ corpus, id string }

// New begins a report.
func New(opts Options) *Report {
	if opts.Title == "" {
		opts.Title = "How well stories are extracted"
	}
	return &Report{opts: opts, packed: map[pageKey][]byte{}}
}

// Add takes what is needed to show a page and packs it at once, so that thousands
// of pages fit into memory. It keeps nothing of p. Several goroutines may add
// pages at once.
func (r *Report) Add(p *eval.Page) {
	packed := pack(newPage(p))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.packed[pageKey{p.Corpus, p.ID}] = packed
}

// Write makes the file of the pages that were added and the figures of res. All
// adding must be done.
func (r *Report) Write(w io.Writer, res *eval.Result) error {
	return write(w, r.opts.Title, res, r.opened(res))
}

// opened are the packed pages by row; nil for those that cannot be opened.
func (r *Report) opened(res *eval.Result) [][]byte {
	all := make([][]byte, len(res.Rows))
	var rows []int
	for i, row := range res.Rows {
		if all[i] = r.packed[pageKey{row.Corpus, row.ID}]; all[i] != nil {
			rows = append(rows, i)
		}
	}
	if r.opts.MaxPages <= 0 || len(rows) <= r.opts.MaxPages {
		return all
	}
	bad := make([]float64, len(all))
	for _, i := range rows {
		bad[i] = badness(res, res.Rows[i])
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(bad[b], bad[a]) })
	for _, i := range rows[r.opts.MaxPages:] {
		all[i] = nil
	}
	return all
}

// badness is how badly the systems did on a page, by the first measure.
func badness(res *eval.Result, row *eval.Row) float64 {
	if len(res.Measures) == 0 {
		return 0
	}
	m, sum := res.Measures[0], 0.0
	for s := range res.Systems {
		if v := mainFigure(m, sums(row, s, 0)); m.Lower {
			sum += v
		} else {
			sum -= v
		}
	}
	return sum
}
