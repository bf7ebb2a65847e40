package visual_test

import (
	"testing"

	"github.com/lede-news/lede/internal/learn/visual"
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
