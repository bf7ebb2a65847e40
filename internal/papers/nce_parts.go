package papers

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
	"github.com/lede-news/lede/internal/learn"
	"github.com/lede-news/lede/internal/nce"
	"github.com/lede-news/lede/internal/newsroom"
	"github.com/lede-news/lede/internal/wrapper"
	"github.com/lede-news/lede/method"
)

// leafCounts counts leaf nodes, for NCE and for the wrapper.
type leafCounts struct{ found, relevant, both [2]float64 }

func nceLeaves(ctx context.Context, in *Input) ([]*Table, error) {
	sets, err := in.Sets(ctx)
	if err != nil {
		return nil, err
	}
	visualConfig, _ := wrapper.Preset("paper")
	methods := [2]method.Method{nce.New(nceConfig()), wrapper.New(visualConfig)}
	counts, err := perPage(ctx, in, "leaf nodes", sets, func(x *learn.Example) (leafCounts, error) {
		var c leafCounts
		gold := measure.Align(x.Doc, relevant(x.Gold).Text)
		for i, m := range methods {
			r, err := retrieve(ctx, m, x)
			if err != nil {
				return c, err
			}
			for n := range gold {
				if !x.Doc.IsText(dom.Node(n)) || x.Doc.Words(dom.Node(n)) == 0 {
					continue
				}
				if gold[n] {
					c.relevant[i]++
				}
				if r.mask[n] {
					c.found[i]++
				}
				if gold[n] && r.mask[n] {
					c.both[i]++
				}
			}
		}
		return c, nil
	})
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title: "F1 on the classification of all leaf nodes", Corpus: Names(sets),
		Columns: []Column{{"pages", Count}, {"nce:paper", Percent}, {"V-Wrapper", Percent}},
		Notes: []string{
			"A leaf node is a text node with words, and relevant if at least half of its words are those of the headline or the body. All leaf nodes of all pages count the same.",
			"V-Wrapper is lede's wrapper:paper with an estimated layout. " + nceTunedNote,
		},
	}
	row := func(name string, pages []leafCounts, paper float64) {
		f1 := func(i int) float64 {
			both := meanOf(pages, func(c leafCounts) float64 { return c.both[i] })
			return 2 * both / meanOf(pages, func(c leafCounts) float64 { return c.found[i] + c.relevant[i] })
		}
		t.Rows = append(t.Rows, Row{name, []Cell{Ours(float64(len(pages))), Ours(f1(0)), Both(f1(1), paper)}})
	}
	for i, s := range sets {
		if len(in.Corpora) > 0 {
			row(s.Name, counts[i], None)
		}
	}
	row("all", slices.Concat(counts...), 0.856)
	return []*Table{t}, nil
}

// methodRows adds a row for each set and one for all pages, with the results of
// nce:paper, and one for all pages with those of nce. Made-up sites have few pages
// each and get no rows of their own.
func methodRows[T any](t *Table, in *Input, sets []*Set, paper, own [][]T, row func(name string, pages []T, published bool) Row) {
	for i, s := range sets {
		if len(in.Corpora) > 0 && len(paper[i]) > 0 {
			t.Rows = append(t.Rows, row(s.Name, paper[i], false))
		}
	}
	t.Rows = append(t.Rows, row("all", slices.Concat(paper...), true), row("all, by nce", slices.Concat(own...), false))
}

// ifPublished returns the published figure in the row that has it.
func ifPublished(published bool, figure float64) float64 {
	if !published {
		return None
	}
	return figure
}

// bothPhases is the F1 of a page with and without Phase 2.
type bothPhases struct{ with, without float64 }

// significant is the least difference between two F1 that counts.
const significant = 0.01

