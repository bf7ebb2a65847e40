package experiments

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/tune"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
)

func twcemPaper() Paper {
	return Paper{
		Method: "twcem", Name: "TWCEM",
		Title: "Tan, He, Fang, Ge and Xiao, Title-Based Extraction of News Contents for Text Mining, IEEE Access 2018",
		Experiments: []Experiment{
			{ID: "4", About: "Table 4: F1 by data set and site, beside other methods", Run: twcemTable("4: F1", func(m measure.PRF) float64 { return m.F1 }, 0)},
			{ID: "5", About: "Table 5: precision by data set and site", Run: twcemTable("5: precision", func(m measure.PRF) float64 { return m.P }, 1)},
			{ID: "6", About: "Table 6: recall by data set and site", Run: twcemTable("6: recall", func(m measure.PRF) float64 { return m.R }, 2)},
			{ID: "7", About: "Table 7: time for each page", Run: runOn((*Input).dataSets, twcemTable7)},
			{ID: "figure3", About: "Figure 3: F1 by δ1, δ2 and δ3", Run: runOn((*Input).dataSets, twcemFigure3)},
			{ID: "readings", About: "the readings of Algorithm 4, of punctuation and of K", Run: runOn((*Input).dataSets, twcemReadings)},
		},
	}
}

// twcemSite is a row of Tables 4 to 7.
type twcemSite struct {
	set, name string
	key       string        // part of the names of our sites that are of it
	percent   [3][4]float64 // F1, precision and recall of TWCEM, CETD, CETR and CEPR
	seconds   [3]float64    // of TWCEM, CETR and CEPR
}

var twcemSites = []twcemSite{
	{"CleanEval, English", "CleanEval-En", "", [3][4]float64{{86.64, 75.15, 88.3, 79.6}, {96.13, 85.23, 89.42, 95.96}, {78.85, 67.21, 87.2, 68}}, [3]float64{0.35, 0.99, 1.02}},
	{"CleanEval, Chinese", "CleanEval-Zh", "", [3][4]float64{{83.42, 74.06, 83.35, 78.45}, {87.25, 79.21, 79.6, 85.23}, {79.91, 69.53, 87.48, 72.67}}, [3]float64{0.39, 0.93, 0.95}},
	{"news, not Chinese", "NYPost", "nypost", [3][4]float64{{87.73, 73.29, 58.19, 82.73}, {98.89, 74.26, 42.68, 98.28}, {78.84, 72.34, 91.4, 71.43}}, [3]float64{0.33, 0.92, 0.94}},
	{"news, not Chinese", "Suntimes", "suntimes", [3][4]float64{{89.49, 76.75, 82.2, 87.06}, {98.26, 77.85, 70.82, 98.1}, {82.15, 75.69, 97.95, 78.25}}, [3]float64{0.41, 1.17, 1.18}},
	{"news, not Chinese", "NYTimes", "nytimes", [3][4]float64{{95.63, 84.76, 91.14, 87.72}, {99.15, 89.65, 88.98, 99.73}, {92.35, 80.37, 93.4, 78.29}}, [3]float64{0.42, 1.23, 1.25}},
	{"news, not Chinese", "BBC", "bbc", [3][4]float64{{88.41, 75.36, 72.77, 82.2}, {98.85, 74.21, 60.11, 97.83}, {79.96, 76.54, 92.17, 70.88}}, [3]float64{0.44, 1.28, 1.33}},
	{"news, not Chinese", "Reuters", "reuters", [3][4]float64{{89.69, 83.04, 71.73, 86.3}, {98.19, 88.51, 58.48, 98.13}, {82.54, 78.21, 92.75, 77.01}}, [3]float64{0.33, 1.01, 1.03}},
	{"news, not Chinese", "Yahoo!", "yahoo", [3][4]float64{{96.09, 85.37, 83.79, 87.33}, {98.65, 84.42, 72.67, 97.83}, {93.66, 86.34, 98.94, 78.86}}, [3]float64{0.32, 0.98, 0.97}},
	{"news, Chinese", "Sina News", "sina", [3][4]float64{{97.59, 86.99, 86.22, 91.59}, {98.54, 86.21, 77.04, 98.57}, {96.66, 87.79, 97.89, 85.54}}, [3]float64{0.4, 1.21, 1.25}},
	{"news, Chinese", "China daily", "people.com.cn", [3][4]float64{{91.7, 80.43, 38.28, 87.76}, {98.85, 79.54, 24.4, 95.11}, {85.52, 81.33, 88.76, 81.46}}, [3]float64{0.29, 0.95, 0.99}},
	{"news, Chinese", "Xinhuanet", "xinhua", [3][4]float64{{92.54, 77.65, 83.32, 83.05}, {97.54, 75.21, 72.1, 94.72}, {88.02, 80.25, 98.68, 73.94}}, [3]float64{0.36, 0.99, 1.05}},
	{"microblogs", "Tencent Weibo", "", [3][4]float64{{82.72, 44.34, 79.36, 18.49}, {96.23, 54.42, 66.37, 94.25}, {72.54, 37.41, 98.66, 10.25}}, [3]float64{0.25, 0.68, 0.71}},
	{"microblogs", "Sina Weibo", "", [3][4]float64{{83.06, 41.14, 57.98, 19.68}, {92.25, 38.21, 41.81, 86.84}, {75.54, 44.56, 94.56, 11.1}}, [3]float64{0.22, 0.77, 0.78}},
	{"microblogs", "Sohu Weibo", "", [3][4]float64{{94.67, 60.77, 87.16, 92.65}, {97.19, 77.64, 81, 96}, {92.27, 49.92, 94.33, 89.53}}, [3]float64{0.19, 0.67, 0.68}},
}

