// Package experiments repeats the experiments of the papers behind lede's methods. Each
// experiment prints our figures beside the published ones, on pages that take the
// place of the paper's: its own were never published, or are gone.
package experiments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lede-news/lede/internal/lab/train/visual"
	"github.com/lede-news/lede/internal/methods/wrapper"
)

// Paper is a published system.
type Paper struct {
	Method      string // name of lede's method, such as nce
	Name        string // of the system, such as NCE
	Title       string // of the paper, with authors, journal or conference, and year
	Experiments []Experiment
}

// All returns the papers in the order of lede's methods.
func All() []Paper {
	return []Paper{ncePaper(), coreexPaper(), twcemPaper(), stadynotPaper(), wrapperPaper()}
}

// Experiment is an experiment of a paper.
type Experiment struct {
	ID    string // such as 2 for Table 2, figure8, or titles
	About string // one line for the list of experiments
	Needs Need
	Run   func(ctx context.Context, in *Input) ([]*Table, error)
}

// Need is what an experiment cannot run without.
type Need string

// The needs of experiments. Those without any run on made-up pages if there are no
// corpora.
const (
	NeedsCorpora Need = "corpora" // real pages
	NeedsBrowser Need = "browser" // Chromium
	NeedsPairs   Need = "pairs"   // pairs of pages with people's judgement
)

// Input is what the experiments run on.
type Input struct {
	// Corpora are folders of pages with known articles. Without any, the pages are
	// made up by package newsroom.
	Corpora []string
	// Pairs is a folder with pairs.jsonl (a, b, lang, overall) and pages/ID.html.gz.
	Pairs string
	// Layout measures the layout of a page in a browser. It is nil if there is none.
	Layout visual.LayoutFunc
	// Quick asks for the short form, on a few pages: it shows that the experiment
	// runs, and its figures mean little.
	Quick    bool
	Seed     uint64
	Progress func(step string, done, total int) // may be nil

	// TrainSite is the site that the wrapper learns from in its experiment on real
	// sites (default: each in turn).
	TrainSite string
	// Model is a model of the wrapper to test on real pages in its Table 5 (default:
	// the shipped ones).
	Model *wrapper.Model

	sets   []*Set
	core   []*coreGroup
	twcem  *twcemScores
	visual []*madeUpSite
	real   []*visualSet
}

// runOn returns the function of an experiment that gets its pages first.
func runOn[P any](pages func(*Input, context.Context) (P, error), run func(context.Context, *Input, P) ([]*Table, error)) func(context.Context, *Input) ([]*Table, error) {
	return func(ctx context.Context, in *Input) ([]*Table, error) {
		p, err := pages(in, ctx)
		if err != nil {
			return nil, err
		}
		return run(ctx, in, p)
	}
}

// pick returns the first number for the short form, and else the second.
func (in *Input) pick(quick, full int) int {
	if in.Quick {
		return quick
	}
	return full
}

// Report calls in.Progress if there is one.
func (in *Input) Report(step string, done, total int) {
	if in.Progress != nil {
		in.Progress(step, done, total)
	}
}

// ErrNoExperiment means that a paper has no experiment of the given ID.
var ErrNoExperiment = errors.New("no such experiment")

// ErrMissing means that an experiment needs corpora or a browser.
var ErrMissing = errors.New("not run")

// Run runs experiments of a paper, all if no ids are given. It skips those that
// need something that is missing and passes the reason to skipped, but returns an
// error if their ids were given.
func (p *Paper) Run(ctx context.Context, in *Input, ids []string, skipped func(error)) ([]*Table, error) {
	for _, id := range ids {
		if !slices.ContainsFunc(p.Experiments, func(e Experiment) bool { return e.ID == id }) {
			return nil, fmt.Errorf("%w: %s; available: %s", ErrNoExperiment, id, strings.Join(p.ids(), ", "))
		}
	}
	var tables []*Table
	for _, e := range p.Experiments {
		if len(ids) > 0 && !slices.Contains(ids, e.ID) {
			continue
		}
		if err := e.missing(in); err != nil {
			if len(ids) > 0 {
				return nil, err
			}
			skipped(err)
			continue
		}
		out, err := e.Run(ctx, in)
		if err != nil {
			return nil, fmt.Errorf("experiment %s of %s: %w", e.ID, p.Method, err)
		}
		for _, t := range out {
			t.Paper, t.ID = p.Method, e.ID
		}
		tables = append(tables, out...)
	}
	return tables, nil
}

func (p *Paper) ids() []string {
	var ids []string
	for _, e := range p.Experiments {
		ids = append(ids, e.ID)
	}
	return ids
}

func (e *Experiment) missing(in *Input) error {
	switch {
	case e.Needs == NeedsCorpora && len(in.Corpora) == 0:
		return fmt.Errorf("%w: experiment %s needs corpora: name folders of pages with known articles", ErrMissing, e.ID)
	case e.Needs == NeedsPairs && in.Pairs == "":
		return fmt.Errorf("%w: experiment %s needs pairs of pages that people judged: name their folder with --pairs", ErrMissing, e.ID)
	case e.Needs == NeedsBrowser && in.Layout == nil:
		return fmt.Errorf("%w: experiment %s needs Chromium: add --browser", ErrMissing, e.ID)
	}
	return nil
}
