package experiments

import (
	"context"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/tune"
	"github.com/lede-news/lede/internal/methods/coreex"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
)

func coreexPaper() Paper {
	return Paper{
		Method: "coreex", Name: "CoreEx",
		Title: "Prasad and Paepcke, CoreEx: Content Extraction from Online News Articles, CIKM 2008",
		Experiments: []Experiment{
			{ID: "1", About: "Table 1: precision and recall of R1 to R6", Run: runOn((*Input).coreGroups, coreexTable1)},
			{ID: "figure8", About: "Figure 8: time per page of R1 to R6", Run: coreexFigure8},
			{ID: "figure9", About: "Figure 9: recall of the parts of an article", Run: runOn((*Input).coreGroups, coreexFigure9)},
			{ID: "titles", About: "titles with the heading of section 6.1, and the titles that the method finds", Run: runOn((*Input).coreGroups, coreexTitles)},
			{ID: "figure10", About: "Figure 10: precision and recall by source", Run: runOn((*Input).coreGroups, coreexFigure10)},
		},
	}
}

// coreGroup is the pages of a corpus, or of all synthetic sites.
type coreGroup = Group[*corePage]

// corePage is a page with the nodes of its core content.
type corePage struct {
	*tune.Example
	answer []bool
}

// coreGroups returns the pages of the input, with labels. They are labelled once.
func (in *Input) coreGroups(ctx context.Context) ([]*coreGroup, error) {
	if in.core != nil {
		return in.core, nil
	}
	sets, err := in.Sets(ctx)
	if err != nil {
		return nil, err
	}
	pages, err := perPage(ctx, in, "labelling", sets, func(x *tune.Example) (*corePage, error) { return newCorePage(x), nil })
	if err != nil {
		return nil, err
	}
	for i, s := range sets {
		in.core = append(in.core, &coreGroup{Name: s.Name, Pages: pages[i]})
	}
	return in.core, nil
}

// newCorePage labels a page. Core content is "all the text fragments that a human
// being would consider part of the article" (section 5.1).
func newCorePage(x *tune.Example) *corePage {
	g := x.Gold
	content := g.Text + "\n" + strings.Join(g.Extra, "\n")
	if !g.TitleInText {
		content = g.Title + "\n" + content
	}
	return &corePage{x, measure.Align(x.Doc, content)}
}

// extract returns the nodes that a method extracts, all false if there are none.
func (p *corePage) extract(m method.Method) []bool { return p.mask(p.choose(m)) }

// mask returns the nodes of a selection, which may be nil.
func (p *corePage) mask(s *method.Selection) []bool {
	if s == nil {
		return make([]bool, p.Doc.Len())
	}
	return s.Mask(p.Doc)
}

// choose returns nil if the method finds nothing.
func (p *corePage) choose(m method.Method) *method.Selection {
	s, err := m.Select(context.Background(), &method.Page{Doc: p.Doc, URL: p.Gold.URL, NoReasons: true})
	if err != nil {
		return nil
	}
	return s
}

// coreSums are the sums of section 3.3, over nodes weighted by their words, or over
// nodes.
type coreSums struct{ correct, extracted, answer float64 }

func (s *coreSums) add(x coreSums) {
	s.correct += x.correct
	s.extracted += x.extracted
	s.answer += x.answer
}

func (s coreSums) prf() measure.PRF {
	return measure.PRF{P: s.correct / s.extracted, R: s.correct / s.answer, F1: 2 * s.correct / (s.extracted + s.answer)}
}

// compare compares the extracted text nodes with the answer.
func (p *corePage) compare(extracted []bool) (words, nodes coreSums) {
	for n, answer := range p.answer {
		if !answer && !extracted[n] || !p.Doc.IsText(dom.Node(n)) {
			continue
		}
		w := float64(p.Doc.Words(dom.Node(n)))
		if w == 0 {
			continue
		}
		if answer {
			words.answer += w
			nodes.answer++
		}
		if extracted[n] {
			words.extracted += w
			nodes.extracted++
		}
		if answer && extracted[n] {
			words.correct += w
			nodes.correct++
		}
	}
	return words, nodes
}

// pageSums are the sums of one page, or of several.
type pageSums struct{ words, nodes coreSums }