// published returns the mean of a figure over the rows of a data set or, if site is not
// empty, the figure of that row. It is None if there are no such rows.
func published(set, site string, figure func(twcemSite) float64) float64 {
	return meanOf(filter(twcemSites, func(s twcemSite) bool { return s.set == set && (site == "" || s.name == site) }), figure)
}

// dataSet is a data set of the paper and the pages that take its place.
type dataSet struct {
	name   string
	from   []string // the corpora or synthetic sites of the pages
	set    []string // settings of twcem:paper for it (Section IV.A.3)
	own    string   // the variant of twcem for it
	pages  []*tune.Example
	scores [][]measure.PRF // of the pages, by twcemMethods
}

// dataSets returns the data sets that have pages. The microblogs are synthetic.
func (in *Input) dataSets(ctx context.Context) ([]*dataSet, error) {
	if in.twcem != nil {
		return in.twcem, nil
	}
	sets, err := in.Sets(ctx)
	if err != nil {
		return nil, err
	}
	blogs, err := in.synthetic(ctx, "synthetic microblogs", newsroom.Microblogs(in.Seed))
	if err != nil {
		return nil, err
	}
	all := []*dataSet{
		{name: "CleanEval, English", own: "twcem"}, {name: "news, not Chinese", own: "twcem"}, {name: "news, Chinese", own: "twcem"},
		{name: "microblogs", own: "twcem:microblog", set: []string{"d1=2", "d3=1"}},
	}
	for _, s := range append(slices.Clone(sets), blogs) {
		for _, x := range s.Pages {
			d := all[1]
			switch {
			case s == blogs:
				d = all[3]
			case s.Name == "cleaneval":
				d = all[0]
			case strings.HasPrefix(x.Gold.Lang, "zh"):
				d = all[2]
			}
			x.LinkText = x.Gold.Title // as the text of the link on the home page
			d.pages = append(d.pages, x)
			if !slices.Contains(d.from, s.Name) {
				d.from = append(d.from, s.Name)
			}
		}
	}
	in.twcem = filter(all, func(d *dataSet) bool { return len(d.pages) > 0 })
	return in.twcem, nil
}

// site returns the name of the site of a page, that of the paper if it has the site.
func (d *dataSet) site(x *tune.Example) string {
	for _, s := range twcemSites {
		if s.set == d.name && s.key != "" && strings.Contains(strings.ToLower(x.Gold.Site), s.key) {
			return s.name
		}
	}
	return x.Gold.Site
}

// twcemMethods are twcem:paper, CETD, twcem, and the methods here that, like those in the
// paper, need no training and no other pages of the site.
var twcemMethods = []string{"twcem:paper", "CETD", "twcem", "nce", "coreex", "stadynot"}

// method returns a method with the settings that the data set has for it.
func (d *dataSet) method(name string) method.Method {
	switch name {
	case "CETD":
		return cetd{}
	case "twcem:paper":
		return newMethod(name, d.set...)
	case "twcem":
		return newMethod(d.own)
	}
	return newMethod(name)
}

