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
