package papers

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/coreex"
	"github.com/lede-news/lede/internal/eval/measure"
	"github.com/lede-news/lede/internal/learn"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
)

func coreexPaper() Paper {
	e := &coreExperiments{}
	return Paper{
		Method: "coreex", Name: "CoreEx",
		Title: "Prasad and Paepcke, CoreEx: Content Extraction from Online News Articles, CIKM 2008",
		Experiments: []Experiment{
			{ID: "1", About: "Table 1: precision and recall of R1 to R6", Run: e.table1},
			{ID: "scripts", About: "the readings of scripts, beside R3 and R4 of Table 1", Run: e.scripts},
			{ID: "constants", About: "the search for the weights and the threshold (sections 2.2.1 and 2.2.2)", Run: e.constants},
			{ID: "figure8", About: "Figure 8: time per page of R1 to R6", Run: e.figure8},
			{ID: "figure9", About: "Figure 9: recall of the parts of an article", Run: e.figure9},
			{ID: "titles", About: "titles with the heading of section 6.1, and the titles that the method finds", Run: e.titles},
			{ID: "figure10", About: "Figure 10: precision and recall by source", Run: e.figure10},
			{ID: "genres", About: "pages of other genres (section 6.2)", Needs: NeedsCorpora, Run: e.genres},
			{ID: "languages", About: "other languages, which section 8 leaves open", Run: e.languages},
			{ID: "index", About: "article pages or index pages, by the scored tree, as section 8 proposes", Run: e.index},
		},
	}
}

// coreExperiments keeps the pages with their labels for all experiments of a run.
type coreExperiments struct {
	in     *Input
	groups []*coreGroup
}

// coreGroup is a corpus, or all made-up sites.
type coreGroup struct {
	name, corpus string
	pages        []*corePage
}

func groupNames(groups []*coreGroup) string {
	var names []string
	for _, g := range groups {
		names = append(names, g.name)
	}
	return strings.Join(names, ", ")
}

// corePage is a page with the nodes of its core content.
type corePage struct {
	*learn.Example
	answer []bool
}

// coreGroups returns the pages of the input, with labels. Core content is "all the text
// fragments that a human being would consider part of the article" (section 5.1).
func (e *coreExperiments) coreGroups(ctx context.Context, in *Input) ([]*coreGroup, error) {
	if e.in == in {
		return e.groups, nil
	}
	sets, err := in.Sets(ctx)
	if err != nil {
		return nil, err
	}
	e.groups = nil
	if len(in.Corpora) == 0 {
		all := &Set{Name: "made-up sites"}
		for _, s := range sets {
			all.Pages = append(all.Pages, s.Pages...)
		}
		sets = []*Set{all}
	}
	for _, s := range sets {
		g := &coreGroup{name: s.Name, corpus: Names([]*Set{s})}
		report := func(done int) { in.Report("labelling "+s.Name, done, len(s.Pages)) }
		g.pages, err = parallel.Map(ctx, len(s.Pages), 0, report, func(i int) (*corePage, error) {
			return newCorePage(s.Pages[i]), nil
		})
		if err != nil {
			return nil, err
		}
		e.groups = append(e.groups, g)
	}
	e.in = in
	return e.groups, nil
}

func newCorePage(x *learn.Example) *corePage {
	g := x.Gold
	content := g.Text + "\n" + strings.Join(g.Extra, "\n")
	if !g.TitleInText {
		content = g.Title + "\n" + content
	}
	return &corePage{x, measure.Align(x.Doc, content)}
}

// extract returns the nodes that a method extracts, all false if there are none.
func (p *corePage) extract(m method.Method) []bool {
	s := p.choose(m)
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

func (s coreSums) precision() float64 { return s.correct / s.extracted }
func (s coreSums) recall() float64    { return s.correct / s.answer }
func (s coreSums) f1() float64        { return 2 * s.correct / (s.extracted + s.answer) }

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

// pageSums are the sums of one page.
type pageSums struct{ words, nodes coreSums }

// coreScore runs a method over pages and returns the sums of each.
func coreScore(ctx context.Context, pages []*corePage, m method.Method) ([]pageSums, error) {
	return parallel.Map(ctx, len(pages), 0, nil, func(i int) (pageSums, error) {
		words, nodes := pages[i].compare(pages[i].extract(m))
		return pageSums{words, nodes}, nil
	})
}

func coreTotal(pages []pageSums) (total pageSums) {
	for _, s := range pages {
		total.words.add(s.words)
		total.nodes.add(s.nodes)
	}
	return total
}

// corePreset returns a preset of the method, which must exist.
func corePreset(name string) coreex.Config {
	c, ok := coreex.Preset(name)
	if !ok {
		panic("no preset " + name)
	}
	return c
}

// toXHTML writes the tree of a page, every element closed and every value quoted,
// and parses it again: the step that TagSoup has in the paper.
func toXHTML(ctx context.Context, d *dom.Document) (*dom.Document, error) {
	var b bytes.Buffer
	if err := html.Render(&b, d.HTML(d.Root())); err != nil {
		return nil, err
	}
	return dom.Parse(ctx, b.Bytes(), dom.Options{Charset: "utf-8"})
}

// converted returns a page after the conversion to XHTML.
func (p *corePage) converted(ctx context.Context) (*corePage, error) {
	d, err := toXHTML(ctx, p.Doc)
	if err != nil {
		return nil, err
	}
	if d.Len() == p.Doc.Len() {
		return &corePage{&learn.Example{Gold: p.Gold, Doc: d}, p.answer}, nil
	}
	return newCorePage(&learn.Example{Gold: p.Gold, Doc: d}), nil
}

const coreMeasure = "Sums over the words of the extracted and the labelled text nodes of all pages (section 3.3)."

// labelNote says what the labels of a group have instead of MITRE's.
func labelNote(g *coreGroup) string {
	titles, parts := 0, 0
	for _, p := range g.pages {
		if p.Gold.Title != "" || p.Gold.TitleInText {
			titles++
		}
		if len(p.Gold.Extra) > 0 {
			parts++
		}
	}
	n := "The labels have the body"
	if titles > 0 {
		n += " and the title"
	}
	if parts == 0 {
		return n + ", but no byline, date or caption as those of the paper have, so that extracting them costs precision."
	}
	return n + fmt.Sprintf(", and on %d of %d pages other parts such as dates and bylines.", parts, len(g.pages))
}
