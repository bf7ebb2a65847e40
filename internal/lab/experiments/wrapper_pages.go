package experiments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/train/visual"
	"github.com/lede-news/lede/internal/methods/wrapper"
)

// largeScalePages is the number of pages of each made-up site in Table 5: nearly as
// many in all as the paper's 3,973.
const largeScalePages = 220

// wrapperTable5 is section 5.4: one wrapper on many pages that it was not trained on.
func wrapperTable5(ctx context.Context, in *Input, sites []*madeUpSite) ([]*Table, error) {
	tables, err := in.largeScale(ctx, sites)
	if err != nil || len(in.Corpora) == 0 {
		return tables, err
	}
	real, err := in.realPages(ctx)
	return append(tables, real...), err
}

// largeScale tests wrappers that learned from the training site on made-up pages.
func (in *Input) largeScale(ctx context.Context, sites []*madeUpSite) ([]*Table, error) {
	training := siteNamed(sites, trainingSite).labelled
	pages := in.pick(3, largeScalePages)
	var tables []*Table
	var wrappers []*wrapper.Wrapper
	for _, r := range readings {
		w, err := in.learn(ctx, training, r.options())
		if err != nil {
			return nil, err
		}
		wrappers = append(wrappers, w)
		tables = append(tables, &Table{
			Title: "Table 5: testing results of the large scale experiment, " + r.name, Columns: accuracyColumns, Notes: []string{subtreesNote},
			Corpus: fmt.Sprintf("%d pages of %s to learn from, %d others of each of %d made-up sites for testing, %s, in place of 3973 of 12 sites",
				len(training), trainingSite, pages, len(sites), in.layoutName()),
		})
	}
	all := make([][]visual.Accuracy, len(readings))
	for i, s := range newsroom.New(in.Seed).Sites() {
		testing, err := visual.FromNewsroom(ctx, s, len(training), pages, in.layout())
		if err != nil {
			return nil, err
		}
		for k, w := range wrappers {
			a, err := visual.MeasureSubtrees(ctx, w, testing)
			if err != nil {
				return nil, err
			}
			all[k] = append(all[k], a)
			tables[k].Rows = append(tables[k].Rows, NewRow(s.Name, a.Title, a.Body, a.Both))
		}
		in.Report("testing on many pages", i+1, len(sites))
	}
	for k := range tables {
		a := meanAccuracy(all[k])
		tables[k].Rows = append(tables[k].Rows, Row{"Overall", []Cell{Both(a.Title, 0.986), Both(a.Body, 0.994), Both(a.Both, 0.981)}})
	}
	return tables, nil
}

// visualSet is the articles of a corpus or site with their layouts.
type visualSet = Group[*visual.Example]

// realSets reads the articles of the corpora once.
func (in *Input) realSets(ctx context.Context) ([]*visualSet, error) {
	if in.real != nil {
		return in.real, nil
	}
	for _, dir := range in.Corpora {
		c, err := corpus.Open(dir, corpus.Options{})
		if err != nil {
			return nil, err
		}
		n := 0
		pages, err := visual.Load(ctx, c, func(g *corpus.Gold) bool {
			n++
			return isArticle(g) && !(in.Quick && n > 4*quickPages)
		}, in.layout(), in.Report)
		if err != nil {
			return nil, err
		}
		in.real = append(in.real, &visualSet{c.Name, pages})
	}
	return in.real, nil
}

const (
	shownNote = "Shown: titles among the pages that show the gold's title; the others give it to search engines only."
	reachNote = "In reach: pages whose title or body is among the candidates of the first screen; wrapper:paper can find no others. " +
		"The pages lack their style sheets, so that much stands further down than it did for readers."
	emptyNote = "Empty: no page of the site has its body in the first screen, so that wrapper:paper cannot learn from it."
)

