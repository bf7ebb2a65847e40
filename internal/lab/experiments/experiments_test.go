package experiments

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/tune"
)

func TestRun(t *testing.T) {
	t.Parallel()
	one := func(title string) func(context.Context, *Input) ([]*Table, error) {
		return func(context.Context, *Input) ([]*Table, error) { return []*Table{{Title: title}}, nil }
	}
	p := Paper{Method: "m", Experiments: []Experiment{{ID: "1", Run: one("first")}, {ID: "figure2", Run: one("second")}}}
	if tables, err := p.Run(t.Context(), &Input{}, nil); err != nil || len(tables) != 2 {
		t.Errorf("all: %v, %v", tables, err)
	}
	if tables, err := p.Run(t.Context(), &Input{}, []string{"figure2"}); err != nil || len(tables) != 1 || tables[0].Title != "second" {
		t.Errorf("one: %v, %v", tables, err)
	}
}

// results are the tables of a paper.
type results []*Table

// runPaper runs the experiments of a paper on a few synthetic pages.
func runPaper(t *testing.T, p Paper) results {
	t.Helper()
	tables, err := p.Run(t.Context(), &Input{Limit: 2, Seed: 1, Progress: func(string, int, int) {}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tb := range tables {
		if tb.Corpus == "" || len(tb.Rows) == 0 {
			t.Errorf("%q is not complete", tb.Title)
		}
	}
	return tables
}

// ours returns a figure of the table whose title begins as given.
func (tables results) ours(t *testing.T, title, row, column string) float64 {
	t.Helper()
	for _, tb := range tables {
		for _, r := range tb.Rows {
			for i, c := range tb.Columns {
				if strings.HasPrefix(tb.Title, title) && strings.HasPrefix(r.Name, row) && c.Name == column && isFigure(r.cell(i).Ours) {
					return r.cell(i).Ours
				}
			}
		}
	}
	t.Fatalf("no figure for %s, %s in %s", row, column, title)
	return 0
}

func TestNCE(t *testing.T) {
	t.Parallel()
	tables := runPaper(t, ncePaper())
	// The least that may be expected on synthetic pages.
	for _, want := range []struct {
		title, row, column string
		least              float64
	}{
		{"Table 1", "mean", "recall", 0.95},
		{"F1 on the classification", "all", "nce:paper", 0.6},
		{"The effect of Phase 2", "all", "F1", 0.85},
		{"Pages whose comments", "all, by nce", "removed", 0.5},
		{"Pages whose title", "all", "retrieved", 0.8},
		{"Assumption 1", "all", "F1 above 0.9", 0.9},
	} {
		if got := tables.ours(t, want.title, want.row, want.column); !(got >= want.least) {
			t.Errorf("%s, %s, %s: %.3f, want at least %.3f", want.title, want.row, want.column, got, want.least)
		}
	}
	if lost := tables.ours(t, "Pages that lose", "all", "over a half"); !(lost <= 0.1) {
		t.Errorf("%.3f of the pages lose half of their body", lost)
	}
}

func TestCoreEx(t *testing.T) {
	t.Parallel()
	tables := runPaper(t, coreexPaper())
	// Section 5.1: basic scoring finds next to nothing, and subset selection gains.
	recall := func(row string) float64 { return tables.ours(t, "Table 1", row, "recall") }
	if r1, r2, r3 := recall("R1"), recall("R2"), recall("R3"); r1 > 0.1 || r2 < 0.5 || r3 <= r2 {
		t.Errorf("recall of R1 %.3f, R2 %.3f, R3 %.3f", r1, r2, r3)
	}
	f1 := func(row string) float64 { return tables.ours(t, "Table 1", row, "F1") }
	if r5, r6, own := f1("R5"), f1("R6"), f1("coreex"); r5 != r6 || own <= r5 {
		t.Errorf("R5 %.4f, R6 %.4f on well-formed pages, our default %.3f", r5, r6, own)
	}
	// Section 6.1: a site with every page in a form.
	if r := tables.ours(t, "Figure 10", "harrow-vale-herald", "recall"); r != 0 {
		t.Errorf("recall %.3f on pages in a form, want 0", r)
	}
	const lost = "What R5 loses"
	if all, read := tables.ours(t, lost, "synthetic sites, all", "F1"), tables.ours(t, lost, "synthetic sites, all", "F1, forms read"); read <= all {
		t.Errorf("R5 %.3f, with forms read %.3f", all, read)
	}
	if title, body := tables.ours(t, "Figure 9", "synthetic", "title"), tables.ours(t, "Figure 9", "synthetic", "body"); title >= body {
		t.Errorf("recall of titles %.3f, of bodies %.3f", title, body)
	}
	if in, beside := tables.ours(t, "Titles", "synthetic", "extracted"), tables.ours(t, "Titles", "synthetic", "or the heading beside it"); beside <= in {
		t.Errorf("recall of titles %.3f, with the heading beside the text %.3f", in, beside)
	}
}

func TestTWCEM(t *testing.T) {
	t.Parallel()
	tables := runPaper(t, twcemPaper())
	const news = "news, not Chinese"
	f1, own, rival := tables.ours(t, "Table 4", news, "twcem:paper"), tables.ours(t, "Table 4", news, "twcem"), tables.ours(t, "Table 4", news, "CETD")
	if f1 < 0.8 || own < f1 || rival < 0.8 {
		t.Errorf("F1 of twcem:paper %.3f, of twcem %.3f, of CETD %.3f", f1, own, rival)
	}
	// The readings have their price in recall.
	p, r := tables.ours(t, "Readings", "twcem:paper: "+news, "precision"), tables.ours(t, "Readings", "twcem:paper: "+news, "recall")
	halvesP, halvesR := tables.ours(t, "Readings", "halves=true, all-marks=true: "+news, "precision"), tables.ours(t, "Readings", "halves=true, all-marks=true: "+news, "recall")
	if p < halvesP || r > halvesR {
		t.Errorf("precision %.3f and recall %.3f, of the other readings %.3f and %.3f", p, r, halvesP, halvesR)
	}
	// Figure 3 and Table 4 use the same settings at the paper's δ.
	if curve := tables.ours(t, "Figure 3(c)", "δ3 = 2", news); curve != f1 {
		t.Errorf("Figure 3 has %.4f at the paper's δ, Table 4 %.4f", curve, f1)
	}
}

// TestCETD checks that the article is found as the densest part of the page.
func TestCETD(t *testing.T) {
	t.Parallel()
	links := strings.Repeat(`<li><a href="/x">Another headline of the day</a></li>`, 9)
	page := `<body><ul>` + links + `</ul><div><p>The ferry is back in service after a winter in the dock.</p><p>It crosses the bay six times a ` +
		`day, says the <a href="/h">harbour</a>.</p><p>Few people noticed that it was gone.</p></div><ul>` + links + `</ul></body>`
	x := parsePage(t, page, &corpus.Gold{})
	if got, want := retrieve(cetd{}, x, nil).text, x.Doc.Text(x.Doc.First(dom.Div)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, page := range []string{"<p></p>", "<p>No links.</p>", "<a href=/x>No text</a>"} {
		x := parsePage(t, page, &corpus.Gold{})
		if got := retrieve(cetd{}, x, nil).text; got != x.Doc.AllText() {
			t.Errorf("%s: got %q", page, got)
		}
	}
}

func TestStaDyNoT(t *testing.T) {
	t.Parallel()
	tables := runPaper(t, stadynotPaper())
	if paper, own := tables.ours(t, "Table 2 and", "stadynot:paper", "F1"), tables.ours(t, "Table 2 and", "stadynot", "F1"); paper < 0.7 || own < 0.7 {
		t.Errorf("F1 of stadynot:paper %.3f, of stadynot %.3f", paper, own)
	}
	if static := tables[0]; len(static.Rows) < 5 || !strings.Contains(static.Corpus, "9 neighbours out of 19") {
		t.Errorf("static noise: %v", static)
	}
	if rows := tables[2].Rows; len(rows) != 18+11 {
		t.Errorf("%d rows by site", len(rows))
	}
}

// TestPublishedMeans checks the published figures by their means, which the paper
// prints too.
func TestPublishedMeans(t *testing.T) {
	t.Parallel()
	var p, r, f1 float64
	for _, s := range stadynotBySite {
		p, r, f1 = p+s.p/11, r+s.r/11, f1+s.f1/11
	}
	for _, x := range []struct{ got, want float64 }{{p, stadynotOverall.p}, {r, stadynotOverall.r}, {f1, stadynotOverall.f1}} {
		if x.got < x.want-0.0005 || x.got > x.want+0.0005 {
			t.Errorf("the mean over sites is %.4f, the paper has %.4f", x.got, x.want)
		}
	}
	for figure, methods := range [3][4]float64{{89.96, 72.79, 75.98, 76.04}, {96.86, 76.04, 66.11, 95.47}, {84.20, 70.54, 93.87, 67.66}} {
		for k, want := range methods {
			if got := meanOf(twcemSites, func(s twcemSite) float64 { return s.percent[figure][k] }); got < want-0.02 || got > want+0.02 {
				t.Errorf("TWCEM: the mean of figure %d of method %d is %.2f, the paper has %.2f", figure, k, got, want)
			}
		}
	}
}

func TestWrapper(t *testing.T) {
	t.Parallel()
	tables := runPaper(t, wrapperPaper())
	// A site that meets the paper's assumptions teaches most others; one whose body
	// is split between subtrees does not.
	if good, bad := tables.ours(t, "Table 2", "le-fanal", "M10"), tables.ours(t, "Table 2", "copperhaven-post", "M10"); good < 0.5 || bad > good {
		t.Errorf("Table 2: le-fanal %.3f, copperhaven-post %.3f", good, bad)
	}
	for _, tb := range tables {
		if r := tb.Rows[len(tb.Rows)-1]; strings.HasPrefix(tb.Title, "Table 5") && r.Cells[2].Paper != 0.8771 {
			t.Errorf("the last row of Table 5 is %v, want the baseline", r)
		}
	}
	// Spatial features alone are worse than all.
	for _, title := range []string{"Table 3", "Table 4"} {
		if spatial, all := tables.ours(t, title, "SPATIAL", "accuracy"), tables.ours(t, title, "ALL", "accuracy"); spatial > all {
			t.Errorf("%s: spatial %.3f, all %.3f", title, spatial, all)
		}
	}
}

// TestCoreSums is section 3.3 on a page of which half is extracted.
func TestCoreSums(t *testing.T) {
	t.Parallel()
	page := `<body><ul><li><a href=a>Home</a><li><a href=b>Sport</a></ul><h1>Mill opens</h1>
<div><p>The old mill opens its doors on Saturday.</p><p>Visitors can buy flour.</p></div><a href=c>More</a>`
	p := newCorePage(parsePage(t, page, &corpus.Gold{Title: "Mill opens", Text: "The old mill opens its doors on Saturday."}))
	d := p.Doc
	extracted := make([]bool, d.Len())
	for n := d.First(dom.Div); n < d.End(d.First(dom.Div)); n++ {
		extracted[n] = true
	}
	words, nodes := p.compare(extracted)
	if want := (coreSums{8, 12, 10}); words != want {
		t.Errorf("words %v, want %v", words, want)
	}
	if want := (coreSums{1, 2, 2}); nodes != want {
		t.Errorf("nodes %v, want %v", nodes, want)
	}
}

// TestCoreLines finds the lines of Figure 9.
func TestCoreLines(t *testing.T) {
	t.Parallel()
	page := `<body><h1><span>Mill</span> opens</h1><p>By <b>Ann Weir</b></p><p>The old mill opens.</p><p>© Weir Gazette 2024</p>`
	p := newCorePage(parsePage(t, page, &corpus.Gold{Title: "Mill opens!", Text: "The old mill opens."}))
	for want, nodes := range map[string][]dom.Node{"Mill opens": p.titleLines(), "© Weir Gazette 2024": p.copyrightLines()} {
		if len(nodes) == 0 || p.Doc.Text(nodes[0]) != want {
			t.Errorf("got %v, want %q", nodes, want)
		}
	}
	p.Gold.Title = "Gulls leave"
	if nodes := p.titleLines(); len(nodes) > 0 {
		t.Errorf("got %v for an absent title", nodes)
	}
}

func parsePage(t *testing.T, page string, g *corpus.Gold) *tune.Example {
	t.Helper()
	d, err := dom.Parse(t.Context(), []byte(page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &tune.Example{Doc: d, Gold: g}
}

func TestBestSeparator(t *testing.T) {
	t.Parallel()
	const story = "The ferry is back in service after a winter in the dock, and crosses the bay six times a day."
	links := strings.Repeat(`<a href="/x">Some other headline of the day</a> `, 10)
	page := fmt.Sprintf("<body><div>%s</div><div><p>%s</p><p>%s</p></div></body>", links, story, links)
	if got := bestSeparator(parsePage(t, page, &corpus.Gold{Text: story})); got != 1 {
		t.Errorf("the children without links: F1 %.3f", got)
	}
	if got := bestSeparator(parsePage(t, page, &corpus.Gold{Text: "Nothing of this is on the page."})); got != 0 {
		t.Errorf("another article: F1 %.3f", got)
	}
}

func TestLargestSites(t *testing.T) {
	t.Parallel()
	var scores []siteScores
	add := func(site, lang string, pages int) {
		for range pages {
			scores = append(scores, siteScores{gold: &corpus.Gold{Site: site, Lang: lang}, relevant: 1})
		}
	}
	add("small", "", 2)
	add("french", "fr", 30)
	add("large", "en-GB", nceSitePages+3)
	sites := largestSites(scores)
	if len(sites) != 2 || sites[0].Name != "large" || len(sites[0].Pages) != nceSitePages || len(sites[1].Pages) != 2 {
		t.Errorf("got %v", sites)
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	table := &Table{
		Title: "Table 1: results", Corpus: "3 synthetic articles",
		Columns: []Column{{"recall", Ratio}, {"correct", Percent}, {"pages", Count}, {"ms", Number}},
		Rows: []Row{
			{"R1", []Cell{{0.5, 0.947}, Ours(0.25), Ours(3), Ours(12.5)}},
			{"R2", []Cell{{None, 0.9}, Ours(None)}},
		},
		Notes: []string{"The judges were people."},
	}
	want := `Table 1: results
      recall (paper)  correct  pages    ms
  R1   0.500 (0.947)   25.0 %      3  12.5
  R2       – (0.900)
Pages: 3 synthetic articles.
The judges were people.
`
	if got := table.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
