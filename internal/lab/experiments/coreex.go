package experiments

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/tune"
	"github.com/lede-news/lede/internal/story/metadata"
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
			{ID: "links", About: "what R5 loses: by links in the article, and in forms", Run: runOn((*Input).coreGroups, coreexLinks)},
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
	for i, pages := range perPage(ctx, in, "labelling", sets, newCorePage) {
		in.core = append(in.core, &coreGroup{Name: sets[i].Name, Pages: pages})
	}
	return in.core, context.Cause(ctx)
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

// converted returns a page after the conversion to XHTML, or as it is if that is too
// large to be parsed.
func (p *corePage) converted(ctx context.Context) *corePage {
	d, err := toXHTML(ctx, p.Doc)
	switch {
	case err != nil:
		return p
	case d.Len() == p.Doc.Len():
		return &corePage{&tune.Example{Gold: p.Gold, Doc: d}, p.answer}
	}
	return newCorePage(&tune.Example{Gold: p.Gold, Doc: d})
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
				"Sums over the words of the extracted and the labelled text nodes of all pages (section 3.3). Unlike the paper's labels, most " +
					"corpora have no byline, date or caption.",
				"The paper has 1,120 pages of 27 sources of 2006 and 2007, with few links in articles; a link in a paragraph costs CoreEx the paragraph or the link.",
			},
		}
		for _, r := range coreTable1 {
			nodes := unpublished
			if r.method == "coreex:r5" { // the only one for which the paper has figures of nodes
				nodes = publishedPRF{p: 0.9304, r: 0.9252}
			}
			m := newMethod(r.method)
			var byWords, byNodes coreSums
			for _, sums := range perPage(ctx, in, r.name, []*coreGroup{g}, func(p *corePage) [2]coreSums {
				if r.method == coreXHTML {
					p = p.converted(ctx)
				}
				words, nodes := p.compare(p.extract(m))
				return [2]coreSums{words, nodes}
			})[0] {
				byWords.add(sums[0])
				byNodes.add(sums[1])
			}
			t.Rows = append(t.Rows, Row{r.name, append(r.cells(byWords.prf()), nodes.cells(byNodes.prf())[:2]...)})
		}
		t.Rows = append(t.Rows, Row{"baseline of section 5.4, by blocks of the body", publishedPRF{"", 0.98, 0.99, None}.cells(noFigures)})
		tables = append(tables, t)
	}
	return tables, nil
}

// linksInside returns the number of links with labelled text.
func (p *corePage) linksInside() (n int) {
	for link := range p.Doc.All(p.Doc.Root(), dom.A) {
		if p.Doc.InLink(link) && slices.Contains(p.answer[link:p.Doc.End(link)], true) {
			n++
		}
	}
	return n
}

// coreexLinks explains R5 by the links inside articles, of which the paper's had few, and by
// forms.
func coreexLinks(ctx context.Context, in *Input, groups []*coreGroup) ([]*Table, error) {
	classes := []struct {
		name        string
		least, most int
	}{{"all", 0, math.MaxInt}, {"no link", 0, 0}, {"1 to 5 links", 1, 5}, {"6 links or more", 6, math.MaxInt}}
	methods := []method.Method{newMethod("coreex:r5"), newMethod("coreex:r5", "min-form-share=0.25")}
	t := &Table{
		Title: "What R5 loses: by links in the article, and in forms", Corpus: Names(groups),
		Columns: []Column{{"pages", Count}, {"precision", Ratio}, {"recall", Ratio}, {"F1", Ratio}, {"F1, forms read", Ratio}},
		Notes:   []string{"Links with labelled text are inside the article. A form is read if less than a quarter of the words outside links is outside it."},
	}
	for i, pages := range perPage(ctx, in, "links", groups, func(p *corePage) (words [2]coreSums) {
		for k, m := range methods {
			words[k], _ = p.compare(p.extract(m))
		}
		return words
	}) {
		for _, class := range classes {
			n, sums := 0.0, [2]coreSums{}
			for k, p := range groups[i].Pages {
				if l := p.linksInside(); l >= class.least && l <= class.most {
					n++
					sums[0].add(pages[k][0])
					sums[1].add(pages[k][1])
				}
			}
			r5 := sums[0].prf()
			t.Rows = append(t.Rows, NewRow(groups[i].Name+", "+class.name, n, r5.P, r5.R, r5.F1, sums[1].prf().F1))
		}
	}
	return []*Table{t}, nil
}