func ncePhase2(ctx context.Context, in *Input) ([]*Table, error) {
	sets, err := in.Sets(ctx)
	if err != nil {
		return nil, err
	}
	run := func(c nce.Config) ([][]bothPhases, error) {
		with, without := nce.New(c), nce.New(withoutPhase2(c))
		return perPage(ctx, in, "Phase 2", sets, func(x *learn.Example) (bothPhases, error) {
			a, err := retrieve(ctx, with, x)
			if err != nil {
				return bothPhases{}, err
			}
			b, err := retrieve(ctx, without, x)
			if err != nil {
				return bothPhases{}, err
			}
			f1 := nceScore(x.Gold, a.all()).F1
			if slices.Equal(a.mask, b.mask) {
				return bothPhases{f1, f1}, nil
			}
			return bothPhases{f1, nceScore(x.Gold, b.all()).F1}, nil
		})
	}
	paper, err := run(nceConfig())
	if err != nil {
		return nil, err
	}
	own, err := run(nce.Default())
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title: "The effect of Phase 2, comments removal", Corpus: Names(sets),
		Columns: []Column{{"pages", Count}, {"changed", Percent}, {"better", Percent}, {"worse", Percent}, {"F1", Ratio}, {"F1 without", Ratio}},
		Notes: []string{
			"A page has changed if its F1 differs by more than 0.01; the paper found 24 of 324 pages without a definition.",
			"Few of these pages have comments. Gold that has comments as part of the article, as dragnet's and cleaneval's do on some pages, counts against Phase 2.",
		},
	}
	methodRows(t, in, sets, paper, own, func(name string, pages []bothPhases, published bool) Row {
		return Row{name, []Cell{
			Ours(float64(len(pages))),
			Both(share(pages, func(b bothPhases) bool { return math.Abs(b.with-b.without) > significant }), ifPublished(published, 24.0/324)),
			Both(share(pages, func(b bothPhases) bool { return b.with-b.without > significant }), ifPublished(published, 24.0/324)),
			Both(share(pages, func(b bothPhases) bool { return b.without-b.with > significant }), ifPublished(published, 0)),
			Ours(meanOf(pages, func(b bothPhases) float64 { return b.with })),
			Ours(meanOf(pages, func(b bothPhases) float64 { return b.without })),
		}}
	})
	return []*Table{t}, nil
}

// kept is a part of a page's text, and how much of it was retrieved.
type kept struct{ with, without float64 }

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

// keptOf returns how much of a part of each page was retrieved, with and without
// Phase 2.
func keptOf(ctx context.Context, in *Input, step string, sets []*Set, c nce.Config, part func(*learn.Example) []bool) ([][]kept, error) {
	with, without := nce.New(c), nce.New(withoutPhase2(c))
	return perPage(ctx, in, step, sets, func(x *learn.Example) (kept, error) {
		of := part(x)
		a, err := retrieve(ctx, with, x)
		if err != nil {
			return kept{}, err
		}
		b, err := retrieve(ctx, without, x)
		if err != nil {
			return kept{}, err
		}
		return kept{keptShare(x.Doc, of, &a), keptShare(x.Doc, of, &b)}, nil
	})
}

// only returns the sets with those pages for which is returns true.
func only(sets []*Set, is func(*learn.Example) bool) []*Set {
	var out []*Set
	for _, s := range sets {
		out = append(out, &Set{s.Name, slices.DeleteFunc(slices.Clone(s.Pages), func(x *learn.Example) bool { return !is(x) })})
	}
	return out
}

// removed is the share of the words of comments up to which they count as
// removed.
const removed = 0.1

func nceComments(ctx context.Context, in *Input) ([]*Table, error) {
	sets, err := in.Sets(ctx)
	if err != nil {
		return nil, err
	}
	part := func(x *learn.Example) []bool { return measure.Align(x.Doc, strings.Join(x.Gold.Comments, "\n")) }
	sets = only(sets, func(x *learn.Example) bool {
		// Comments that a script had loaded are in the gold but not on the page.
		return len(x.Gold.Comments) > 0 && slices.Contains(part(x), true)
	})
	paper, err := keptOf(ctx, in, "comments", sets, nceConfig(), part)
	if err != nil {
		return nil, err
	}
	own, err := keptOf(ctx, in, "comments", sets, nce.Default(), part)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title: "Pages whose comments were removed", Corpus: Names(sets),
		Columns: []Column{{"pages", Count}, {"removed", Percent}, {"by Phase 1 alone", Percent}},
		Notes:   []string{"Only pages that show comments count. Comments are removed if at most a tenth of their words is left; the paper, which says \"more than 70 %\", judged by eye."},
	}
	methodRows(t, in, sets, paper, own, func(name string, pages []kept, published bool) Row {
		return Row{name, []Cell{
			Ours(float64(len(pages))),
			Both(share(pages, func(k kept) bool { return k.with <= removed }), ifPublished(published, 0.7)),
			Ours(share(pages, func(k kept) bool { return k.without <= removed })),
		}}
	})
	return []*Table{t}, nil
}

