package experiments

import (
	"context"
	"fmt"

	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/tune"
)

// twcemTitles compares the titles of the page with those of links. The gold's
// headline takes the place of the text of the link.
func twcemTitles(ctx context.Context, in *Input, data []*dataSet) ([]*Table, error) {
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
		d.pages = filter(d.pages, func(x *tune.Example) bool { return x.Gold.Title != "" })
		if len(d.pages) == 0 {
			continue
		}
		titled = append(titled, d)
		for _, name := range []string{"twcem:paper", d.own} {
			row, err := titleRow(ctx, in, d, name)
			if err != nil {
				return nil, err
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Corpus = dataNames(titled)
	return []*Table{t}, nil
}

func titleRow(ctx context.Context, in *Input, d *dataSet, name string) (Row, error) {
	m, err := d.newMethod(name)
	if err != nil {
		return Row{}, err
	}
	exact, err := perPage(ctx, in, "titles", []*Set{{d.name, d.pages}}, func(x *tune.Example) (bool, error) {
		r, err := retrieve(ctx, m, x, nil)
		return measure.Letters(r.own) == measure.Letters(x.Gold.Title), err
	})
	if err != nil {
		return Row{}, err
	}
	unlinked := make([]*tune.Example, len(d.pages))
	for i, x := range d.pages {
		unlinked[i] = tune.NewExample(x.Doc, x.Gold)
	}
	page, err := d.score(ctx, unlinked, name)
	if err != nil {
		return Row{}, err
	}
	link, err := d.score(ctx, withLinks(d.pages), name)
	return NewRow(d.name+", "+name, float64(len(d.pages)), share(exact[0], func(b bool) bool { return b }), page.F1, link.F1), err
}

// twcemReadings shows what each addition to the paper gains alone, and what the
// default loses without it.
func twcemReadings(ctx context.Context, in *Input, data []*dataSet) ([]*Table, error) {
	t := &Table{
		Title: "F1 by reading", Corpus: dataNames(data),
		Notes: []string{fmt.Sprintf("Up to %d pages of each data set. Each row adds one setting to twcem:paper; the last is twcem, with all of them.", curvePages)},
	}
	for _, d := range data {
		t.Columns = append(t.Columns, Column{d.name, Ratio})
	}
	rows := []struct {
		name, method string
		set          []string
	}{
		{"twcem:paper", "twcem:paper", nil},
		{"K = 1", "twcem:paper", []string{"k=1"}},
		{"check-title", "twcem:paper", []string{"check-title=true"}},
		{"skip-title", "twcem:paper", []string{"skip-title=true"}},
		{"stop-words", "twcem:paper", []string{"stop-words=true"}},
		{"extend", "twcem:paper", []string{"extend=true"}},
		{"refuse-links", "twcem:paper", []string{"refuse-links=true"}},
		{"twcem", "twcem", nil},
	}
	for i, r := range rows {
		row := Row{Name: r.name}
		for _, d := range data {
			m, err := d.score(ctx, spread(d.pages, curvePages), r.method, r.set...)
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
