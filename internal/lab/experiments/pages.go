package experiments

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/train/visual"
	"github.com/lede-news/lede/internal/lab/tune"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
)

// Group is the pages of a corpus or site, or results of them.
type Group[P any] struct {
	Name  string
	Pages []P
}

// Set is the pages of a corpus, or of all synthetic sites.
type Set = Group[*tune.Example]

const newsroomPages = 20 // of each synthetic site

// Sets returns the articles with a known text, one set for each corpus. They are
// read once.
func (in *Input) Sets(ctx context.Context) ([]*Set, error) {
	if in.sets != nil {
		return in.sets, nil
	}
	if len(in.Corpora) == 0 {
		set, err := in.synthetic(ctx, "synthetic sites", newsroom.New(in.Seed))
		in.sets = []*Set{set}
		return in.sets, err
	}
	for _, dir := range in.Corpora {
		c, err := corpus.Open(dir)
		if err != nil {
			return nil, err
		}
		pages, err := tune.Load(ctx, []*corpus.Corpus{c}, in.Limit, func(done, total int) { in.Progress("reading "+c.Name, done, total) })
		if err != nil {
			return nil, err
		}
		in.sets = append(in.sets, &Set{c.Name, pages})
	}
	return in.sets, nil
}

// synthetic returns the pages of synthetic sites.
func (in *Input) synthetic(ctx context.Context, name string, room *newsroom.Newsroom) (*Set, error) {
	sites, n := room.Sites(), in.limit(newsroomPages)
	report := func(done int) { in.Progress("generating pages", done, n*len(sites)) }
	pages, err := parallel.Map(ctx, n*len(sites), 0, report, func(i int) (*tune.Example, error) {
		s := sites[i/n]
		p := s.Page(i % n)
		d, err := dom.Parse(ctx, p.HTML, dom.Options{Charset: "utf-8"})
		if err != nil {
			return nil, err
		}
		return &tune.Example{Doc: d, Gold: visual.Gold(s, &p.Gold)}, nil
	})
	return &Set{name, pages}, err
}

// Names describes the pages of groups for Table.Corpus.
func Names[P any](groups []*Group[P]) string {
	return fmt.Sprintf("%d articles of %s", len(pagesOf(groups)), groupNames(groups))
}

// groupNames returns the names of the groups that have pages as a list.
func groupNames[P any](groups []*Group[P]) string {
	var names []string
	for _, g := range groups {
		if len(g.Pages) > 0 {
			names = append(names, g.Name)
		}
	}
	return strings.Join(names, ", ")
}

// pagesOf returns the pages of all groups.
func pagesOf[P any](groups []*Group[P]) (pages []P) {
	for _, g := range groups {
		pages = append(pages, g.Pages...)
	}
	return pages
}

// groupBy returns pages by name, in the order in which the names occur.
func groupBy[P any](pages []P, name func(P) string) (groups []*Group[P]) {
	for _, group := range corpus.GroupBy(pages, name) {
		groups = append(groups, &Group[P]{name(group[0]), group})
	}
	return groups
}

// largestFirst sorts groups by their number of pages, then by name.
func largestFirst[P any](groups []*Group[P]) []*Group[P] {
	slices.SortFunc(groups, func(a, b *Group[P]) int {
		return cmp.Or(cmp.Compare(len(b.Pages), len(a.Pages)), strings.Compare(a.Name, b.Name))
	})
	return groups
}

// only returns the sets with those pages for which is returns true.
func only(sets []*Set, is func(*tune.Example) bool) []*Set {
	var out []*Set
	for _, s := range sets {
		out = append(out, &Set{s.Name, filter(s.Pages, is)})
	}
	return out
}

// filter returns the elements for which is returns true.
func filter[P any](all []P, is func(P) bool) (some []P) {
	for _, p := range all {
		if is(p) {
			some = append(some, p)
		}
	}
	return some
}

// spread returns at most n pages at equal distances.
func spread[T any](pages []T, n int) []T {
	if n = max(n, 1); len(pages) <= n {
		return pages
	}
	out := make([]T, n)
	for i := range out {
		out[i] = pages[i*len(pages)/n]
	}
	return out
}

// perPage calls do for every page, and returns the results of each group. They are not
// complete if ctx is done, which ends the run after the experiment.
func perPage[P, T any](ctx context.Context, in *Input, step string, groups []*Group[P], do func(x P) T) [][]T {
	all := pagesOf(groups)
	flat := make([]T, len(all))
	_ = parallel.Do(ctx, len(all), 0, func(done int) { in.Progress(step, done, len(all)) }, func(i int) error {
		flat[i] = do(all[i])
		return nil
	})
	out := make([][]T, len(groups))
	for i, g := range groups {
		out[i], flat = flat[:len(g.Pages):len(g.Pages)], flat[len(g.Pages):]
	}
	return out
}

// sample returns some n pages of all sets, written as HTML, to measure times.
func (in *Input) sample(ctx context.Context, n int) (pages [][]byte, err error) {
	sets, err := in.Sets(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range sets {
		for _, x := range spread(s.Pages, in.limit(n)/len(sets)) {
			page, err := render(x.Doc)
			if err != nil {
				return nil, err
			}
			pages = append(pages, page)
		}
	}
	return pages, nil
}

// newMethod returns a method that is known to exist.
func newMethod(name string, set ...string) method.Method {
	m, err := lede.NewMethod(name, set...)
	if err != nil {
		panic(err)
	}
	return m
}

// retrieval is what a method retrieves from a page.
type retrieval struct {
	mask  []bool // the nodes of the text and of the headline
	own   string // the headline
	title string // the headline, or "" if it is part of the text
	text  string
}

// retrieve runs a method.
func retrieve(m method.Method, x *tune.Example, site *method.Site) *retrieval {
	s := x.Select(m, site)
	r := &retrieval{mask: s.Mask(x.Doc), own: s.TitleText(x.Doc), text: s.Text(x.Doc)}
	if s.Title != dom.None && !r.mask[s.Title] {
		r.title = r.own
		for n := s.Title; n < x.Doc.End(s.Title); n++ {
			r.mask[n] = true
		}
	}
	return r
}

// score compares the bags of words of headline and body, as NCE and StaDyNoT do.
func (r *retrieval) score(g *corpus.Gold) measure.PRF {
	return measure.Score(relevant(g), "", r.title+"\n"+r.text)
}

// relevant returns the headline and the body as one text: Rel(D) of NCE.
func relevant(g *corpus.Gold) *corpus.Gold {
	if g.TitleInText {
		return &corpus.Gold{Text: g.Text}
	}
	return &corpus.Gold{Text: g.Title + "\n" + g.Text}
}