func nceBody(ctx context.Context, in *Input) ([]*Table, error) {
	sets, err := in.Sets(ctx)
	if err != nil {
		return nil, err
	}
	part := func(x *learn.Example) []bool { return measure.Align(x.Doc, x.Gold.Text) }
	paper, err := keptOf(ctx, in, "body", sets, nceConfig(), part)
	if err != nil {
		return nil, err
	}
	own, err := keptOf(ctx, in, "body", sets, nce.Default(), part)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title: "Pages that lose some of their body", Corpus: Names(sets),
		Columns: []Column{{"pages", Count}, {"over a tenth", Percent}, {"over a tenth by Phase 1", Percent}, {"over a half", Percent}},
		Notes: []string{
			"The share of pages of whose body more than a tenth, or a half, of the words is lost. The paper, which says \"less than 4 %\", judged by eye.",
			"The gold of dragnet, cleaneval and daniel has the headline in the body, which NCE's forest need not have.",
		},
	}
	methodRows(t, in, sets, paper, own, func(name string, pages []kept, published bool) Row {
		return Row{name, []Cell{
			Ours(float64(len(pages))),
			Both(share(pages, func(k kept) bool { return k.with < 0.9 }), ifPublished(published, 0.04)),
			Ours(share(pages, func(k kept) bool { return k.without < 0.9 })),
			Ours(share(pages, func(k kept) bool { return k.with < 0.5 })),
		}}
	})
	return []*Table{t}, nil
}

// titleFound says how a page's title was found.
type titleFound struct{ exact, within, retrieved, onPage bool }

func nceTitles(ctx context.Context, in *Input) ([]*Table, error) {
	sets, err := in.Sets(ctx)
	if err != nil {
		return nil, err
	}
	sets = only(sets, func(x *learn.Example) bool { return x.Gold.Title != "" })
	run := func(c nce.Config) ([][]titleFound, error) {
		m := nce.New(c)
		return perPage(ctx, in, "titles", sets, func(x *learn.Example) (titleFound, error) {
			r, err := retrieve(ctx, m, x)
			want, own := measure.Letters(x.Gold.Title), measure.Letters(r.own)
			f := titleFound{exact: own == want, within: strings.Contains(own, want)}
			f.retrieved = f.within || strings.Contains(measure.Letters(r.text), want)
			f.onPage = f.retrieved || strings.Contains(measure.Letters(x.Doc.AllText()), want)
			for n := range x.Doc.All(x.Doc.Root(), dom.Title) {
				f.onPage = f.onPage || strings.Contains(measure.Letters(x.Doc.Raw(n)), want)
			}
			return f, err
		})
	}
	paper, err := run(nceConfig())
	if err != nil {
		return nil, err
	}
	own, err := run(nce.Default())
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title: "Pages whose title was retrieved", Corpus: Names(sets),
		Columns: []Column{{"pages", Count}, {"retrieved", Percent}, {"in the own title", Percent}, {"own title is exact", Percent}, {"on the page", Percent}},
		Notes: []string{
			"A title is retrieved if all its letters are, in order, in the solution: in what Phase 3 adds or in the forest of Phase 1, which often has the headline already. That is how the paper, which judged by eye, can be read.",
			"The own title is the node of Phase 3 alone, usually <title> with the name of the site. The last column is the share of pages that have the gold's title anywhere; the gold of fundus-publishers is often the title for search engines.",
		},
	}
	methodRows(t, in, sets, paper, own, func(name string, pages []titleFound, published bool) Row {
		return Row{name, []Cell{
			Ours(float64(len(pages))),
			Both(share(pages, func(f titleFound) bool { return f.retrieved }), ifPublished(published, 0.95)),
			Ours(share(pages, func(f titleFound) bool { return f.within })),
			Ours(share(pages, func(f titleFound) bool { return f.exact })),
			Ours(share(pages, func(f titleFound) bool { return f.onPage })),
		}}
	})
	return []*Table{t}, nil
}

