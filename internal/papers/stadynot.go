package papers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval/measure"
	"github.com/lede-news/lede/internal/learn"
	"github.com/lede-news/lede/internal/neighbours"
	"github.com/lede-news/lede/internal/newsroom"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/internal/stadynot"
	"github.com/lede-news/lede/method"
)

func stadynotPaper() Paper {
	return Paper{
		Method: "stadynot", Name: "StaDyNoT",
		Title: "Barua, Patel and Agrawal, Removing Noise Content from Online News Articles, COMAD 2014",
		Experiments: []Experiment{
			{ID: "1", About: "Table 1: examples of static noise", Run: stadynotTable1},
			{ID: "2", About: "Table 2 and Figure 5: precision, recall and F1 beside other methods", Run: stadynotTable2},
			{ID: "stages", About: "what each stage removes", Run: stadynotStages},
			{ID: "neighbours", About: "F1 against the number of neighbours", Run: stadynotNeighbours},
			{ID: "alpha", About: "α, the characters outside links of dynamic noise", Run: stadynotAlpha},
			{ID: "beta", About: "β, the share of links of dynamic noise", Run: stadynotBeta},
			{ID: "additions", About: "what stadynot adds to the paper", Run: stadynotAdditions},
		},
	}
}

// paperNeighbours is the number of neighbours in the paper (section 4).
const paperNeighbours = 9

const stadynotNote = "As in the paper, figures compare bags of words: those of headline and body with those of the page that is left. " +
	"The paper's gold also has the author and the time, which are noise here. "

// stadynotConfig returns the settings of stadynot:paper.
func stadynotConfig() stadynot.Config {
	c, _ := stadynot.Preset("paper")
	return c
}

// newsSite is a site with many pages.
type newsSite struct {
	name       string
	pages      []*learn.Example
	categories []string // of the pages
}

// newsSites returns the sites with as many pages as those of a category in the
// paper.
func newsSites(ctx context.Context, in *Input) ([]*newsSite, error) {
	sets, err := in.Sets(ctx)
	if err != nil {
		return nil, err
	}
	least := minSitePages(in)
	byName := map[string]*newsSite{}
	var all []*newsSite
	for _, set := range sets {
		for _, x := range set.Pages {
			key := set.Name + "/" + x.Gold.SiteName()
			if byName[key] == nil {
				byName[key] = &newsSite{name: x.Gold.SiteName()}
				all = append(all, byName[key])
			}
			s := byName[key]
			s.pages = append(s.pages, x)
			s.categories = append(s.categories, neighbours.Category(x.Gold.URL))
		}
	}
	all = slices.DeleteFunc(all, func(s *newsSite) bool { return len(s.pages) < least })
	if len(all) == 0 {
		return nil, fmt.Errorf("no site with %d articles or more; use corpora with many pages of a site, such as daniel and cleanportaleval", least)
	}
	return all, nil
}

// minSitePages is the least number of articles of a site, the page with the paper's
// neighbours.
func minSitePages(in *Input) int {
	if in.Quick {
		return 2
	}
	return paperNeighbours + 1
}

// corpusOf describes the pages of sites.
func corpusOf(in *Input, sites []*newsSite) string {
	pages := 0
	for _, s := range sites {
		pages += len(s.pages)
	}
	if len(in.Corpora) == 0 {
		return fmt.Sprintf("%d articles of %d made-up sites", pages, len(sites))
	}
	return fmt.Sprintf("%d articles of the %d sites that have at least %d, of the %s", pages, len(sites), minSitePages(in), Names(in.sets))
}

// neighbourly is a page with what its neighbours show.
type neighbourly struct {
	*learn.Example
	known *method.Site
}

