package experiments

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/method"
)

// share returns the share of the elements for which is returns true, or None if
// there are none.
func share[T any](all []T, is func(T) bool) float64 {
	return meanOf(all, func(x T) float64 {
		if is(x) {
			return 1
		}
		return 0
	})
}

// meanOf returns the mean of a figure, or None if there are no elements.
func meanOf[T any](all []T, figure func(T) float64) float64 {
	sum := 0.0
	for _, x := range all {
		sum += figure(x)
	}
	if len(all) == 0 {
		return None
	}
	return sum / float64(len(all))
}

// figureOfPages is a column of a table whose rows are groups of pages.
type figureOfPages[T any] struct {
	name   string
	format Format
	paper  float64 // the published figure, or None
	of     func(pages []T) float64
}

// count is the column with the number of pages.
func count[T any](name string) figureOfPages[T] {
	return figureOfPages[T]{name, Count, None, func(pages []T) float64 { return float64(len(pages)) }}
}

// shareIn is a column with the share of the pages for which is returns true.
func shareIn[T any](name string, paper float64, is func(T) bool) figureOfPages[T] {
	return figureOfPages[T]{name, Percent, paper, func(pages []T) float64 { return share(pages, is) }}
}

// meanIn is a column with the mean of a figure of the pages.
func meanIn[T any](name string, format Format, paper float64, figure func(T) float64) figureOfPages[T] {
	return figureOfPages[T]{name, format, paper, func(pages []T) float64 { return meanOf(pages, figure) }}
}

// figures are the columns of a table whose rows are groups of pages.
type figures[T any] []figureOfPages[T]

// table returns a table without rows.
func (f figures[T]) table(title, corpus string, notes ...string) *Table {
	t := &Table{Title: title, Corpus: corpus, Notes: notes}
	for _, c := range f {
		t.Columns = append(t.Columns, Column{c.name, c.format})
	}
	return t
}

// besidePaper returns a row with the published figures.
func (f figures[T]) besidePaper(name string, pages []T) Row {
	r := Row{Name: name}
	for _, c := range f {
		r.Cells = append(r.Cells, Cell{c.of(pages), c.paper})
	}
	return r
}

// row returns a row without published figures.
func (f figures[T]) row(name string, pages []T) Row {
	r := f.besidePaper(name, pages)
	for i := range r.Cells {
		r.Cells[i].Paper = None
	}
	return r
}

// bySet returns a row for each set and one for all pages, with the published
// figures. Synthetic sites have few pages each and get no rows of their own.
func (f figures[T]) bySet(in *Input, sets []*Set, pages [][]T) (rows []Row) {
	for i, s := range sets {
		if len(in.Corpora) > 0 && len(pages[i]) > 0 {
			rows = append(rows, f.row(s.Name, pages[i]))
		}
	}
	return append(rows, f.besidePaper("all", slices.Concat(pages...)))
}

// publishedPRF is a published row of precision, recall and F1.
type publishedPRF struct {
	name     string
	p, r, f1 float64
}

func (x publishedPRF) cells(ours measure.PRF) []Cell {
	return []Cell{{ours.P, x.p}, {ours.R, x.r}, {ours.F1, x.f1}}
}

// noFigures leaves out our part of three cells, or the published one.
var (
	noFigures   = measure.PRF{P: None, R: None, F1: None}
	unpublished = publishedPRF{p: None, r: None, f1: None}
)

// times are the times that parsing a page, converting it and running a method take.
type times [3]time.Duration

func (t times) all() time.Duration { return t[0] + t[1] + t[2] }

// fastest runs methods in turn on every page, three times, and returns the sum over
// the pages of the shortest time of each step.
func fastest(ctx context.Context, in *Input, pages [][]byte, names []string) ([]times, error) {
	const rounds = 3
	sums := make([]times, len(names))
	for k, page := range pages {
		in.Progress("measuring time", k, len(pages))
		best := slices.Repeat([]times{{math.MaxInt64, math.MaxInt64, math.MaxInt64}}, len(names))
		for range rounds {
			for i, name := range names {
				x, err := measureTime(ctx, name, page)
				if err != nil {
					return nil, err
				}
				for step := range x {
					best[i][step] = min(best[i][step], x[step])
				}
			}
		}
		for i := range best {
			for step, d := range best[i] {
				sums[i][step] += d
			}
		}
	}
	return sums, nil
}

func measureTime(ctx context.Context, name string, page []byte) (t times, err error) {
	m := newMethod(name)
	start := time.Now()
	d, err := dom.Parse(ctx, page, dom.Options{Charset: "utf-8"})
	parsed := time.Now()
	converted := parsed
	if err == nil && name == coreXHTML {
		d, err = toXHTML(ctx, d)
		converted = time.Now()
	}
	if err != nil {
		return t, err
	}
	_, err = m.Select(ctx, &method.Page{Doc: d, NoReasons: true})
	if errors.Is(err, method.ErrNoContent) { // finding nothing takes its time too
		err = nil
	}
	return times{parsed.Sub(start), converted.Sub(parsed), time.Since(converted)}, err
}

// toXHTML writes the tree of a page, every element closed and every value quoted,
// and parses it again: the step that TagSoup has in CoreEx.
func toXHTML(ctx context.Context, d *dom.Document) (*dom.Document, error) {
	page, err := render(d)
	if err != nil {
		return nil, err
	}
	return dom.Parse(ctx, page, dom.Options{Charset: "utf-8"})
}

// render writes the tree of a page as HTML.
func render(d *dom.Document) ([]byte, error) {
	var b bytes.Buffer
	err := html.Render(&b, d.HTML(d.Root()))
	return b.Bytes(), err
}