// coreScore runs a method over pages and returns the sums of each.
func coreScore(ctx context.Context, pages []*corePage, m method.Method) ([]pageSums, error) {
	return parallel.Map(ctx, len(pages), 0, nil, func(i int) (pageSums, error) {
		words, nodes := pages[i].compare(pages[i].extract(m))
		return pageSums{words, nodes}, nil
	})
}

// coreTotal runs a method over pages and returns the sums of all.
func coreTotal(ctx context.Context, pages []*corePage, m method.Method) (total pageSums, err error) {
	scores, err := coreScore(ctx, pages, m)
	for _, s := range scores {
		total.words.add(s.words)
		total.nodes.add(s.nodes)
	}
	return total, err
}

// corePreset returns a preset of the method, which must exist.
func corePreset(name string) coreex.Config {
	c, ok := coreex.Preset(name)
	if !ok {
		panic("no preset " + name)
	}
	return c
}

// converted returns a page after the conversion to XHTML.
func (p *corePage) converted(ctx context.Context) (*corePage, error) {
	d, err := toXHTML(ctx, p.Doc)
	if err != nil {
		return nil, err
	}
	if d.Len() == p.Doc.Len() {
		return &corePage{&tune.Example{Gold: p.Gold, Doc: d}, p.answer}, nil
	}
	return newCorePage(&tune.Example{Gold: p.Gold, Doc: d}), nil
}

// coreRow is a row of the paper's Table 1.
type coreRow struct {
	preset string
	publishedPRF
}

var coreTable1 = []coreRow{
	{"r1", publishedPRF{"R1 basic scoring", 0.8387, 0.0271, 0.053}},
	{"r2", publishedPRF{"R2 weighted scoring", 0.9562, 0.9088, 0.932}},
	{"r3", publishedPRF{"R3 + subset selection", 0.9776, 0.9183, 0.947}},
	{"r4", publishedPRF{"R4 + ignoring forms", 0.9783, 0.9541, 0.966}},
	{"r5", publishedPRF{"R5 + removing scripts", 0.9715, 0.9862, 0.979}},
	{"r6", publishedPRF{"R6 + converting to XHTML", 0.9685, 0.9868, 0.978}},
}

// coreTable1Nodes is what the paper says of the nodes of R5.
var coreTable1Nodes = publishedPRF{p: 0.9304, r: 0.9252}

func coreexTable1(ctx context.Context, in *Input, groups []*coreGroup) ([]*Table, error) {
	var tables []*Table
	for _, g := range groups {
		t := &Table{
			Title: "Table 1: text-based precision and recall, on " + g.Name, Corpus: Names([]*coreGroup{g}),
			Columns: []Column{{"precision", Ratio}, {"recall", Ratio}, {"F1", Ratio}, {"node precision", Ratio}, {"node recall", Ratio}},
			Notes: []string{
				"Sums over the words of the extracted and the labelled text nodes of all pages (section 3.3). Unlike the paper's labels, most corpora have no byline, date or caption.",
				"The paper has 1,120 pages of 27 sources of 2006 and 2007, with few links in articles; a link in a paragraph costs CoreEx the paragraph or the link.",
			},
		}
		rows := append(slices.Clone(coreTable1), coreRow{"", unpublished.named("coreex (our default)")})
		for i, r := range rows {
			in.Report("Table 1 on "+g.Name, i, len(rows))
			pages, c, nodes := g.Pages, coreex.Default(), unpublished
			if r.preset != "" {
				c = corePreset(r.preset)
			}
			switch r.preset {
			case "r5":
				nodes = coreTable1Nodes
			case "r6":
				var err error
				pages, err = parallel.Map(ctx, len(g.Pages), 0, nil, func(k int) (*corePage, error) { return g.Pages[k].converted(ctx) })
				if err != nil {
					return nil, err
				}
			}
			s, err := coreTotal(ctx, pages, coreex.New(c))
			if err != nil {
				return nil, err
			}
			t.Rows = append(t.Rows, Row{r.name, append(r.cells(s.words.prf()), nodes.cells(s.nodes.prf())[:2]...)})
		}
		tables = append(tables, t)
	}
	return tables, nil
}