// withNeighbours returns the pages of every site with what k others show. k < 0
// stands for all others.
func withNeighbours(ctx context.Context, in *Input, m *stadynot.StaDyNoT, sites []*newsSite, k int) ([][]neighbourly, error) {
	type place struct{ site, page int }
	var places []place
	out := make([][]neighbourly, len(sites))
	for i, s := range sites {
		out[i] = make([]neighbourly, len(s.pages))
		for p := range s.pages {
			places = append(places, place{i, p})
		}
	}
	all := make([]*stadynot.Support, len(sites))
	if k < 0 {
		parallel.For(len(sites), 0, func(i int) {
			all[i] = stadynot.NewSupport()
			for _, x := range sites[i].pages {
				all[i].Add(x.Doc)
			}
		})
	}
	report := func(done int) { in.Report("reading neighbours", done, len(places)) }
	err := parallel.Do(ctx, len(places), 0, report, func(i int) error {
		at := places[i]
		s := sites[at.site]
		x := neighbourly{Example: s.pages[at.page]}
		support := all[at.site]
		if support == nil {
			support = stadynot.NewSupport()
			for _, o := range neighbours.Nearest(s.categories, at.page, k) {
				support.Add(s.pages[o].Doc)
			}
		}
		if k != 0 {
			x.known = m.Site(support, x.Doc)
		}
		out[at.site][at.page] = x
		return nil
	})
	return out, err
}

// scoreSites returns the mean figures of each site.
func scoreSites(ctx context.Context, m method.Method, sites [][]neighbourly) ([]measure.PRF, error) {
	return parallel.Map(ctx, len(sites), 0, nil, func(i int) (measure.PRF, error) {
		scores := make([]measure.PRF, len(sites[i]))
		for k, x := range sites[i] {
			s, err := m.Select(ctx, &method.Page{Doc: x.Doc, URL: x.Gold.URL, Site: x.known, NoReasons: true})
			if errors.Is(err, method.ErrNoContent) {
				continue
			}
			if err != nil {
				return measure.PRF{}, err
			}
			text := s.Text(x.Doc)
			if s.Title != dom.None && !s.Mask(x.Doc)[s.Title] {
				text = s.TitleText(x.Doc) + "\n" + text
			}
			scores[k] = measure.Score(relevant(x.Gold), "", text)
		}
		return measure.Mean(scores), nil
	})
}

// publishedPRF is a published row of precision, recall and F1.
type publishedPRF struct {
	name     string
	p, r, f1 float64
}

func (x publishedPRF) cells(ours measure.PRF) []Cell {
	return []Cell{Both(ours.P, x.p), Both(ours.R, x.r), Both(ours.F1, x.f1)}
}

// noFigures leaves out our part of three cells, or the published one.
var (
	noFigures   = measure.PRF{P: None, R: None, F1: None}
	unpublished = publishedPRF{p: None, r: None, f1: None}
)

// Published figures of Table 2.
var (
	stadynotOverall = publishedPRF{"StaDyNoT", 0.8792, 0.9670, 0.9129}
	stadynotRivals  = []publishedPRF{
		{"NReadability", 0.8847, 0.9053, 0.8916}, {"Boilerpipe (ArticleExtractor)", 0.8570, 0.8989, 0.8692}, {"jusText", 0.8292, 0.8068, 0.7859},
	}
	stadynotBySite = []publishedPRF{
		{"Anchorage Daily", 0.9103, 0.9880, 0.9468}, {"Boston Herald", 0.9009, 0.9778, 0.9370}, {"BusinessWeek", 0.9270, 0.9585, 0.9421},
		{"DNA India", 0.9664, 0.9963, 0.9809}, {"Chicago Tribune", 0.9082, 0.9645, 0.9322}, {"CNN", 0.7293, 0.9640, 0.8182},
		{"Daily Mirror (UK)", 0.8624, 0.9919, 0.9126}, {"NDTV", 0.8834, 0.9103, 0.8956}, {"Boston Globe", 0.9070, 0.9405, 0.9092},
		{"Deccan Chronicle", 0.7699, 0.9857, 0.8371}, {"Denver Post", 0.9060, 0.9597, 0.9308},
	}
)