// scoredSets returns the data sets with the scores of all methods.
func (in *Input) scoredSets(ctx context.Context) ([]*dataSet, error) {
	data, err := in.dataSets(ctx)
	for i, d := range data {
		for _, name := range twcemMethods[len(d.scores):] {
			d.scores = append(d.scores, setScores(ctx, d.pages, d.method(name)))
		}
		in.Progress("scores", i+1, len(data))
	}
	return data, err
}

// setScores compares, for every page, the set of words that a method finds with that of the
// gold (Section IV.A.2).
func setScores(ctx context.Context, pages []*tune.Example, m method.Method) []measure.PRF {
	set := func(text string) string {
		w := measure.Words(text)
		slices.Sort(w)
		return strings.Join(slices.Compact(w), " ")
	}
	scores := make([]measure.PRF, len(pages))
	parallel.For(len(pages), 0, func(i int) {
		if ctx.Err() != nil {
			return
		}
		r, gold := retrieve(m, pages[i], nil), pages[i].Gold
		if gold.TitleInText {
			r.text += "\n" + r.title
		}
		scores[i] = measure.Score(&corpus.Gold{Text: set(gold.Text)}, "", set(r.text))
	})
	return scores
}

// leastPages is the number of pages from which a site has a row of its own. A site that is in
// the paper always has one.
const leastPages = 10

// twcemTable returns the experiment of Table 4, 5 or 6. The index is that of its
// figure in twcemSites.
func twcemTable(title string, figure func(measure.PRF) float64, index int) runFunc {
	return runOn((*Input).scoredSets, func(_ context.Context, _ *Input, data []*dataSet) ([]*Table, error) {
		t := &Table{Title: "Table " + title, Corpus: dataNames(data), Columns: []Column{{"pages", Count}}}
		for _, name := range twcemMethods {
			t.Columns = append(t.Columns, Column{name, Ratio})
		}
		t.Columns = append(t.Columns, Column{"CETR", Ratio}, Column{"CEPR", Ratio})
		for _, d := range data {
			all := make([]int, len(d.pages))
			for i := range all {
				all[i] = i
			}
			t.Rows = append(t.Rows, d.row(d.name, "", all, figure, index))
			for _, g := range largestFirst(groupBy(all, func(i int) string { return d.site(d.pages[i]) })) {
				r := d.row("  "+g.Name, g.Name, g.Pages, figure, index)
				if g.Name != "" && (len(g.Pages) >= leastPages || isFigure(r.Cells[1].Paper)) {
					t.Rows = append(t.Rows, r)
				}
			}
		}
		t.Notes = []string{
			"Sets of words, means over pages; the published figures of a data set are means over its sites. CETR and CEPR are not in lede.",
			"The titles are those of the gold, as the paper had its titles from the links to the pages; where the gold has none, as on cleaneval " +
				"and chinese, they are from the page.",
			"twcem:paper and twcem have the paper's δ for microblogs there; twcem is the variant twcem:microblog.",
			"The rule for posts in twcem:microblog was written with these synthetic microblogs in view. Its figure shows that the rule does " +
				"what it should, not how it does on real microblogs.",
		}
		return []*Table{t}, nil
	})
}

// row returns the row of a site or, if that is empty, of the data set.
func (d *dataSet) row(name, site string, pages []int, figure func(measure.PRF) float64, index int) Row {
	r := Row{name, []Cell{Ours(float64(len(pages)))}}
	for _, scores := range d.scores {
		r.Cells = append(r.Cells, Ours(meanOf(pages, func(i int) float64 { return figure(scores[i]) })))
	}
	r.Cells = append(r.Cells, noCell, noCell)
	for k, column := range []int{1, 2, len(r.Cells) - 2, len(r.Cells) - 1} {
		r.Cells[column].Paper = published(d.name, site, func(s twcemSite) float64 { return s.percent[index][k] / 100 })
	}
	return r
}

// dataNames says which pages take the place of the data sets.
func dataNames(data []*dataSet) string {
	var names []string
	for _, d := range data {
		names = append(names, fmt.Sprintf("%s: %d pages of %s", d.name, len(d.pages), strings.Join(d.from, ", ")))
	}
	return strings.Join(names, "; ")
}

