package papers

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/coreex"
	"github.com/lede-news/lede/internal/eval/measure"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
)

// figure8 measures the time for a page on one core, with parsing.
func (e *coreExperiments) figure8(ctx context.Context, in *Input) ([]*Table, error) {
	const rounds = 3
	sample := 100
	if in.Quick {
		sample = 4
	}
	groups, err := e.coreGroups(ctx, in)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title:   "Figure 8: milliseconds per page",
		Columns: []Column{{"all (paper: under 15 but for R6)", Number}, {"parsing", Number}, {"conversion", Number}, {"CoreEx", Number}},
		Notes: []string{
			"The best of three rounds for every page, on one core, all variants of a page in turn. The paper measured Java on an Opteron of 1.8 GHz and draws bars without numbers.",
			"The conversion of R6 writes the parsed page as XHTML and parses that; the paper's is TagSoup, and by far its slowest step.",
		},
	}
	var total []*corePage
	for _, g := range groups {
		total = append(total, spread(g.pages, sample/len(groups))...)
	}
	methods := make([]method.Method, len(coreTable1))
	for i, r := range coreTable1 {
		methods[i] = coreex.New(corePreset(r.preset))
	}
	times := make([]coreTimes, len(coreTable1))
	for k, p := range total {
		in.Report("measuring time", k, len(total))
		var b bytes.Buffer
		if err := html.Render(&b, p.Doc.HTML(p.Doc.Root())); err != nil {
			return nil, err
		}
		best := make([]coreTimes, len(coreTable1))
		for round := range rounds {
			for i, r := range coreTable1 {
				x, err := timePage(ctx, b.Bytes(), methods[i], r.preset == "r6")
				if err != nil {
					return nil, err
				}
				if round == 0 || x.all() < best[i].all() {
					best[i] = x
				}
			}
		}
		for i, x := range best {
			times[i].parse += x.parse
			times[i].convert += x.convert
			times[i].choose += x.choose
		}
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(max(len(total), 1)) }
	for i, r := range coreTable1 {
		x := times[i]
		t.Rows = append(t.Rows, NewRow(r.name(), ms(x.all()), ms(x.parse), ms(x.convert), ms(x.choose)))
	}
	t.Corpus = fmt.Sprintf("%d articles of %s", len(total), groupNames(groups))
	return []*Table{t}, nil
}

type coreTimes struct{ parse, convert, choose time.Duration }

func (t coreTimes) all() time.Duration { return t.parse + t.convert + t.choose }

func timePage(ctx context.Context, page []byte, m method.Method, convert bool) (t coreTimes, err error) {
	start := time.Now()
	lap := func() time.Duration {
		now := time.Now()
		d := now.Sub(start)
		start = now
		return d
	}
	d, err := dom.Parse(ctx, page, dom.Options{Charset: "utf-8"})
	if err != nil {
		return t, err
	}
	t.parse = lap()
	if convert {
		if d, err = toXHTML(ctx, d); err != nil {
			return t, err
		}
		t.convert = lap()
	}
	_, _ = m.Select(ctx, &method.Page{Doc: d, NoReasons: true}) // finding nothing takes its time too
	t.choose = lap()
	return t, nil
}

// spread returns at most n pages at equal distances.
func spread[T any](pages []T, n int) []T {
	if n = max(n, 1); len(pages) <= n {
		return pages
	}
	out := make([]T, n)
	for i := range out {
		out[i] = pages[i*len(pages)/n]
	}
	return out
}

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