var prfColumns = []Column{{"P", Percent}, {"R", Percent}, {"F1", Percent}}

func stadynotTable2(ctx context.Context, in *Input) ([]*Table, error) {
	sites, err := newsSites(ctx, in)
	if err != nil {
		return nil, err
	}
	overall := &Table{
		Title: "Table 2 and Figure 5: overall result", Corpus: corpusOf(in, sites), Columns: prfColumns,
		Notes: []string{
			fmt.Sprintf("StaDyNoT has %d neighbours, the other methods see one page at a time. ", paperNeighbours) + stadynotNote +
				"Figures are means over sites. The rivals of the paper are printed as published; they were not run.",
			"The paper has 440 pages, of four categories each of eleven sites in English. daniel has no addresses, and so no categories: any other pages of the site are neighbours there.",
			"The settings of stadynot were chosen on daniel and cleanportaleval, and blend and nce were trained on daniel, so that their figures are not held out there.",
		},
	}
	bySite := &Table{
		Title: "Table 2: by site", Corpus: corpusOf(in, sites),
		Columns: slices.Concat([]Column{{"pages", Count}}, prfColumns, []Column{{"F1 of stadynot", Percent}, {"F1 of blend", Percent}}),
		Notes:   []string{"P, R and F1 are those of stadynot:paper. The sites of the paper follow, 40 pages each."},
	}
	figures := map[string][]measure.PRF{}
	for i, name := range []string{"stadynot:paper", "stadynot", "blend", "nce", "coreex", "twcem", "wrapper"} {
		m, err := lede.NewMethod(name)
		if err != nil {
			return nil, err
		}
		k := 0
		reader, ok := m.(*stadynot.StaDyNoT)
		if ok {
			k = paperNeighbours
		}
		pages, err := withNeighbours(ctx, in, reader, sites, k)
		if err != nil {
			return nil, err
		}
		if figures[name], err = scoreSites(ctx, m, pages); err != nil {
			return nil, err
		}
		beside := unpublished
		if i == 0 {
			beside = stadynotOverall
		}
		overall.Rows = append(overall.Rows, Row{name, beside.cells(measure.Mean(figures[name]))})
		in.Report("Table 2", i+1, 7)
	}
	for _, r := range stadynotRivals {
		overall.Rows = append(overall.Rows, Row{r.name, r.cells(noFigures)})
	}
	for i, s := range sites {
		cells := append([]Cell{Ours(float64(len(s.pages)))}, unpublished.cells(figures["stadynot:paper"][i])...)
		bySite.Rows = append(bySite.Rows, Row{s.name, append(cells, Ours(figures["stadynot"][i].F1), Ours(figures["blend"][i].F1))})
	}
	for _, r := range stadynotBySite {
		bySite.Rows = append(bySite.Rows, Row{r.name, append([]Cell{{}}, r.cells(noFigures)...)})
	}
	return []*Table{overall, bySite}, nil
}

// noDynamic returns settings for which no node is dynamic noise.
func noDynamic(c stadynot.Config) stadynot.Config {
	c.Alpha, c.Beta, c.List = 0, 1, 0
	return c
}

func stadynotStages(ctx context.Context, in *Input) ([]*Table, error) {
	sites, err := newsSites(ctx, in)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title: "What each stage of stadynot:paper removes", Corpus: corpusOf(in, sites), Columns: prfColumns,
		Notes: []string{fmt.Sprintf("Not in the paper. Stage 1 removes what %d neighbours share, stage 2 clusters of links; forms, scripts and the like are always removed.", paperNeighbours)},
	}
	for _, stage := range []struct {
		name   string
		config stadynot.Config
		k      int
	}{
		{"neither", noDynamic(stadynotConfig()), 0}, {"stage 1, static noise", noDynamic(stadynotConfig()), paperNeighbours},
		{"stage 2, dynamic noise", stadynotConfig(), 0}, {"both", stadynotConfig(), paperNeighbours},
	} {
		if err := t.addRow(ctx, in, stage.name, stage.config, sites, stage.k); err != nil {
			return nil, err
		}
	}
	return []*Table{t}, nil
}