// realPages tests the shipped models, or one of the user's, on the corpora.
func (in *Input) realPages(ctx context.Context) ([]*Table, error) {
	sets, err := in.realSets(ctx)
	if err != nil {
		return nil, err
	}
	paper, _ := wrapper.Preset("paper")
	configs := []wrapper.Config{paper, wrapper.Default()}
	names := []string{"wrapper:paper", "wrapper"}
	if in.Model != nil {
		own := wrapper.Default()
		own.Model = in.Model
		configs, names = []wrapper.Config{own}, []string{"the model given"}
	}
	var tables []*Table
	for k, c := range configs {
		w := wrapper.New(c)
		t := &Table{
			Title: "Table 5 on real pages, " + names[k], Corpus: "articles of corpora, " + in.layoutName(),
			Columns: []Column{{"pages", Count}, {"title", Percent}, {"title, where shown", Percent}, {"body", Percent}, {"news", Percent}, {"news, by text", Percent}},
			Notes:   []string{subtreesNote, byTextNote, shownNote},
		}
		if !c.Scroll {
			t.Columns = append(t.Columns, Column{"title in reach", Percent}, Column{"body in reach", Percent})
			t.Notes = append(t.Notes, reachNote)
		}
		for i, s := range sets {
			a, err := visual.MeasureSubtrees(ctx, w, s.Pages)
			if err != nil {
				return nil, err
			}
			text, err := visual.Measure(ctx, w, s.Pages)
			if err != nil {
				return nil, err
			}
			row := NewRow(s.Name, float64(a.Pages), a.Title, a.Shown, a.Body, a.Both, text.Both)
			if !c.Scroll {
				title, body, err := visual.Reach(ctx, s.Pages, c)
				if err != nil {
					return nil, err
				}
				row.Cells = append(row.Cells, Ours(title), Ours(body))
			}
			t.Rows = append(t.Rows, row)
			in.Report("testing on real pages, "+names[k], i+1, len(sets))
		}
		t.Rows = append(t.Rows, Row{"paper, 12 sites", []Cell{Both(None, 3973), Both(None, 0.986), {}, Both(None, 0.994), Both(None, 0.981)}})
		tables = append(tables, t)
	}
	return tables, nil
}

// suited are the twelve made-up sites that meet the assumptions of the paper: bodies
// in one subtree with formatting elements, and headlines in one of their own.
var suited = []string{
	"marston-gazette", "harrow-vale-herald", "northmoor-times", "tidewater-now", "sahifat-al-marfa", "lanxi-ribao",
	"vestnik-snezhnorechya", "hed-hagiva", "kirihama-shinpo", "le-fanal", "daily-whirl", "tallow-street-review",
}

// wrapperSteps repeats the last column of Table 2 with lede's reading changed into
// the paper's one step at a time.
func wrapperSteps(ctx context.Context, in *Input, sites []*madeUpSite) ([]*Table, error) {
	var few []*madeUpSite
	for _, name := range suited {
		few = append(few, siteNamed(sites, name))
	}
	eleven := slices.DeleteFunc(slices.Clone(few), func(s *madeUpSite) bool { return s.name == "marston-gazette" })
	features := visual.PaperOptions()
	features.Config = wrapper.Default()
	steps := []struct {
		name    string
		sites   []*madeUpSite
		options visual.Options
		measure measureFunc
	}{
		{"lede's reading, twelve sites, by text", few, ourReading.options(), visual.Measure},
		{"the paper's features", few, features, visual.Measure},
		{"the paper's rules: wrapper:paper", few, toTheLetter.options(), visual.Measure},
		{"the paper's measure: subtrees", few, toTheLetter.options(), visual.MeasureSubtrees},
		{"without marston-gazette", eleven, toTheLetter.options(), visual.MeasureSubtrees},
		{"all eighteen sites: Table 2", sites, toTheLetter.options(), visual.MeasureSubtrees},
		{"lede's reading instead", sites, ourReading.options(), visual.MeasureSubtrees},
	}
	t := &Table{
		Title:   "From lede's reading to the paper's, one change at a time",
		Corpus:  fmt.Sprintf("%d pages of one made-up site to learn from, %d others of each for testing, %s", len(sites[0].labelled), len(sites[0].testing), in.layoutName()),
		Columns: []Column{{"title", Percent}, {"body", Percent}, {"news", Percent}, {"news, least", Percent}},
		Notes: []string{
			"Means over the training sites. The twelve sites meet the paper's assumptions: bodies in one subtree with formatting elements, headlines in one of their own. " +
				"But marston-gazette sets its own name, which is no link, in larger type than its headlines: wrappers from other sites take the name for the headline, and one from this site misses the headlines of the others.",
			byTextNote,
		},
	}
	for i, step := range steps {
		var all []visual.Accuracy
		least := 1.0
		for _, s := range step.sites {
			out, err := in.trainAndTest(ctx, s.labelled, step.sites, step.options, step.measure)
			if errors.Is(err, visual.ErrNoLabels) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", step.name, s.name, err)
			}
			a := meanAccuracy(out)
			all, least = append(all, a), min(least, a.Both)
		}
		a := meanAccuracy(all)
		t.Rows = append(t.Rows, NewRow(step.name, a.Title, a.Body, a.Both, least))
		in.Report("changing the reading", i+1, len(steps))
	}
	return []*Table{t}, nil
}

