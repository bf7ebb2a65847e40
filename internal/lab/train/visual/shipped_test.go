package visual

import (
	"testing"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/internal/methods/wrapper"
)

// TestShippedAccuracy measures the model that comes with lede on pages that it
// was not trained on, with estimated layouts.
func TestShippedAccuracy(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("extracts 500 real pages; run it without -short")
	}
	for _, x := range []struct {
		name        string
		title, body float64 // floors
	}{
		{"fundus-publishers", 0.75, 0.82},
		{"l3s-gn1", 0.65, 0.75},
	} {
		t.Run(x.name, func(t *testing.T) {
			a, err := Measure(t.Context(), wrapper.New(wrapper.Default()), corpusPages(t, x.name))
			if err != nil {
				t.Fatal(err)
			}
			if a.Title < x.title || a.Body < x.body {
				t.Errorf("%d pages: title %.3f, want %.3f; body %.3f, want %.3f", a.Pages, a.Title, x.title, a.Body, x.body)
			}
		})
	}
}

// corpusPages returns the articles of a corpus, or skips the test if it is not
// there.
func corpusPages(t *testing.T, name string) []*Example {
	t.Helper()
	c, err := corpus.Open(testkit.Corpus(t, name))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := Load(t.Context(), c, EstimatedLayout, func(string, int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}