// coreexFigure8 measures the time for a page on one core, with parsing.
func coreexFigure8(ctx context.Context, in *Input) ([]*Table, error) {
	pages, err := in.sample(ctx, 100)
	if err != nil {
		return nil, err
	}
	variants := coreTable1[:6] // without our default
	var names []string
	for _, r := range variants {
		names = append(names, r.method)
	}
	sums, err := fastest(ctx, in, pages, names)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title: "Figure 8: milliseconds per page", Corpus: fmt.Sprintf("%d articles of %s", len(pages), groupNames(in.sets)),
		Columns: []Column{{"all (paper: under 15 but for R6)", Number}, {"parsing", Number}, {"conversion", Number}, {"CoreEx", Number}},
		Notes: []string{
			"The best of three rounds for every page, on one core, all variants of a page in turn. The paper measured Java on an Opteron of " +
				"1.8 GHz and draws bars without numbers.",
			"The conversion of R6 writes the parsed page as XHTML and parses that; the paper's is TagSoup, and by far its slowest step.",
		},
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(max(len(pages), 1)) }
	for i, r := range variants {
		x := sums[i]
		t.Rows = append(t.Rows, NewRow(r.name, ms(x.all()), ms(x[0]), ms(x[1]), ms(x[2])))
	}
	return []*Table{t}, nil
}

// coreexFigure10 has a row for each of the sources with the most pages. The figures are
// those of coreex:paper; pages that do not have the text of their gold are left out.
func coreexFigure10(ctx context.Context, in *Input, groups []*coreGroup) ([]*Table, error) {
	const most, minPages = 27, 2
	type scored struct {
		site string
		sums coreSums
	}
	m := newMethod("coreex:paper")
	scores := perPage(ctx, in, "Figure 10", groups, func(p *corePage) scored {
		words, _ := p.compare(p.extract(m))
		return scored{p.Gold.SiteName(), words}
	})
	labelled := filter(slices.Concat(scores...), func(s scored) bool { return s.sums.answer > 0 })
	sources := largestFirst(groupBy(labelled, func(s scored) string { return s.site }))
	sources = filter(sources, func(g *Group[scored]) bool { return len(g.Pages) >= minPages })
	columns := figures[scored]{
		count[scored]("pages"),
		meanIn("precision", Ratio, None, func(s scored) float64 {
			if s.sums.extracted == 0 {
				return 0
			}
			return s.sums.prf().P
		}),
		meanIn("recall", Ratio, None, func(s scored) float64 { return s.sums.prf().R }),
	}
	t := columns.table("Figure 10: precision and recall by source",
		fmt.Sprintf("%d sources with at least %d pages of %s", len(sources), minPages, groupNames(groups)))
	high, zero := 0, 0
	for _, g := range sources {
		row := columns.row(g.Name, g.Pages)
		precision, recall := row.Cells[1].Ours, row.Cells[2].Ours
		if precision >= 0.95 && recall >= 0.95 {
			high++
		}
		if recall == 0 {
			zero++
		}
		t.Rows = append(t.Rows, row)
	}
	t.Rows = t.Rows[:min(most, len(t.Rows))]
	t.Notes = []string{
		"Means over the pages of a source; a page without an extraction counts as zero.",
		"The paper draws bars without numbers: four of its 27 sources have 1 and 1, most are in the high 90s, one with every page in a form has 0 and 0.",
		fmt.Sprintf("Of all %d sources, %d have at least 0.95 and 0.95, and %d a recall of 0. The table has the %d with the most "+
			"pages.", len(sources), high, zero, len(t.Rows)),
	}
	return []*Table{t}, nil
}

// corePart says how a part of an article was found.
type corePart struct{ onPage, extracted bool }

// coreParts are the parts of an article, as in corePartNames.
type coreParts [8]corePart

// corePartNames are the bars of Figure 9, with the figures that the text of the paper has.
var corePartNames = [len(coreParts{})]struct {
	name  string
	paper float64
}{{"title", 0.80}, {"subtitle", None}, {"author", None}, {"date", None}, {"body", 0.99}, {"location", None}, {"source", None}, {"copyright", 0.20}}

