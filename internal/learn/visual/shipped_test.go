package visual_test

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/learn/visual"
	"github.com/lede-news/lede/internal/newsroom"
	"github.com/lede-news/lede/internal/testkit"
	"github.com/lede-news/lede/internal/wrapper"
)

// TestCorpora holds the figures of the wrapper that comes with lede on pages that
// it was not trained on, with estimated layouts.
func TestCorpora(t *testing.T) {
	if testing.Short() {
		t.Skip("reads some 500 real pages; run it without -short")
	}
	for _, x := range []struct {
		name               string
		title, shown, body float64 // floors
	}{
		{"fundus-publishers", 0.75, 0.85, 0.82},
		{"l3s-gn1", 0.65, 0.8, 0.75},
	} {
		t.Run(x.name, func(t *testing.T) {
			pages := corpusPages(t, x.name, visual.Estimated(wrapper.Default()))
			a, err := visual.Measure(t.Context(), wrapper.New(wrapper.Default()), pages)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d pages: title %.3f, where shown %.3f, body %.3f, news %.3f", a.Pages, a.Title, a.Shown, a.Body, a.Both)
			if a.Title < x.title || a.Shown < x.shown || a.Body < x.body {
				t.Errorf("below the floors: title %.3f, where shown %.3f, body %.3f", x.title, x.shown, x.body)
			}
		})
	}
}

var ship = flag.String("ship", "", "train the models that come with lede anew, with this `date` on their cards, and write them")

// TestShip trains the models that come with lede: on real pages of today and a
// made-up one or two of every site, all with estimated layouts. With pages of
// 2011 among them, held-out pages of all years did worse.
func TestShip(t *testing.T) {
	if *ship == "" {
		t.Skip("trains only when asked to, with -ship")
	}
	examples := trainingPages(t)
	paper, _ := wrapper.Preset("paper")
	for _, x := range []struct {
		file, about string
		o           visual.Options
	}{
		{"model.json", "M_BODY and M_TITLE by all features, layouts estimated", visual.Options{Config: wrapper.Default()}},
		{"paper.json", "M_BODY and M_TITLE by the features of the paper, layouts estimated", visual.Options{
			Config: paper, Body: visual.Paper(wrapper.BodyFeatures(), ""), Title: visual.Paper(wrapper.TitleFeatures(), ""),
		}},
	} {
		a, err := visual.CrossValidate(t.Context(), examples, 4, x.o, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s, cross-validated: %+v", x.file, a)
		m, err := visual.Train(t.Context(), examples, x.o)
		if err != nil {
			t.Fatal(err)
		}
		m.Card.About, m.Card.Date = x.about, *ship
		m.Card.Figures = map[string]float64{"title": cut(a.Title), "title, where shown": cut(a.Shown), "body": cut(a.Body), "news": cut(a.Both)}
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join("..", "..", "method", "wrapper", x.file), append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, %d and %d support vectors", x.file, len(data), m.Body.Vectors(), m.Title.Vectors())
	}
}

func cut(x float64) float64 { return math.Round(1000*x) / 1000 }

func trainingPages(t *testing.T) []*visual.Example {
	t.Helper()
	var all []*visual.Example
	lay := visual.Estimated(wrapper.Default())
	for _, name := range []string{"wcxb"} {
		all = append(all, corpusPages(t, name, lay)...)
	}
	for _, s := range newsroom.New(1).Sites() {
		pages, err := visual.FromNewsroom(t.Context(), s, 0, 3, lay)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pages...)
	}
	return all
}

// corpusPages reads the articles of a corpus, or skips where there is none.
func corpusPages(t testing.TB, name string, lay visual.Layouter) []*visual.Example {
	t.Helper()
	dir := testkit.Shared("corpora", name)
	if found, _ := filepath.Glob(filepath.Join(dir, "gold.jsonl")); len(found) == 0 {
		t.Skipf("no corpus %s beside the repository", name)
	}
	c, err := corpus.Open(dir, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pages, err := visual.Load(t.Context(), c, func(g *corpus.Gold) bool { return g.Type == "" || g.Type == "article" }, lay, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pages
}
