package stadynot_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/newsroom"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/methods/stadynot"
	"github.com/lede-news/lede/internal/story/compose"
	"github.com/lede-news/lede/internal/story/metadata"
	"github.com/lede-news/lede/method"
)

// all means every other page of the site.
const all = 1 << 30

// TestNeighbours is the experiment of section 4: every page of a site with the
// others as its neighbours. It logs a table and checks floors.
func TestNeighbours(t *testing.T) {
	if testing.Short() {
		t.Skip("the experiment reads some 700 pages; run it without -short")
	}
	counts := []int{0, all} // those with floors
	if testkit.Step(2, 2) == 1 {
		counts = []int{0, 1, 3, 5, 10, all}
	}
	for _, c := range []struct {
		name  string
		sites []site
		// Floors of the default with all neighbours, of the paper's reading with
		// all, and of the default with none.
		best, paper, alone measure.PRF
	}{
		{"daniel", readSites(t, "daniel"),
			measure.PRF{P: 0.93, R: 0.955, F1: 0.935}, measure.PRF{P: 0.81, R: 0.945, F1: 0.85}, measure.PRF{P: 0.82, R: 0.95, F1: 0.86}},
		{"cleanportaleval", readSites(t, "cleanportaleval"),
			measure.PRF{P: 0.88, R: 0.94, F1: 0.9}, measure.PRF{P: 0.8, R: 0.93, F1: 0.845}, measure.PRF{P: 0.775, R: 0.95, F1: 0.835}},
		{"newsroom", madeUpSites(t, 12),
			measure.PRF{P: 0.94, R: 0.975, F1: 0.955}, measure.PRF{P: 0.81, R: 0.94, F1: 0.87}, measure.PRF{P: 0.82, R: 0.99, F1: 0.9}},
	} {
		if len(c.sites) == 0 {
			t.Logf("%s: no such corpus beside the repository", c.name)
			continue
		}
		for _, config := range []stadynot.Config{stadynot.Paper(), stadynot.Default()} {
			m := stadynot.New(config)
			for _, k := range counts {
				bySite := experiment(t, m, c.sites, k)
				got := measure.Mean(slices.Concat(bySite...))
				t.Logf("%-15s %-14s %3s neighbours  P %.3f  R %.3f  F1 %.3f", c.name, m.Name(), countName(k), got.P, got.R, got.F1)
				if k == all {
					for i, s := range c.sites {
						x := measure.Mean(bySite[i])
						t.Logf("    %-25s %3d pages  P %.3f  R %.3f  F1 %.3f", s.name, len(bySite[i]), x.P, x.R, x.F1)
					}
				}
				least := measure.PRF{}
				switch {
				case k == all && config == stadynot.Default():
					least = c.best
				case k == all:
					least = c.paper
				case k == 0 && config == stadynot.Default():
					least = c.alone
				}
				if got.P < least.P || got.R < least.R || got.F1 < least.F1 {
					t.Errorf("%s, %s, %s neighbours: %.3f is below the floor %.3f", c.name, m.Name(), countName(k), got, least)
				}
			}
		}
	}
}

func countName(k int) string {
	if k == all {
		return "all"
	}
	return fmt.Sprint(k)
}

// site is the pages of a site.
type site struct {
	name  string
	pages []*page
}

type page struct {
	gold  *corpus.Gold
	doc   *dom.Document
	title string
}

// experiment scores every page of every site with k neighbours.
func experiment(t *testing.T, m *stadynot.StaDyNoT, sites []site, k int) [][]measure.PRF {
	out := make([][]measure.PRF, len(sites))
	var wg sync.WaitGroup
	for i, s := range sites {
		wg.Go(func() {
			everybody := stadynot.NewSupport()
			for _, p := range s.pages {
				everybody.Add(p.doc)
			}
			for _, p := range s.pages {
				if p.gold.Text == "" {
					continue
				}
				support := everybody
				if k < len(s.pages)-1 {
					support = stadynot.NewSupport()
					at := slices.Index(s.pages, p)
					for i := range k {
						support.Add(s.pages[(at+1+i)%len(s.pages)].doc)
					}
				}
				in := &method.Page{Doc: p.doc, URL: p.gold.URL}
				if k > 0 {
					in.Site = m.Site(support, p.doc)
				}
				out[i] = append(out[i], measure.Score(p.gold, p.title, p.text(t, m, in)))
			}
		})
	}
	wg.Wait()
	return out
}

// text returns the text of the article.
func (p *page) text(t *testing.T, m method.Method, in *method.Page) string {
	s, err := m.Select(context.Background(), in)
	if err == method.ErrNoContent {
		return ""
	}
	if err != nil {
		t.Error(err)
		return ""
	}
	body := compose.Blocks(p.doc, s.Mask(p.doc), compose.Options{URL: p.gold.URL})
	return article.Text(compose.DropHeadline(body, p.title).Article())
}

func newPage(t *testing.T, g *corpus.Gold, html []byte) *page {
	d, err := dom.Parse(context.Background(), html, dom.Options{Charset: "utf-8"})
	if err != nil {
		t.Errorf("%s: %v", g.ID, err)
		return nil
	}
	return &page{gold: g, doc: d, title: metadata.Read(d, metadata.Options{URL: g.URL, Title: dom.None}).Title}
}

// readSites returns the sites of a corpus with ten pages or more, or none if
// there is no corpus.
func readSites(t *testing.T, name string) (sites []site) {
	const least = 10
	dir := testkit.Shared("corpora", name)
	if found, _ := filepath.Glob(filepath.Join(dir, "gold.jsonl")); len(found) == 0 {
		return nil
	}
	c, err := corpus.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	bySite := map[string][]*corpus.Gold{}
	var names []string
	for i := range c.Gold {
		g := &c.Gold[i]
		s := g.SiteName()
		if bySite[s] = append(bySite[s], g); len(bySite[s]) == least {
			names = append(names, s)
		}
	}
	slices.Sort(names)
	for _, n := range names {
		s := site{name: n}
		for _, g := range bySite[n] {
			html, err := c.Page(g)
			if err != nil {
				t.Fatal(err)
			}
			if p := newPage(t, g, html); p != nil {
				s.pages = append(s.pages, p)
			}
		}
		sites = append(sites, s)
	}
	return sites
}

// madeUpSites returns the sites of the newsroom.
func madeUpSites(t *testing.T, pages int) (sites []site) {
	for _, s := range newsroom.New(1).Sites() {
		made := site{name: s.Name}
		for i := range pages {
			p := s.Page(i)
			g := &corpus.Gold{ID: p.Gold.ID, URL: p.Gold.URL, Site: s.Name, Title: p.Gold.Title, Text: p.Gold.Text}
			if q := newPage(t, g, p.HTML); q != nil {
				made.pages = append(made.pages, q)
			}
		}
		sites = append(sites, made)
	}
	return sites
}
