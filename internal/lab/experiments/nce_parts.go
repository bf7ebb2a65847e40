package experiments

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/tune"
)

// bothMethods completes a table with the figures of nce:paper by set and over all
// pages, and with those of nce over all pages. For a method, page returns what is
// measured on a page.
func bothMethods[T any](
	ctx context.Context, in *Input, t *Table, step string, sets []*Set, page func(method string) func(*tune.Example) T, columns figures[T],
) ([]*Table, error) {
	paper, err := perPage(ctx, in, step, sets, page("nce:paper"))
	if err != nil {
		return nil, err
	}
	own, err := perPage(ctx, in, step, sets, page("nce"))
	t.Corpus, t.Columns = Names(sets), columns.columns()
	t.Rows = append(columns.bySet(in, sets, paper), columns.row("all, by nce", slices.Concat(own...)))
	return []*Table{t}, err
}

// phases is a figure of a page with and without Phase 2.
type phases struct{ with, without float64 }

// bothPhases measures what NCE retrieves with Phase 2, and without: with settings for
// which no node is a comment marker.
func bothPhases(figure func(x *tune.Example, r *retrieval) float64) func(string) func(*tune.Example) phases {
	return func(name string) func(*tune.Example) phases {
		with, without := newMethod(name), newMethod(name, "a5=10", "a6=8")
		return func(x *tune.Example) phases {
			return phases{figure(x, retrieve(with, x, nil)), figure(x, retrieve(without, x, nil))}
		}
	}
}

// significant is the least difference between two F1 that counts.
const significant = 0.01

func ncePhase2(ctx context.Context, in *Input, sets []*Set) ([]*Table, error) {
	f1 := func(x *tune.Example, r *retrieval) float64 { return r.score(x.Gold).F1 }
	return bothMethods(ctx, in, &Table{
		Title: "The effect of Phase 2, comments removal",
		Notes: []string{
			"A page has changed if its F1 differs by more than 0.01; the paper found 24 of 324 pages without a definition.",
			"Few of these pages have comments. Gold that has comments as part of the article, as dragnet's and cleaneval's do on some pages, counts against Phase 2.",
		},
	}, "Phase 2", sets, bothPhases(f1), figures[phases]{
		count[phases]("pages"),
		shareIn("changed", 24.0/324, func(p phases) bool { return math.Abs(p.with-p.without) > significant }),
		shareIn("better", 24.0/324, func(p phases) bool { return p.with-p.without > significant }),
		shareIn("worse", 0, func(p phases) bool { return p.without-p.with > significant }),
		meanIn("F1", Ratio, None, func(p phases) float64 { return p.with }),
		meanIn("F1 without", Ratio, None, func(p phases) float64 { return p.without }),
	})
}

// keptShare returns the share of the words of some nodes that a retrieval has.
func keptShare(d *dom.Document, of []bool, r *retrieval) float64 {
	words, in := 0, 0
	for n, is := range of {
		if is {
			words += d.Words(dom.Node(n))
			if r.mask[n] {
				in += d.Words(dom.Node(n))
			}
		}
	}
	return float64(in) / float64(max(words, 1))
}

// removed is the share of the words of comments up to which they count as
// removed.
const removed = 0.1

func nceComments(ctx context.Context, in *Input, sets []*Set) ([]*Table, error) {
	comments := func(x *tune.Example) []bool { return measure.Align(x.Doc, strings.Join(x.Gold.Comments, "\n")) }
	sets = only(sets, func(x *tune.Example) bool {
		// Comments that a script had loaded are in the gold but not on the page.
		return len(x.Gold.Comments) > 0 && slices.Contains(comments(x), true)
	})
	left := func(x *tune.Example, r *retrieval) float64 { return keptShare(x.Doc, comments(x), r) }
	return bothMethods(ctx, in, &Table{
		Title: "Pages whose comments were removed",
		Notes: []string{"Only pages that show comments count. Comments are removed if at most a tenth of their words is left; the paper, which says \"more than 70 %\", judged by eye."},
	}, "comments", sets, bothPhases(left), figures[phases]{
		count[phases]("pages"),
		shareIn("removed", 0.7, func(p phases) bool { return p.with <= removed }),
		shareIn("by Phase 1 alone", None, func(p phases) bool { return p.without <= removed }),
	})
}