var (
	dateline = regexp.MustCompile(`^\p{Lu}[\p{Lu} .\x{2019}'-]{2,30}(,[\p{L} .]{2,20})?( \(\p{L}[\p{L} .]*\))?\s*(--|[-–—:])\s`)
	agency   = regexp.MustCompile(`\b(Reuters|REUTERS|Associated Press|AP|AFP|Agence France-Presse|Bloomberg|UPI|PTI|IANS|Xinhua|Canadian Press|Press Association)\b`)
)

// partIn is a column with the share of the parts on the pages that are extracted.
func partIn[T any](name string, format Format, paper float64, part func(T) corePart) figureOfPages[T] {
	return figureOfPages[T]{name, format, paper, func(pages []T) float64 {
		return share(filter(pages, func(x T) bool { return part(x).onPage }), func(x T) bool { return part(x).extracted })
	}}
}

// coreexFigure9 measures how often the parts of an article are extracted.
func coreexFigure9(ctx context.Context, in *Input, groups []*coreGroup) ([]*Table, error) {
	m := newMethod("coreex:paper")
	columns := figures[coreParts]{count[coreParts]("pages")}
	for i, part := range corePartNames {
		columns = append(columns, partIn(part.name, Ratio, part.paper, func(p coreParts) corePart { return p[i] }))
	}
	found := perPage(ctx, in, "Figure 9", groups, func(p *corePage) coreParts {
		extracted := p.extract(m)
		part := func(nodes []dom.Node) corePart {
			return corePart{len(nodes) > 0, slices.ContainsFunc(nodes, func(n dom.Node) bool { return extracted[n] })}
		}
		places := metadata.Read(p.Doc, metadata.Options{URL: p.Gold.URL, Title: dom.None}).Places
		place := func(name string) corePart {
			n, ok := places[name]
			return corePart{ok, ok && slices.Contains(extracted[n:p.Doc.End(n)], true)}
		}
		words, _ := p.compare(extracted)
		return coreParts{
			part(p.titleLines()), place("standfirst"), place("authors"), place("published"), {words.answer > 0, words.prf().R >= 0.5},
			part(p.lines(func(text, _ string) bool { return dateline.MatchString(text) })),
			part(p.lines(func(text, _ string) bool { return len(text) < 60 && agency.MatchString(text) })),
			part(p.copyrightLines()),
		}
	})
	t := columns.table("Figure 9: recall of the parts of an article", Names(groups),
		"The body counts as extracted if at least half of the words of all labelled nodes are; the others are lines of the page: those "+
			"with the text of the title, those that lede's metadata takes for subtitle, author and date, those that begin with a dateline, short "+
			"ones with the name of a news agency, and those with the sign or word of a copyright. The paper draws bars; the text has three of them.")
	for i := range found {
		t.Rows = append(t.Rows, columns.besidePaper(groups[i].Name, found[i]))
	}
	return []*Table{t}, nil
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
	found := perPage(ctx, in, "titles", titled, func(p *corePage) (t coreTitle) {
		s := p.Select(preset, nil)
		t.preset, t.own = p.namesTitle(s), p.namesTitle(p.Select(own, nil))
		lines, mask := p.titleLines(), s.Mask(p.Doc)
		extracted := slices.ContainsFunc(lines, func(n dom.Node) bool { return mask[n] })
		t.inText, t.beside = corePart{len(lines) > 0, extracted}, corePart{len(lines) > 0, extracted || t.preset}
		return t
	})
	t := columns.table("Titles: extracted, with the heading beside the text, and named as the title", Names(titled),
		"The two shares that the paper has are of the titles that are on the page as they are labelled; those of the titles that the "+
			"methods name are of all. The paper extracts titles and does not name them.",
		"The newer the pages, the further headings are from the text, in headers with pictures and buttons.")
	for i := range found {
		t.Rows = append(t.Rows, columns.besidePaper(titled[i].Name, found[i]))
	}
	return []*Table{t}, nil
}

// namesTitle reports whether the title of a selection is that of the gold.
func (p *corePage) namesTitle(s *method.Selection) bool {
	return s.Title != dom.None && measure.Letters(p.Doc.Text(s.Title)) == measure.Letters(p.Gold.Title)
}
