package papers

import (
	"context"
	"fmt"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/eval/measure"
	"github.com/lede-news/lede/internal/learn"
)

// twcemTitles compares the titles of the page with those of links. The gold's
// headline takes the place of the text of the link.
func twcemTitles(ctx context.Context, in *Input) ([]*Table, error) {
	data, err := twcemDataSets(ctx, in)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title:   "Titles from the page and from hyperlinks",
		Columns: []Column{{"pages", Count}, {"own title is exact", Percent}, {"F1, title of the page", Ratio}, {"F1, title of the link", Ratio}},
		Notes: []string{
			"No corpus has the links to its pages, so the gold's headline is the text of the link: the best that a home page can say. The own title is that of the page, without a link.",
			"The paper reports no figures for titles. A post has no title on its page; without a link it is the meta title.",
		},
	}
	var titled []*dataSet
	for _, d := range data {
		set := only([]*Set{{d.name, d.pages}}, func(x *learn.Example) bool { return x.Gold.Title != "" })
		if len(set) == 0 || len(set[0].Pages) == 0 {
			continue
		}
		d.pages = set[0].Pages
		titled = append(titled, d)
		for _, name := range []string{"twcem:paper", d.own} {
			var settings []string
			if name == "twcem:paper" {
				settings = d.set
			}
			row, err := titleRow(ctx, in, d, name, settings)
			if err != nil {
				return nil, err
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Corpus = dataNames(titled)
	return []*Table{t}, nil
}

func titleRow(ctx context.Context, in *Input, d *dataSet, name string, settings []string) (Row, error) {
	m, err := lede.NewMethod(name, settings...)
	if err != nil {
		return Row{}, err
	}
	exact, err := perPage(ctx, in, "titles", []*Set{{d.name, d.pages}}, func(x *learn.Example) (bool, error) {
		r, err := retrieve(ctx, m, x)
		return measure.Letters(r.own) == measure.Letters(x.Gold.Title), err
	})
	if err != nil {
		return Row{}, err
	}
	unlinked := make([]*learn.Example, len(d.pages))
	for i, x := range d.pages {
		unlinked[i] = learn.NewExample(x.Doc, x.Gold)
	}
	page, err := meanScore(ctx, unlinked, name, settings...)
	if err != nil {
		return Row{}, err
	}
	link, err := meanScore(ctx, withLinks(d.pages), name, settings...)
	return NewRow(d.name+", "+name, float64(len(d.pages)), share(exact[0], func(b bool) bool { return b }), page.F1, link.F1), err
}

// twcemReadings shows what each addition to the paper gains alone, and what the
// default loses without it.
func twcemReadings(ctx context.Context, in *Input) ([]*Table, error) {
	data, err := twcemDataSets(ctx, in)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title: "F1 by reading", Corpus: dataNames(data),
		Notes: []string{fmt.Sprintf("Up to %d pages of each data set. Each row adds one setting to twcem:paper; the last is twcem, with all of them.", curvePages)},
	}
	for _, d := range data {
		t.Columns = append(t.Columns, Column{d.name, Ratio})
	}
	rows := []struct{ name, method, set string }{
		{name: "twcem:paper", method: "twcem:paper"},
		{"K = 1", "twcem:paper", "k=1"},
		{"check-title", "twcem:paper", "check-title=true"},
		{"skip-title", "twcem:paper", "skip-title=true"},
		{"stop-words", "twcem:paper", "stop-words=true"},
		{"extend", "twcem:paper", "extend=true"},
		{"refuse-links", "twcem:paper", "refuse-links=true"},
		{name: "twcem", method: "twcem"},
	}
	for i, r := range rows {
		row := Row{Name: r.name}
		for _, d := range data {
			name, set := r.method, []string(nil)
			if name == "twcem" {
				name = d.own
			} else {
				set = append(set, d.set...)
			}
			if r.set != "" {
				set = append(set, r.set)
			}
			m, err := meanScore(ctx, spread(d.pages, curvePages), name, set...)
			if err != nil {
				return nil, err
			}
			row.Cells = append(row.Cells, Ours(m.F1))
		}
		t.Rows = append(t.Rows, row)
		in.Report("readings", i+1, len(rows))
	}
	return []*Table{t}, nil
}
