package experiments

import (
	"context"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/tune"
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
	pages, err := perPage(ctx, in, "labelling", sets, newCorePage)
	for i := range pages {
		in.core = append(in.core, &coreGroup{Name: sets[i].Name, Pages: pages[i]})
	}
	return in.core, err
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

// extract returns the nodes that a method extracts.
func (p *corePage) extract(m method.Method) []bool { return p.Select(m, nil).Mask(p.Doc) }

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

// coreTotal runs a method over pages and returns the sums of all.
func coreTotal(ctx context.Context, pages []*corePage, m method.Method) (words, nodes coreSums, err error) {
	scores, err := parallel.Map(ctx, len(pages), 0, nil, func(i int) ([2]coreSums, error) {
		words, nodes := pages[i].compare(pages[i].extract(m))
		return [2]coreSums{words, nodes}, nil
	})
	for _, s := range scores {
		words.add(s[0])
		nodes.add(s[1])
	}
	return words, nodes, err
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

// coreXHTML is the method for which pages are converted to XHTML.
const coreXHTML = "coreex:r6"

// coreTable1 has the published rows of Table 1, and one for our default.
var coreTable1 = []struct {
	method string
	publishedPRF
}{
	{"coreex:r1", publishedPRF{"R1 basic scoring", 0.8387, 0.0271, 0.053}},
	{"coreex:r2", publishedPRF{"R2 weighted scoring", 0.9562, 0.9088, 0.932}},
	{"coreex:r3", publishedPRF{"R3 + subset selection", 0.9776, 0.9183, 0.947}},
	{"coreex:r4", publishedPRF{"R4 + ignoring forms", 0.9783, 0.9541, 0.966}},
	{"coreex:r5", publishedPRF{"R5 + removing scripts", 0.9715, 0.9862, 0.979}},
	{coreXHTML, publishedPRF{"R6 + converting to XHTML", 0.9685, 0.9868, 0.978}},
	{"coreex", publishedPRF{"coreex (our default)", None, None, None}},
}

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
		for i, r := range coreTable1 {
			in.Report("Table 1 on "+g.Name, i, len(coreTable1))
			pages, nodes := g.Pages, unpublished
			switch r.method {
			case "coreex:r5": // the only one for which the paper has figures of nodes
				nodes = publishedPRF{p: 0.9304, r: 0.9252}
			case coreXHTML:
				var err error
				pages, err = parallel.Map(ctx, len(g.Pages), 0, nil, func(k int) (*corePage, error) { return g.Pages[k].converted(ctx) })
				if err != nil {
					return nil, err
				}
			}
			byWords, byNodes, err := coreTotal(ctx, pages, newMethod(r.method))
			if err != nil {
				return nil, err
			}
			t.Rows = append(t.Rows, Row{r.name, append(r.cells(byWords.prf()), nodes.cells(byNodes.prf())[:2]...)})
		}
		tables = append(tables, t)
	}
	return tables, nil
}
