package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/crawl/neighbours"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/tune"
	"github.com/lede-news/lede/internal/methods/stadynot"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
)

func stadynotPaper() Paper {
	return Paper{
		Method: "stadynot", Name: "StaDyNoT",
		Title: "Barua, Patel and Agrawal, Removing Noise Content from Online News Articles, COMAD 2014",
		Experiments: []Experiment{
			{ID: "1", About: "Table 1: examples of static noise", Run: stadynotTable1},
			{ID: "2", About: "Table 2 and Figure 5: precision, recall and F1 beside other methods", Run: runOn((*Input).newsSites, stadynotTable2)},
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
	*Set
	categories []string // of the pages
}

// newsSites returns the sites with as many pages as those of a category in the
// paper.
func (in *Input) newsSites(ctx context.Context) ([]newsSite, error) {
	sets, err := in.Sets(ctx)
	if err != nil {
		return nil, err
	}
	least := in.limit(paperNeighbours + 1) // the page and its neighbours
	var sites []newsSite
	for _, set := range sets {
		for _, s := range groupBy(set.Pages, func(x *tune.Example) string { return x.Gold.SiteName() }) {
			if len(s.Pages) < least {
				continue
			}
			site := newsSite{Set: s}
			for _, x := range s.Pages {
				site.categories = append(site.categories, neighbours.Category(x.Gold.URL))
			}
			sites = append(sites, site)
		}
	}
	if len(sites) == 0 {
		return nil, fmt.Errorf("no site with %d articles or more; use corpora with many pages of a site, such as daniel and cleanportaleval", least)
	}
	return sites, nil
}

// corpusOf describes the pages of sites.
func corpusOf(in *Input, sites []newsSite) string {
	pages := 0
	for _, s := range sites {
		pages += len(s.Pages)
	}
	return fmt.Sprintf("%d articles of the %d sites that have at least %d, of the %s", pages, len(sites), in.limit(paperNeighbours+1), Names(in.sets))
}

// neighbourly is a page with what its neighbours show.
type neighbourly struct {
	*tune.Example
	known *method.Site
}

// withNeighbours returns the pages of every site with what k others show.
func withNeighbours(ctx context.Context, in *Input, m *stadynot.StaDyNoT, sites []newsSite, k int) ([][]neighbourly, error) {
	type place struct{ site, page int }
	places := make([]*Group[place], len(sites))
	for i, s := range sites {
		places[i] = &Group[place]{Name: s.Name}
		for p := range s.Pages {
			places[i].Pages = append(places[i].Pages, place{i, p})
		}
	}
	return perPage(ctx, in, "reading neighbours", places, func(at place) (neighbourly, error) {
		s := sites[at.site]
		x := neighbourly{Example: s.Pages[at.page]}
		if k > 0 {
			support := stadynot.NewSupport()
			for _, o := range neighbours.Nearest(s.categories, at.page, k) {
				support.Add(s.Pages[o].Doc)
			}
			x.known = m.Site(support, x.Doc)
		}
		return x, nil
	})
}

// scoreSites returns the mean figures of each site.
func scoreSites(ctx context.Context, m method.Method, sites [][]neighbourly) ([]measure.PRF, error) {
	return parallel.Map(ctx, len(sites), 0, nil, func(i int) (measure.PRF, error) {
		scores := make([]measure.PRF, len(sites[i]))
		for k, x := range sites[i] {
			r, err := retrieve(ctx, m, x.Example, x.known)
			if err != nil {
				return measure.PRF{}, err
			}
			scores[k] = r.score(x.Gold)
		}
		return measure.Mean(scores), nil
	})
}

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

func stadynotTable2(ctx context.Context, in *Input, sites []newsSite) ([]*Table, error) {
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
	scores := map[string][]measure.PRF{}
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
		if scores[name], err = scoreSites(ctx, m, pages); err != nil {
			return nil, err
		}
		beside := unpublished
		if i == 0 {
			beside = stadynotOverall
		}
		overall.Rows = append(overall.Rows, Row{name, beside.cells(measure.Mean(scores[name]))})
		in.Report("Table 2", i+1, 7)
	}
	for _, r := range stadynotRivals {
		overall.Rows = append(overall.Rows, Row{r.name, r.cells(noFigures)})
	}
	for i, s := range sites {
		cells := append([]Cell{Ours(float64(len(s.Pages)))}, unpublished.cells(scores["stadynot:paper"][i])...)
		bySite.Rows = append(bySite.Rows, Row{s.Name, append(cells, Ours(scores["stadynot"][i].F1), Ours(scores["blend"][i].F1))})
	}
	for _, r := range stadynotBySite {
		bySite.Rows = append(bySite.Rows, Row{r.name, append([]Cell{{}}, r.cells(noFigures)...)})
	}
	return []*Table{overall, bySite}, nil
}

// stadynotTable1 lists the static noise of a synthetic page, since the text of others
// is not ours to print.
func stadynotTable1(ctx context.Context, in *Input) ([]*Table, error) {
	const siteName, pages, most, width = "northmoor-times", 80, 12, 70
	s, ok := newsroom.New(in.Seed).Site(siteName)
	if !ok {
		return nil, fmt.Errorf("no synthetic site %s", siteName)
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
		Title: "Table 1: static noise", Corpus: fmt.Sprintf("a synthetic article of %s, category %s, with %d neighbours", s.Title, category, support.Pages()),
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