// addRow adds a row with the figures of StaDyNoT.
func (t *Table) addRow(ctx context.Context, in *Input, name string, c stadynot.Config, sites []*newsSite, k int) error {
	m := stadynot.New(c)
	pages, err := withNeighbours(ctx, in, m, sites, k)
	if err != nil {
		return err
	}
	figures, err := scoreSites(ctx, m, pages)
	t.Rows = append(t.Rows, Row{name, unpublished.cells(measure.Mean(figures))})
	return err
}

func stadynotNeighbours(ctx context.Context, in *Input) ([]*Table, error) {
	sites, err := newsSites(ctx, in)
	if err != nil {
		return nil, err
	}
	var tables []*Table
	for _, c := range []stadynot.Config{stadynotConfig(), stadynot.Default()} {
		t := &Table{
			Title: "F1 against the number of neighbours: " + stadynot.New(c).Name(), Corpus: corpusOf(in, sites), Columns: prfColumns,
			Notes: []string{"Not in the paper, which says that static noise is on all neighbours and uses 9. The more neighbours, the less is on all of them: one page with another design is enough."},
		}
		if c.Preset == "" {
			t.Notes = []string{fmt.Sprintf("For stadynot, static noise is on %d neighbours, or on half of them if there are fewer.", c.Pages)}
		}
		for _, k := range []int{0, 1, 2, 3, 5, paperNeighbours, 19, -1} {
			name := fmt.Sprint(k)
			if k < 0 {
				name = "all others"
			}
			if err := t.addRow(ctx, in, name, c, sites, k); err != nil {
				return nil, err
			}
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// sweep returns a table with a row for each value of a parameter of stadynot:paper.
func sweep(ctx context.Context, in *Input, title string, names []string, change func(c *stadynot.Config, i int)) ([]*Table, error) {
	sites, err := newsSites(ctx, in)
	if err != nil {
		return nil, err
	}
	t := &Table{Title: title, Corpus: corpusOf(in, sites), Columns: prfColumns}
	pages, err := withNeighbours(ctx, in, stadynot.New(stadynotConfig()), sites, paperNeighbours)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		c := stadynotConfig()
		change(&c, i)
		figures, err := scoreSites(ctx, stadynot.New(c), pages)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, Row{name, unpublished.cells(measure.Mean(figures))})
		in.Report(title, i+1, len(names))
	}
	return []*Table{t}, nil
}

func stadynotAlpha(ctx context.Context, in *Input) ([]*Table, error) {
	values := []int{0, 10, 25, 50, 100, 200, 400, 800}
	var names []string
	for _, v := range values {
		names = append(names, fmt.Sprintf("α = %d", v))
	}
	tables, err := sweep(ctx, in, "α of stadynot:paper, with β = 20 %", names, func(c *stadynot.Config, i int) { c.Alpha = values[i] })
	if err == nil {
		tables[0].Notes = []string{"The paper determined α = 50 and β = 20 empirically and has no figures. A candidate with fewer than α characters outside links is dynamic noise."}
	}
	return tables, err
}

func stadynotBeta(ctx context.Context, in *Input) ([]*Table, error) {
	values := []float64{0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1}
	var names []string
	for _, v := range values {
		names = append(names, fmt.Sprintf("β = %.0f %%", 100*v))
	}
	tables, err := sweep(ctx, in, "β of stadynot:paper, with α = 50", names, func(c *stadynot.Config, i int) { c.Beta = values[i] })
	if err == nil {
		tables[0].Notes = []string{"A candidate with more than β of its characters in links is dynamic noise. The paper's β = 20 has no unit; as a percentage it makes sense."}
	}
	return tables, err
}

func stadynotAdditions(ctx context.Context, in *Input) ([]*Table, error) {
	sites, err := newsSites(ctx, in)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title: "What stadynot adds to the paper", Corpus: corpusOf(in, sites), Columns: prfColumns,
		Notes: []string{fmt.Sprintf("Not in the paper. stadynot without each of its additions, with %d neighbours. They were chosen on these sites, so the figures are not held out. --set changes them by the names in parentheses.", paperNeighbours)},
	}
	paper := stadynotConfig()
	for _, row := range []struct {
		name   string
		change func(c *stadynot.Config)
	}{
		{"stadynot", func(*stadynot.Config) {}},
		{"without noise that two neighbours share (pages)", func(c *stadynot.Config) { c.Pages = paper.Pages }},
		{"without the exclusion of copies (no-copies)", func(c *stadynot.Config) { c.NoCopies = paper.NoCopies }},
		{"without repeated names in sentences (row)", func(c *stadynot.Config) { c.Row = paper.Row }},
		{"without more elements that are noise (boilerplate)", func(c *stadynot.Config) { c.Boilerplate = paper.Boilerplate }},
		{"without the protection of most of the text (main-share)", func(c *stadynot.Config) { c.MainShare = paper.MainShare }},
		{"without lists of teasers (list)", func(c *stadynot.Config) { c.List = paper.List }},
		{"without headings of noise (around)", func(c *stadynot.Config) { c.Around = paper.Around }},
		{"without words between noise (between)", func(c *stadynot.Config) { c.Between = paper.Between }},
		{"stadynot:paper", func(c *stadynot.Config) { *c = paper }},
	} {
		c := stadynot.Default()
		row.change(&c)
		if err := t.addRow(ctx, in, row.name, c, sites, paperNeighbours); err != nil {
			return nil, err
		}
	}
	return []*Table{t}, nil
}