func nceSeparator(ctx context.Context, in *Input) ([]*Table, error) {
	sets, err := in.Sets(ctx)
	if err != nil {
		return nil, err
	}
	best, err := perPage(ctx, in, "separator nodes", sets, func(x *learn.Example) (float64, error) { return bestSeparator(x), ctx.Err() })
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title: "Assumption 1: pages with a separator node of F1 above 0.9 at link density 0.4", Corpus: Names(sets),
		Columns: []Column{{"pages", Count}, {"F1 above 0.9", Percent}, {"F1 above 0.8", Percent}},
		Notes: []string{
			"The best node of each page: the children with a link density of at most 0.4 are compared with headline and body.",
			"The paper looked at 141 pages of its exploration corpus. A headline outside the node, comments inside it and, on pages of today, boxes between the paragraphs lower F1.",
		},
	}
	row := func(name string, pages []float64, paper float64) {
		t.Rows = append(t.Rows, Row{name, []Cell{
			Ours(float64(len(pages))),
			Both(share(pages, func(f1 float64) bool { return f1 > 0.9 }), paper),
			Ours(share(pages, func(f1 float64) bool { return f1 > 0.8 })),
		}})
	}
	for i, s := range sets {
		if len(in.Corpora) > 0 {
			row(s.Name, best[i], None)
		}
	}
	row("all", slices.Concat(best...), 137.0/141)
	return []*Table{t}, nil
}

// bestSeparator returns the F1 of the best separator node of a page, or 0 if it is
// below 0.8.
func bestSeparator(x *learn.Example) float64 {
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

const (
	timedPages = 20 // in all
	timedRuns  = 5  // of NCE on a page, of which the fastest counts
)

func nceTime(ctx context.Context, in *Input) ([]*Table, error) {
	pages, err := in.bytes(timedPages)
	if err != nil {
		return nil, err
	}
	m := nce.New(nceConfig())
	var parse, choose, layout time.Duration
	for i, p := range pages {
		if i == 0 { // the browser starts with the first page
			if _, _, err := in.Layout(ctx, p.page, p.gold); err != nil {
				return nil, err
			}
		}
		began := time.Now()
		if _, _, err := in.Layout(ctx, p.page, p.gold); err != nil {
			return nil, err
		}
		layout += time.Since(began)
		fastest := [2]time.Duration{math.MaxInt64, math.MaxInt64}
		for range timedRuns {
			began = time.Now()
			d, err := dom.Parse(ctx, p.page, dom.Options{Charset: "utf-8"})
			if err != nil {
				return nil, err
			}
			parsed := time.Now()
			if _, err := m.Select(ctx, &method.Page{Doc: d, NoReasons: true}); err != nil && err != method.ErrNoContent {
				return nil, err
			}
			fastest[0], fastest[1] = min(fastest[0], parsed.Sub(began)), min(fastest[1], time.Since(parsed))
		}
		parse, choose = parse+fastest[0], choose+fastest[1]
		in.Report("time", i+1, len(pages))
	}
	ms := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(len(pages)) }
	ours := ms(parse) + ms(choose)
	return []*Table{{
		Title:   "Execution time: milliseconds for each page",
		Corpus:  fmt.Sprintf("the first %d of the corpora or made-up sites", len(pages)),
		Columns: []Column{{"ms", Number}, {"times NCE", Number}},
		Rows: []Row{
			NewRow("parsing", ms(parse)),
			NewRow("the three phases", ms(choose)),
			{"NCE", []Cell{Ours(ours), Ours(1)}},
			{"layout", []Cell{Ours(ms(layout)), Both(ms(layout)/ours, 10)}},
		},
		Notes: []string{
			"Layout is the time until place and size of every node are known, in a running Chromium without scripts, pictures and network, parsing included. The paper used Gecko and MSHTML and says \"at least an order of magnitude\".",
		},
	}}, nil
}

// rawPage is a page before it is parsed.
type rawPage struct {
	page []byte
	gold *corpus.Gold
}

// bytes returns up to n pages, from all corpora or made-up sites in turn.
func (in *Input) bytes(n int) ([]rawPage, error) {
	if in.Quick {
		n = 2
	}
	var pages []rawPage
	if len(in.Corpora) == 0 {
		sites := newsroom.New(in.Seed).Sites()
		for i := range n {
			p := sites[i%len(sites)].Page(i / len(sites))
			pages = append(pages, rawPage{p.HTML, &corpus.Gold{URL: p.Gold.URL}})
		}
		return pages, nil
	}
	for i, dir := range in.Corpora {
		c, err := corpus.Open(dir, corpus.Options{})
		if err != nil {
			return nil, err
		}
		for k := range c.Gold[:min(len(c.Gold), (i+1)*n/len(in.Corpora)-len(pages))] {
			page, err := c.Page(&c.Gold[k])
			if err != nil {
				return nil, err
			}
			pages = append(pages, rawPage{page, &c.Gold[k]})
		}
	}
	return pages, nil
}
