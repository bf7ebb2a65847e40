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
	ID      string // such as 2 for Table 2, figure8, or titles
	About   string // one line for the list of experiments
	Browser bool   // it needs Chromium
	Run     func(ctx context.Context, in *Input) ([]*Table, error)
}

// Input is what the experiments run on.
type Input struct {
	// Corpora are folders of pages with known articles. Without any, the pages are
	// made up by package newsroom.
	Corpora []string
	// Layout measures the layout of a page in a browser. It is nil if there is none.
	Layout visual.LayoutFunc
	// Limit is the number of pages of each corpus or made-up site (default: as many
	// as the paper has, or all).
	Limit    int
	Seed     uint64
	Progress func(step string, done, total int) // may be nil

	sets   []*Set
	core   []*coreGroup
	twcem  *twcemScores
	visual []*madeUpSite
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

// limit returns a number of pages, or in.Limit if that is less.
func (in *Input) limit(n int) int {
	if in.Limit > 0 {
		return min(n, in.Limit)
	}
	return n
}

// Report calls in.Progress if there is one.
func (in *Input) Report(step string, done, total int) {
	if in.Progress != nil {
		in.Progress(step, done, total)
	}
}

// ErrNoExperiment means that a paper has no experiment of the given ID.
var ErrNoExperiment = errors.New("no such experiment")

// ErrNoBrowser means that an experiment needs a browser.
var ErrNoBrowser = errors.New("needs Chromium: add --browser")

// Run runs experiments of a paper, all if no ids are given. Without a browser, it
// skips those that need one, but returns an error if their ids were given.
func (p *Paper) Run(ctx context.Context, in *Input, ids []string) ([]*Table, error) {
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
		if e.Browser && in.Layout == nil {
			if len(ids) > 0 {
				return nil, fmt.Errorf("experiment %s %w", e.ID, ErrNoBrowser)
			}
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
