package experiments

import (
	"context"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/method"
)

// corePart says how a part of an article was found.
type corePart struct{ onPage, extracted bool }

// coreParts are the parts of an article for which the paper has figures.
type coreParts struct{ title, body, copyright corePart }

// partIn is a column with the share of the parts on the pages that are extracted.
func partIn[T any](name string, format Format, paper float64, part func(T) corePart) figureOfPages[T] {
	return figureOfPages[T]{name, format, paper, func(pages []T) float64 {
		return share(filter(pages, func(x T) bool { return part(x).onPage }), func(x T) bool { return part(x).extracted })
	}}
}

// coreexFigure9 measures how often the parts of an article are extracted.
func coreexFigure9(ctx context.Context, in *Input, groups []*coreGroup) ([]*Table, error) {
	m := newMethod("coreex:paper")
	columns := figures[coreParts]{
		count[coreParts]("pages"),
		partIn("title", Ratio, 0.80, func(p coreParts) corePart { return p.title }),
		partIn("body", Ratio, 0.99, func(p coreParts) corePart { return p.body }),
		partIn("copyright", Ratio, 0.20, func(p coreParts) corePart { return p.copyright }),
	}
	found, err := perPage(ctx, in, "Figure 9", groups, func(p *corePage) coreParts {
		extracted := p.extract(m)
		part := func(nodes []dom.Node) corePart {
			return corePart{len(nodes) > 0, slices.ContainsFunc(nodes, func(n dom.Node) bool { return extracted[n] })}
		}
		words, _ := p.compare(extracted)
		return coreParts{part(p.titleLines()), corePart{words.answer > 0, words.prf().R >= 0.5}, part(p.copyrightLines())}
	})
	t := &Table{
		Title: "Figure 9: recall of the parts of an article", Corpus: Names(groups), Columns: columns.columns(),
		Notes: []string{"The body counts as extracted if at least half of the words of all labelled nodes are; the others are lines of the page: those with the text of the title, and those with the sign or word of a copyright, of which the labels have none."},
	}
	for i := range found {
		t.Rows = append(t.Rows, columns.besidePaper(groups[i].Name, found[i]))
	}
	return []*Table{t}, err
}

// lines returns the nodes of a page that are lines of text for which match is true.
func (p *corePage) lines(match func(text, letters string) bool) (nodes []dom.Node) {
	const maxWords = 60
	d := p.Doc
	top := d.First(dom.Body)
	if top == dom.None {
		return nil
	}
	for n := top; n < d.End(top); n++ {
		if w := d.Words(n); w == 0 || w > maxWords {
			continue
		}
		from, to := d.Span(n)
		if a, b := d.Span(d.Parent(n)); a == from && b == to && n != top && d.Words(d.Parent(n)) <= maxWords {
			continue // its parent has the same text
		}
		if text := d.Text(n); match(text, measure.Letters(text)) {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

func (p *corePage) titleLines() []dom.Node {
	title := measure.Letters(p.Gold.Title)
	return p.lines(func(_, letters string) bool { return title != "" && letters == title })
}

func (p *corePage) copyrightLines() []dom.Node {
	return p.lines(func(text, letters string) bool {
		return !strings.Contains(text, "\n") && (strings.HasPrefix(letters, "copyright") || strings.Contains(text, "©"))
	})
}

// coreTitle says how a page's title was found.
type coreTitle struct {
	inText, beside corePart
	preset, own    bool // named as the title
}

// coreexTitles measures the recall of titles with the heading of section 6.1, and the
// method's own titles.
func coreexTitles(ctx context.Context, in *Input, groups []*coreGroup) ([]*Table, error) {
	preset, own := newMethod("coreex:paper"), newMethod("coreex")
	columns := figures[coreTitle]{
		count[coreTitle]("titles"),
		shareIn("on the page", None, func(t coreTitle) bool { return t.inText.onPage }),
		partIn("extracted", Percent, 0.80, func(t coreTitle) corePart { return t.inText }),
		partIn("or the heading beside it", Percent, 0.92, func(t coreTitle) corePart { return t.beside }),
		shareIn("coreex:paper exact", None, func(t coreTitle) bool { return t.preset }),
		shareIn("coreex exact", None, func(t coreTitle) bool { return t.own }),
	}
	var titled []*coreGroup
	for _, g := range groups {
		if pages := filter(g.Pages, func(p *corePage) bool { return measure.Letters(p.Gold.Title) != "" }); len(pages) > 0 {
			titled = append(titled, &coreGroup{Name: g.Name, Pages: pages})
		}
	}
	found, err := perPage(ctx, in, "titles", titled, func(p *corePage) (t coreTitle) {
		s := p.Select(preset, nil)
		t.preset, t.own = p.namesTitle(s), p.namesTitle(p.Select(own, nil))
		lines, mask := p.titleLines(), s.Mask(p.Doc)
		extracted := slices.ContainsFunc(lines, func(n dom.Node) bool { return mask[n] })
		t.inText, t.beside = corePart{len(lines) > 0, extracted}, corePart{len(lines) > 0, extracted || t.preset}
		return t
	})
	t := &Table{
		Title:   "Titles: extracted, with the heading beside the text, and named as the title",
		Corpus:  Names(titled),
		Columns: columns.columns(),
		Notes: []string{
			"The two shares that the paper has are of the titles that are on the page as they are labelled; those of the titles that the methods name are of all. The paper extracts titles and does not name them.",
			"The newer the pages, the further headings are from the text, in headers with pictures and buttons.",
		},
	}
	for i := range found {
		t.Rows = append(t.Rows, columns.besidePaper(titled[i].Name, found[i]))
	}
	return []*Table{t}, err
}

// namesTitle reports whether the title of a selection is that of the gold.
func (p *corePage) namesTitle(s *method.Selection) bool {
	return s.Title != dom.None && measure.Letters(p.Doc.Text(s.Title)) == measure.Letters(p.Gold.Title)
}