func nceBody(ctx context.Context, in *Input, sets []*Set) ([]*Table, error) {
	left := func(x *tune.Example, r *retrieval) float64 {
		return keptShare(x.Doc, measure.Align(x.Doc, x.Gold.Text), r)
	}
	return bothMethods(ctx, in, &Table{
		Title: "Pages that lose some of their body",
		Notes: []string{
			"The share of pages of whose body more than a tenth, or a half, of the words is lost. The paper, which says \"less than 4 %\", judged by eye.",
			"The gold of dragnet, cleaneval and daniel has the headline in the body, which NCE's forest need not have.",
		},
	}, "body", sets, bothPhases(left), figures[phases]{
		count[phases]("pages"),
		shareIn("over a tenth", 0.04, func(p phases) bool { return p.with < 0.9 }),
		shareIn("over a tenth by Phase 1", None, func(p phases) bool { return p.without < 0.9 }),
		shareIn("over a half", None, func(p phases) bool { return p.with < 0.5 }),
	})
}

// titleFound says how a page's title was found.
type titleFound struct{ exact, within, retrieved, onPage bool }

func nceTitles(ctx context.Context, in *Input, sets []*Set) ([]*Table, error) {
	sets = only(sets, func(x *tune.Example) bool { return x.Gold.Title != "" })
	find := func(name string) func(*tune.Example) titleFound {
		m := newMethod(name)
		return func(x *tune.Example) titleFound {
			r := retrieve(m, x, nil)
			want, own := measure.Letters(x.Gold.Title), measure.Letters(r.own)
			f := titleFound{exact: own == want, within: strings.Contains(own, want)}
			f.retrieved = f.within || strings.Contains(measure.Letters(r.text), want)
			f.onPage = f.retrieved || strings.Contains(measure.Letters(x.Doc.AllText()), want)
			for n := range x.Doc.All(x.Doc.Root(), dom.Title) {
				f.onPage = f.onPage || strings.Contains(measure.Letters(x.Doc.Raw(n)), want)
			}
			return f
		}
	}
	return bothMethods(ctx, in, &Table{
		Title: "Pages whose title was retrieved",
		Notes: []string{
			"A title is retrieved if all its letters are, in order, in the solution: in what Phase 3 adds or in the forest of Phase 1, which often has the headline already. That is how the paper, which judged by eye, can be read.",
			"The own title is the node of Phase 3 alone, usually <title> with the name of the site. The last column is the share of pages that have the gold's title anywhere; the gold of fundus-publishers is often the title for search engines.",
		},
	}, "titles", sets, find, figures[titleFound]{
		count[titleFound]("pages"),
		shareIn("retrieved", 0.95, func(f titleFound) bool { return f.retrieved }),
		shareIn("in the own title", None, func(f titleFound) bool { return f.within }),
		shareIn("own title is exact", None, func(f titleFound) bool { return f.exact }),
		shareIn("on the page", None, func(f titleFound) bool { return f.onPage }),
	})
}

func nceSeparator(ctx context.Context, in *Input, sets []*Set) ([]*Table, error) {
	best, err := perPage(ctx, in, "separator nodes", sets, bestSeparator)
	if err != nil {
		return nil, err
	}
	columns := figures[float64]{
		count[float64]("pages"),
		shareIn("F1 above 0.9", 137.0/141, func(f1 float64) bool { return f1 > 0.9 }),
		shareIn("F1 above 0.8", None, func(f1 float64) bool { return f1 > 0.8 }),
	}
	return []*Table{{
		Title: "Assumption 1: pages with a separator node of F1 above 0.9 at link density 0.4", Corpus: Names(sets),
		Columns: columns.columns(), Rows: columns.bySet(in, sets, best),
		Notes: []string{
			"The best node of each page: the children with a link density of at most 0.4 are compared with headline and body.",
			"The paper looked at 141 pages of its exploration corpus. A headline outside the node, comments inside it and, on pages of today, boxes between the paragraphs lower F1.",
		},
	}}, nil
}

// bestSeparator returns the F1 of the best separator node of a page, or 0 if it is
// below 0.8.
func bestSeparator(x *tune.Example) float64 {
	const density, least = 0.4, 0.8
	d, gold := x.Doc, relevant(x.Gold)
	want := len(measure.Words(gold.Text))
	best := least
	var last string
	for u := range dom.Node(d.Len()) {
		words, children := 0, 0
		for c := range d.Children(u) {
			if d.Words(c) > 0 && d.LinkDensity(c) <= density {
				words += d.Words(c)
				children++
			}
		}
		// The numbers of words bound F1; those of dom and of measure differ a little.
		if bound := 2 * float64(min(words, want)) / float64(max(words+want, 1)); children == 0 || bound < best-0.05 {
			continue
		}
		var parts []string
		for c := range d.Children(u) {
			if d.LinkDensity(c) <= density {
				parts = append(parts, d.Text(c))
			}
		}
		text := strings.Join(parts, "\n")
		if text != last { // a node and its only child
			best, last = max(best, measure.Score(gold, "", text).F1), text
		}
	}
	if best == least {
		return 0
	}
	return best
}