// stadynotTable1 lists the static noise of a made-up page, since the text of others
// is not ours to print.
func stadynotTable1(ctx context.Context, in *Input) ([]*Table, error) {
	const siteName, pages, most, width = "northmoor-times", 80, 12, 70
	s, ok := newsroom.New(in.Seed).Site(siteName)
	if !ok {
		return nil, fmt.Errorf("no made-up site %s", siteName)
	}
	var first *dom.Document
	category := ""
	support := stadynot.NewSupport()
	for i := 0; i < pages && support.Pages() < 10; i++ {
		p := s.Page(i)
		d, err := dom.Parse(ctx, p.HTML, dom.Options{})
		if err != nil {
			return nil, err
		}
		switch c := neighbours.Category(p.Gold.URL); {
		case first == nil:
			first, category = d, c
		case c == category:
			support.Add(d)
		}
	}
	static := stadynot.New(stadynotConfig()).Site(support, first).Static
	t := &Table{
		Title: "Table 1: static noise", Corpus: fmt.Sprintf("a made-up article of %s, category %s, with %d neighbours", s.Title, category, support.Pages()),
		Columns: []Column{{"characters", Count}},
		Notes:   []string{"The longest first. The paper shows that of CNN, category sport, such as \"Terms of service\", \"Set edition preference\" and \"All Rights Reserved\"."},
	}
	for n := range static {
		id := dom.Node(n)
		if !static[n] || first.Chars(id) == 0 || static[first.Parent(id)] {
			continue
		}
		text := []rune(strings.Join(strings.Fields(first.Text(id)), " "))
		if len(text) > width {
			text = append(text[:width-1], '…')
		}
		t.Rows = append(t.Rows, NewRow(string(text), float64(first.Chars(id))))
	}
	slices.SortStableFunc(t.Rows, func(a, b Row) int { return int(*b.Cells[0].Ours - *a.Cells[0].Ours) })
	t.Rows = t.Rows[:min(most, len(t.Rows))]
	return []*Table{t}, nil
}