// twcemReadings compares the readings of Algorithm 4, of "punctuation" and of K.
func twcemReadings(ctx context.Context, in *Input, data []*dataSet) ([]*Table, error) {
	t := &Table{Title: "Readings of the paper", Corpus: dataNames(data), Columns: []Column{{"F1", Ratio}, {"precision", Ratio}, {"recall", Ratio}}}
	readings := [][]string{{"halves=true", "all-marks=true"}, {"halves=true"}, {"all-marks=true"}, nil, {"k=1"}}
	for i, set := range readings {
		for _, d := range data {
			m := measure.Mean(setScores(ctx, d.pages, newMethod("twcem:paper", append(slices.Clone(d.set), set...)...)))
			r := NewRow(cmp.Or(strings.Join(set, ", "), "twcem:paper")+": "+d.name, m.F1, m.P, m.R)
			for k := range r.Cells {
				r.Cells[k].Paper = published(d.name, "", func(s twcemSite) float64 { return s.percent[k][0] / 100 })
			}
			t.Rows = append(t.Rows, r)
		}
		in.Progress("readings", i+1, len(readings))
	}
	t.Notes = []string{"As Tables 4 to 6. With halves the story starts in the first half of the rows and ends in the second; with all-marks, " +
		"colons and marks inside of numbers and names are punctuation; with k=1 a block has the next row too."}
	return []*Table{t}, nil
}

// timedPages is the number of pages of a data set for Table 7.
const timedPages = 40

func twcemTable7(ctx context.Context, in *Input, data []*dataSet) ([]*Table, error) {
	names := []string{"twcem:paper", "twcem", "nce", "coreex", "stadynot"}
	t := &Table{
		Title: "Table 7: seconds for each page", Corpus: fmt.Sprintf("up to %d pages of each of these: %s", timedPages, dataNames(data)),
		Notes: []string{"The time to parse the page and to select its nodes, of one core. The paper's machine of 2018 ran Java."},
	}
	for _, name := range append(slices.Clone(names), "CETR", "CEPR") {
		t.Columns = append(t.Columns, Column{name, Number})
	}
	for _, d := range data {
		var pages [][]byte
		for _, x := range spread(d.pages, timedPages) {
			page, err := render(x.Doc)
			if err != nil {
				return nil, err
			}
			pages = append(pages, page)
		}
		sums, err := fastest(ctx, in, pages, names)
		if err != nil {
			return nil, err
		}
		r := Row{Name: d.name}
		for _, sum := range sums {
			r.Cells = append(r.Cells, Ours(sum.all().Seconds()/float64(len(pages))))
		}
		r.Cells = append(r.Cells, noCell, noCell)
		for k, column := range []int{0, len(names), len(names) + 1} {
			r.Cells[column].Paper = published(d.name, "", func(s twcemSite) float64 { return s.seconds[k] })
		}
		t.Rows = append(t.Rows, r)
	}
	return []*Table{t}, nil
}

// curvePages is the number of pages of a data set for Figure 3.
const curvePages = 250

func twcemFigure3(ctx context.Context, in *Input, data []*dataSet) ([]*Table, error) {
	var tables []*Table
	for i, p := range []struct{ param, title, best string }{
		{"d1", "Figure 3(a): F1 by δ1", "δ1 = 4 for news and CleanEval, 2 for microblogs"},
		{"d2", "Figure 3(b): F1 by δ2", "δ2 = 1"},
		{"d3", "Figure 3(c): F1 by δ3", "δ3 = 2 for news and CleanEval, 1 for microblogs"},
	} {
		t := &Table{Title: p.title, Corpus: dataNames(data)}
		t.Notes = []string{fmt.Sprintf("twcem:paper, the other δ as in the paper, up to %d pages of each data set. The paper's best is "+
			"%s; its curves are not given in figures.", curvePages, p.best)}
		for _, d := range data {
			t.Columns = append(t.Columns, Column{d.name, Ratio})
		}
		for x := 1; x <= 9; x++ {
			row := Row{Name: fmt.Sprintf("δ%d = %d", i+1, x)}
			for _, d := range data {
				m := newMethod("twcem:paper", append(slices.Clone(d.set), fmt.Sprintf("%s=%d", p.param, x))...)
				row.Cells = append(row.Cells, Ours(measure.Mean(setScores(ctx, spread(d.pages, curvePages), m)).F1))
			}
			t.Rows = append(t.Rows, row)
		}
		tables = append(tables, t)
		in.Progress("figure 3", i+1, 3)
	}
	return tables, nil
}