// ErrNoSite means that a corpus has no such site, or too few pages of it.
var ErrNoSite = errors.New("not enough pages of this site to learn from")

// Pages of a site to learn from.
const minTraining, maxTraining = 10, 40

// realSite is the pages of a site.
type realSite struct {
	*visualSet
	labelled []*visual.Example // up to maxTraining with a title and a body
}

// realSites returns the sites of the corpora, the largest first.
func (in *Input) realSites(ctx context.Context) ([]*realSite, error) {
	sets, err := in.realSets(ctx)
	if err != nil {
		return nil, err
	}
	var sites []*realSite
	for _, s := range groupBy(pagesOf(sets), func(x *visual.Example) string { return x.Site }) {
		labelled := filter(s.Pages, func(x *visual.Example) bool { return x.Subtrees.Title != dom.None && x.Subtrees.Body != dom.None })
		sites = append(sites, &realSite{s, labelled[:min(maxTraining, len(labelled))]})
	}
	slices.SortStableFunc(sites, func(a, b *realSite) int { return cmp.Compare(len(b.Pages), len(a.Pages)) })
	return sites, nil
}

// wrapperSites learns from one real site and tests on all others: from each site in
// turn, or from in.TrainSite.
func wrapperSites(ctx context.Context, in *Input, sites []*realSite) ([]*Table, error) {
	var names []string
	var training []*realSite
	for _, s := range sites {
		if len(s.labelled) >= minTraining {
			training = append(training, s)
			names = append(names, fmt.Sprintf("%s (%d)", s.Name, len(s.labelled)))
		}
	}
	if len(training) == 0 {
		return nil, fmt.Errorf("%w: no site has %d pages with a known title and body; name corpora with many pages of a site", ErrNoSite, minTraining)
	}
	if in.TrainSite != "" {
		i := slices.IndexFunc(training, func(s *realSite) bool { return s.Name == in.TrainSite })
		if i < 0 {
			return nil, fmt.Errorf("%w: %s; sites with at least %d pages: %s", ErrNoSite, in.TrainSite, minTraining, strings.Join(names, ", "))
		}
		return in.oneSite(ctx, sites, training[i])
	}
	return in.eachSite(ctx, sites, training)
}

