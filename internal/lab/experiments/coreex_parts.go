package experiments

import (
	"context"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/methods/coreex"
	"github.com/lede-news/lede/method"
)

// A part of an article that Figure 9 has a bar for.
type corePart struct {
	name  string
	paper float64
	find  func(f *finder) [][]dom.Node // the nodes of each of the parts; empty if they are not on the page
}

var coreParts = []corePart{
	{"title", 0.80, func(f *finder) [][]dom.Node { return f.same(f.page.Gold.Title) }},
	{"body", 0.99, nil},
	{"byline", None, (*finder).byline},
	{"date", None, (*finder).date},
	{"other labelled lines (dates, bylines, captions)", None, (*finder).lines},
	{"copyright", 0.20, (*finder).copyright},
}

// coreexFigure9 measures how often the parts of an article are extracted.
func coreexFigure9(ctx context.Context, in *Input, groups []*coreGroup) ([]*Table, error) {
	m := coreex.New(corePreset("paper"))
	type tally struct{ found, all [6]float64 }
	tallies, err := perPage(ctx, in, "Figure 9", groups, func(p *corePage) (t tally, err error) {
		extracted := p.extract(m)
		f := newFinder(p)
		for k, part := range coreParts {
			if part.find == nil {
				t.found[k], t.all[k] = p.bodyRecalled(extracted)
				continue
			}
			for _, nodes := range part.find(f) {
				t.all[k]++
				if anyOf(nodes, extracted) {
					t.found[k]++
				}
			}
		}
		return t, nil
	})
	if err != nil {
		return nil, err
	}
	var tables []*Table
	for i, g := range groups {
		t := &Table{
			Title: "Figure 9: recall of the parts of an article, on " + g.Name, Corpus: corpusName(g),
			Columns: []Column{{"parts on the pages", Count}, {"extracted", Ratio}},
		}
		if len(tables) == 0 {
			t.Notes = []string{"The body counts as extracted if at least half of the words of all labelled nodes are. The others are lines of the page that are extracted or not: lines with the text of the label, bylines short lines with the name of an author, dates short lines with the day and year, copyrights lines with that sign or word, of which the labels have none."}
		}
		for k, part := range coreParts {
			var found, all float64
			for _, x := range tallies[i] {
				found += x.found[k]
				all += x.all[k]
			}
			if all > 0 {
				t.Rows = append(t.Rows, Row{part.name, []Cell{Ours(all), Both(found/all, part.paper)}})
			}
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// anyOf reports whether any of the nodes is in a mask.
func anyOf(nodes []dom.Node, mask []bool) bool {
	return slices.ContainsFunc(nodes, func(n dom.Node) bool { return mask[n] })
}

// bodyRecalled reports whether at least half of the words of the answer are
// extracted, as a number, and whether there is any.
func (p *corePage) bodyRecalled(extracted []bool) (found, all float64) {
	words, _ := p.compare(extracted)
	if words.answer == 0 {
		return 0, 0
	}
	if words.prf().R >= 0.5 {
		return 1, 1
	}
	return 0, 1
}

// finder finds the lines of a page by their letters.
type finder struct {
	page    *corePage
	nodes   []dom.Node
	letters []string
}

func newFinder(p *corePage) *finder {
	const maxWords = 60
	f := &finder{page: p}
	d := p.Doc
	top := d.First(dom.Body)
	if top == dom.None {
		return f
	}
	for n := top; n < d.End(top); n++ {
		if w := d.Words(n); w == 0 || w > maxWords {
			continue
		}
		from, to := d.Span(n)
		if a, b := d.Span(d.Parent(n)); a == from && b == to && n != top && d.Words(d.Parent(n)) <= maxWords {
			continue // its parent has the same text
		}
		f.nodes = append(f.nodes, n)
		f.letters = append(f.letters, measure.Letters(d.Text(n)))
	}
	return f
}

// same returns the nodes with the letters of a text, as one part.
func (f *finder) same(text string) [][]dom.Node {
	if text == "" {
		return nil
	}
	return f.where(func(_ dom.Node, letters string) bool { return letters == measure.Letters(text) })
}

// where returns the nodes for which match is true, as one part.
func (f *finder) where(match func(n dom.Node, letters string) bool) [][]dom.Node {
	var nodes []dom.Node
	for i, n := range f.nodes {
		if match(n, f.letters[i]) {
			nodes = append(nodes, n)
		}
	}
	if len(nodes) == 0 {
		return nil
	}
	return [][]dom.Node{nodes}
}

func (f *finder) lines() (parts [][]dom.Node) {
	for _, extra := range f.page.Gold.Extra {
		for line := range strings.Lines(extra) {
			if measure.Letters(line) != "" {
				parts = append(parts, f.same(line)...)
			}
		}
	}
	return parts
}

const shortLine = 12 // words

func (f *finder) byline() [][]dom.Node {
	authors := f.page.Gold.Authors
	if len(authors) == 0 || measure.Letters(authors[0]) == "" {
		return nil
	}
	name := measure.Letters(authors[0])
	return f.where(func(n dom.Node, letters string) bool {
		return f.page.Doc.Words(n) <= shortLine && strings.Contains(letters, name)
	})
}

func (f *finder) date() [][]dom.Node {
	year, rest, _ := strings.Cut(f.page.Gold.Date, "-")
	_, day, ok := strings.Cut(rest, "-")
	if !ok || len(day) < 2 || len(year) != 4 {
		return nil
	}
	day = strings.TrimPrefix(day[:2], "0")
	return f.where(func(n dom.Node, _ string) bool {
		text := f.page.Doc.Text(n)
		return f.page.Doc.Words(n) <= shortLine && strings.Contains(text, year) && strings.Contains(strings.Replace(text, year, "", 1), day)
	})
}

func (f *finder) copyright() [][]dom.Node {
	return f.where(func(n dom.Node, letters string) bool {
		text := f.page.Doc.Text(n)
		return !strings.Contains(text, "\n") && (strings.HasPrefix(letters, "copyright") || strings.Contains(text, "©"))
	})
}

// coreTitle says how a page's title was found.
type coreTitle struct{ onPage, extracted, beside, preset, own bool }

// coreexTitles measures the recall of titles with the heading of section 6.1, and the
// method's own titles.
func coreexTitles(ctx context.Context, in *Input, groups []*coreGroup) ([]*Table, error) {
	preset, own := coreex.New(corePreset("paper")), coreex.New(coreex.Default())
	onPage := func(is func(coreTitle) bool) func([]coreTitle) float64 {
		return func(pages []coreTitle) float64 {
			return share(filter(pages, func(t coreTitle) bool { return t.onPage }), is)
		}
	}
	columns := figures[coreTitle]{
		count[coreTitle]("titles"),
		shareIn("on the page", None, func(t coreTitle) bool { return t.onPage }),
		{"extracted", Percent, 0.80, onPage(func(t coreTitle) bool { return t.extracted })},
		{"or the heading beside it", Percent, 0.92, onPage(func(t coreTitle) bool { return t.beside })},
		shareIn("coreex:paper exact", None, func(t coreTitle) bool { return t.preset }),
		shareIn("coreex exact", None, func(t coreTitle) bool { return t.own }),
	}
	t := &Table{
		Title:   "Titles: extracted, with the heading beside the text, and named as the title",
		Columns: columns.columns(),
		Notes: []string{
			"The two shares that the paper has are of the titles that are on the page as they are labelled; those of the titles that the methods name are of all. The paper extracts titles and does not name them.",
			"coreex:paper names the heading of section 6.1 or else the first heading in the text; coreex searches the page's title and all headings before the end of the text.",
			"The newer the pages, the further headings are from the text, in headers with pictures and buttons, and the seldomer they are beside it.",
		},
	}
	var titled []*coreGroup
	for _, g := range groups {
		pages := filter(g.Pages, func(p *corePage) bool { return measure.Letters(p.Gold.Title) != "" })
		if len(pages) > 0 {
			titled = append(titled, &coreGroup{Name: g.Name, Pages: pages})
		}
	}
	found, err := perPage(ctx, in, "titles", titled, func(p *corePage) (t coreTitle, err error) {
		s := p.choose(preset)
		t.preset, t.own = p.namesTitle(s), p.namesTitle(p.choose(own))
		if nodes := newFinder(p).same(p.Gold.Title); len(nodes) > 0 {
			t.onPage = true
			t.extracted = s != nil && anyOf(nodes[0], s.Mask(p.Doc))
			t.beside = t.extracted || t.preset
		}
		return t, nil
	})
	for i := range found {
		t.Rows = append(t.Rows, columns.besidePaper(titled[i].Name, found[i]))
	}
	t.Corpus = "articles of " + groupNames(titled)
	return []*Table{t}, err
}

// namesTitle reports whether the title of a selection, which may be nil, is that of
// the gold.
func (p *corePage) namesTitle(s *method.Selection) bool {
	return s != nil && s.Title != dom.None && measure.Letters(p.Doc.Text(s.Title)) == measure.Letters(p.Gold.Title)
}