// figure9 measures how often the parts of an article are extracted.
func (e *coreExperiments) figure9(ctx context.Context, in *Input) ([]*Table, error) {
	groups, err := e.coreGroups(ctx, in)
	if err != nil {
		return nil, err
	}
	m := coreex.New(corePreset("paper"))
	var tables []*Table
	for _, g := range groups {
		type tally struct{ found, all [6]float64 }
		report := func(done int) { in.Report("Figure 9 on "+g.name, done, len(g.pages)) }
		pages, err := parallel.Map(ctx, len(g.pages), 0, report, func(i int) (t tally, err error) {
			p := g.pages[i]
			extracted := p.extract(m)
			f := newFinder(p)
			for k, part := range coreParts {
				if part.find == nil {
					t.found[k], t.all[k] = p.bodyRecalled(extracted)
					continue
				}
				for _, nodes := range part.find(f) {
					t.all[k]++
					for _, n := range nodes {
						if extracted[n] {
							t.found[k]++
							break
						}
					}
				}
			}
			return t, nil
		})
		if err != nil {
			return nil, err
		}
		t := &Table{
			Title: "Figure 9: recall of the parts of an article, on " + g.name, Corpus: g.corpus,
			Columns: []Column{{"parts on the pages", Count}, {"extracted", Ratio}},
		}
		if len(tables) == 0 {
			t.Notes = []string{"The body counts as extracted if at least half of the words of all labelled nodes are. The others are lines of the page that are extracted or not: lines with the text of the label, bylines short lines with the name of an author, dates short lines with the day and year, copyrights lines with that sign or word, of which the labels have none."}
		}
		for k, part := range coreParts {
			var found, all float64
			for _, x := range pages {
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

// bodyRecalled reports whether at least half of the words of the answer are
// extracted, as a number, and whether there is any.
func (p *corePage) bodyRecalled(extracted []bool) (found, all float64) {
	words, _ := p.compare(extracted)
	if words.answer == 0 {
		return 0, 0
	}
	if words.recall() >= 0.5 {
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
	return f.where(func(_ dom.Node, letters string) bool { return letters == measure.Letters(text) }, text != "")
}

// where returns the nodes for which match is true, as one part.
func (f *finder) where(match func(n dom.Node, letters string) bool, known bool) [][]dom.Node {
	var nodes []dom.Node
	if !known {
		return nil
	}
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
	if len(f.page.Gold.Authors) == 0 {
		return nil
	}
	name := measure.Letters(f.page.Gold.Authors[0])
	return f.where(func(n dom.Node, letters string) bool {
		return f.page.Doc.Words(n) <= shortLine && strings.Contains(letters, name)
	}, name != "")
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
	}, true)
}

func (f *finder) copyright() [][]dom.Node {
	return f.where(func(n dom.Node, letters string) bool {
		text := f.page.Doc.Text(n)
		return !strings.Contains(text, "\n") && (strings.HasPrefix(letters, "copyright") || strings.Contains(text, "©"))
	}, true)
}

// titles measures the recall of titles with the heading of section 6.1, and the
// method's own titles.
func (e *coreExperiments) titles(ctx context.Context, in *Input) ([]*Table, error) {
	groups, err := e.coreGroups(ctx, in)
	if err != nil {
		return nil, err
	}
	preset, own := coreex.New(corePreset("paper")), coreex.New(coreex.Default())
	t := &Table{
		Title: "Titles: extracted, with the heading beside the text, and named as the title",
		Columns: []Column{
			{"titles", Count}, {"on the page", Percent}, {"extracted", Percent}, {"or the heading beside it", Percent},
			{"coreex:paper exact", Percent}, {"coreex exact", Percent},
		},
		Notes: []string{
			"The two shares that the paper has are of the titles that are on the page as they are labelled; those of the titles that the methods name are of all. The paper extracts titles and does not name them.",
			"coreex:paper names the heading of section 6.1 or else the first heading in the text; coreex searches the page's title and all headings before the end of the text.",
			"The newer the pages, the further headings are from the text, in headers with pictures and buttons, and the seldomer they are beside it.",
		},
	}
	var titled []*coreGroup
	for _, g := range groups {
		type tally struct{ all, on, extracted, beside, preset, own float64 }
		report := func(done int) { in.Report("titles of "+g.name, done, len(g.pages)) }
		pages, err := parallel.Map(ctx, len(g.pages), 0, report, func(i int) (t tally, err error) {
			p := g.pages[i]
			title := measure.Letters(p.Gold.Title)
			if title == "" {
				return t, nil
			}
			t.all = 1
			nodes := newFinder(p).same(p.Gold.Title)
			named := false
			if s := p.choose(preset); s != nil {
				named = s.Title != dom.None && measure.Letters(p.Doc.Text(s.Title)) == title
				mask := s.Mask(p.Doc)
				if len(nodes) > 0 {
					for _, n := range nodes[0] {
						if mask[n] {
							t.extracted = 1
						}
					}
				}
			}
			if named {
				t.preset = 1
			}
			if len(nodes) > 0 {
				t.on = 1
				t.beside = max(t.extracted, t.preset)
			}
			if s := p.choose(own); s != nil && s.Title != dom.None && measure.Letters(p.Doc.Text(s.Title)) == title {
				t.own = 1
			}
			return t, nil
		})
		if err != nil {
			return nil, err
		}
		var x tally
		for _, y := range pages {
			x.all += y.all
			x.on += y.on
			x.extracted += y.extracted
			x.beside += y.beside
			x.preset += y.preset
			x.own += y.own
		}
		if x.all == 0 {
			continue
		}
		titled = append(titled, g)
		t.Rows = append(t.Rows, Row{g.name, []Cell{
			Ours(x.all), Ours(x.on / x.all), Both(x.extracted/x.on, 0.80), Both(x.beside/x.on, 0.92), Ours(x.preset / x.all), Ours(x.own / x.all),
		}})
	}
	t.Corpus = "articles of " + groupNames(titled)
	return []*Table{t}, nil
}