// eachSite learns from each site in turn.
func (in *Input) eachSite(ctx context.Context, sites, training []*realSite) ([]*Table, error) {
	t := &Table{
		Title:   "One site to the others on real pages",
		Columns: []Column{{"training pages", Count}, {"title", Percent}, {"body", Percent}, {"news", Percent}, {"lede's features: title", Percent}, {"body", Percent}, {"news", Percent}},
		Corpus:  in.realCorpus(sites),
		Notes:   []string{subtreesNote, emptyNote},
	}
	var news [2][]float64 // by the paper's reading and by lede's
	for i, s := range training {
		var testing []*visual.Example
		for _, other := range sites {
			if other != s {
				testing = append(testing, other.Pages...)
			}
		}
		wrappers, err := in.learnSite(ctx, s)
		if err != nil {
			return nil, err
		}
		cells, err := accuracyCells(ctx, wrappers, testing)
		if err != nil {
			return nil, err
		}
		for k := range news {
			if x := cells[3*k+2].Ours; x != nil {
				news[k] = append(news[k], *x)
			}
		}
		t.Rows = append(t.Rows, Row{s.Name, append([]Cell{Ours(float64(len(s.labelled)))}, cells...)})
		in.Report("from one site to the others", i+1, len(training))
	}
	for _, sum := range table2Summary {
		row := Row{sum.name, make([]Cell, len(t.Columns))}
		for k, x := range news {
			if len(x) > 0 {
				row.Cells[3*(k+1)] = Both(sum.of(x), sum.paper[2])
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return []*Table{t}, nil
}

func (in *Input) realCorpus(sites []*realSite) string {
	return fmt.Sprintf("%d pages of %d sites of %s, %s", len(pagesOf(in.real)), len(sites), groupNames(in.real), in.layoutName())
}

// learnSite returns wrappers that learned from a site, one for each reading. Those
// that have nothing to learn are nil: no body is in the first screen.
func (in *Input) learnSite(ctx context.Context, s *realSite) ([]*wrapper.Wrapper, error) {
	var wrappers []*wrapper.Wrapper
	for _, r := range readings {
		w, err := in.learn(ctx, s.labelled, r.options())
		if err != nil && !errors.Is(err, visual.ErrNoLabels) {
			return nil, err
		}
		wrappers = append(wrappers, w)
	}
	return wrappers, nil
}

// accuracyCells returns the accuracy of wrappers as cells, empty for those that are
// nil.
func accuracyCells(ctx context.Context, wrappers []*wrapper.Wrapper, pages []*visual.Example) ([]Cell, error) {
	var cells []Cell
	for _, w := range wrappers {
		if w == nil {
			cells = append(cells, make([]Cell, len(accuracyColumns))...)
			continue
		}
		a, err := visual.MeasureSubtrees(ctx, w, pages)
		if err != nil {
			return nil, err
		}
		cells = append(cells, Ours(a.Title), Ours(a.Body), Ours(a.Both))
	}
	return cells, nil
}

// oneSite learns from one site and shows the accuracy on each of the others.
func (in *Input) oneSite(ctx context.Context, sites []*realSite, from *realSite) ([]*Table, error) {
	const rowPages = 5 // of a site with a row of its own
	rest, all := &visualSet{Name: "other sites"}, &visualSet{Name: "all"}
	var tested []*visualSet
	for _, s := range sites {
		switch {
		case s == from:
		case len(s.Pages) < rowPages:
			rest.Pages = append(rest.Pages, s.Pages...)
		default:
			tested = append(tested, s.visualSet)
		}
	}
	if len(rest.Pages) > 0 {
		tested = append(tested, rest)
	}
	all.Pages = pagesOf(tested)
	tested = append(tested, all)
	t := &Table{
		Title:   fmt.Sprintf("From %s to the other sites on real pages", from.Name),
		Columns: []Column{{"pages", Count}, {"title in reach", Percent}, {"body in reach", Percent}, {"title", Percent}, {"body", Percent}, {"news", Percent}, {"lede's features: title", Percent}, {"body", Percent}, {"news", Percent}},
		Corpus:  fmt.Sprintf("%d pages of %s to learn from; %s", len(from.labelled), from.Name, in.realCorpus(sites)),
		Notes:   []string{subtreesNote, reachNote},
	}
	wrappers, err := in.learnSite(ctx, from)
	if err != nil {
		return nil, err
	}
	if wrappers[0] == nil {
		t.Notes = append(t.Notes, emptyNote)
	}
	preset, _ := wrapper.Preset("paper")
	for i, s := range tested {
		title, body, err := visual.Reach(ctx, s.Pages, preset)
		if err != nil {
			return nil, err
		}
		cells, err := accuracyCells(ctx, wrappers, s.Pages)
		if err != nil {
			return nil, err
		}
		row := NewRow(s.Name, float64(len(s.Pages)), title, body)
		row.Cells = append(row.Cells, cells...)
		t.Rows = append(t.Rows, row)
		in.Report("testing on other sites", i+1, len(tested))
	}
	return []*Table{t}, nil
}
