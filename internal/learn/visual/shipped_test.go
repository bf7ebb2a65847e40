package visual

import (
	"encoding/json"
	"os"
	"runtime"
	"testing"

	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/newsroom"
	"github.com/lede-news/lede/internal/testkit"
	"github.com/lede-news/lede/internal/wrapper"
)

// TestShippedAccuracy measures the model that comes with lede on pages that it
// was not trained on, with estimated layouts.
func TestShippedAccuracy(t *testing.T) {
	if testing.Short() {
		t.Skip("extracts 500 real pages; run it without -short")
	}
	for _, x := range []struct {
		name               string
		title, shown, body float64 // floors
	}{
		{"fundus-publishers", 0.75, 0.85, 0.82},
		{"l3s-gn1", 0.65, 0.8, 0.75},
	} {
		t.Run(x.name, func(t *testing.T) {
			a, err := Measure(t.Context(), wrapper.New(wrapper.Default()), corpusPages(t, x.name))
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

// TestShippedModels trains the models that come with lede again, from the pages
// of the commands in package wrapper.
func TestShippedModels(t *testing.T) {
	if testing.Short() {
		t.Skip("trains on 800 real pages; run it without -short")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("the models were trained on amd64; other processors round differently")
	}
	examples := corpusPages(t, "wcxb")
	for _, s := range newsroom.New(1).Sites() {
		pages, err := FromNewsroom(t.Context(), s, 0, 3, EstimatedLayout(wrapper.Default()))
		if err != nil {
			t.Fatal(err)
		}
		examples = append(examples, pages...)
	}
	for file, o := range map[string]Options{"model.json": {Config: wrapper.Default()}, "paper.json": PaperOptions()} {
		m, err := Train(t.Context(), examples, o)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(testkit.Repository("internal", "wrapper", file))
		if err != nil {
			t.Fatal(err)
		}
		var want struct{ Body, Title json.RawMessage }
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
		body, _ := json.Marshal(m.Body)
		title, _ := json.Marshal(m.Title)
		if string(body) != string(want.Body) || string(title) != string(want.Title) {
			t.Errorf("%s: training again gives another model", file)
		}
	}
}

// corpusPages returns the articles of a corpus, or skips the test if it is not
// there.
func corpusPages(t *testing.T, name string) []*Example {
	t.Helper()
	c, err := corpus.Open(testkit.Corpus(t, name), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pages, err := Load(t.Context(), c, func(g *corpus.Gold) bool { return g.Type == "" || g.Type == "article" }, EstimatedLayout(wrapper.Default()), nil)
	if err != nil {
		t.Fatal(err)
	}
	return pages
}
