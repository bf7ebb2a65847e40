package experiments

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/tune"
)

// TestNCE runs the short form of all experiments that need no browser.
func TestNCE(t *testing.T) {
	p := ncePaper()
	tables, err := p.Run(t.Context(), &Input{Quick: true, Seed: 1}, nil, func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	// Row, column, and the least that may be expected on made-up pages.
	for id, want := range map[string]struct {
		row, column string
		least       float64
	}{
		"1":         {"mean", "recall", 0.95},
		"leaves":    {"all", "nce:paper", 0.6},
		"phase2":    {"all", "F1", 0.85},
		"comments":  {"all, by nce", "removed", 0.5},
		"titles":    {"all", "retrieved", 0.8},
		"separator": {"all", "F1 above 0.9", 0.9},
	} {
		if got := figureOf(tables, id, want.row, want.column); !(got >= want.least) {
			t.Errorf("experiment %s, %s, %s: %.3f, want at least %.3f", id, want.row, want.column, got, want.least)
		}
	}
	if lost := figureOf(tables, "body", "all", "over a half"); !(lost <= 0.1) {
		t.Errorf("%.3f of the pages lose half of their body", lost)
	}
	if chars := figureOf(tables, "1", "mean", "relevant"); !(chars > 0.2 && chars < 0.9) {
		t.Errorf("%.3f of the pages is relevant", chars)
	}
}

// figureOf returns a figure of ours, or -1 if there is none.
func figureOf(tables []*Table, id, row, column string) float64 {
	for _, t := range tables {
		for _, r := range t.Rows {
			for i, c := range t.Columns {
				if t.ID == id && r.Name == row && c.Name == column && r.cell(i).Ours != nil {
					return *r.cell(i).Ours
				}
			}
		}
	}
	return -1
}

func parsePage(t *testing.T, page string, g *corpus.Gold) *tune.Example {
	t.Helper()
	d, err := dom.Parse(t.Context(), []byte(page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tune.NewExample(d, g)
}

func TestBestSeparator(t *testing.T) {
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

func TestNames(t *testing.T) {
	pages := make([]*tune.Example, 2)
	if got, want := Names([]*Set{{"daniel", pages}, {"empty", nil}, {"le-fanal", pages}}), "4 articles of daniel, 1 made-up sites"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
