package experiments

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/lede-news/lede/internal/lab/testkit"
	"github.com/lede-news/lede/stories"
)

func TestPearson(t *testing.T) {
	pairs := []storyPair{{Lang: "en", Overall: 1}, {Lang: "en", Overall: 2}, {Lang: "de", Overall: 4}, {Lang: "de", Overall: 1}}
	for _, test := range []struct {
		scores []float64
		lang   string
		want   float64
	}{
		{[]float64{-1, -2, -4, -1}, "", 1},
		{[]float64{2, 4, 8, 2}, "", -1},
		{[]float64{0.9, 0.1, 0.2, 0.3}, "de", 1},
		{[]float64{0.5, 0.25, 0, 0.25}, "", 0.8660254},
	} {
		if r := pearson(pairs, test.scores, test.lang); math.Abs(r-test.want) > 1e-6 {
			t.Errorf("correlation of %v in %q is %v, want %v", test.scores, test.lang, r, test.want)
		}
	}
}

func TestCosines(t *testing.T) {
	set := map[string]*stories.Article{
		"1": {Title: "Bridge closed", Text: "crack"}, "2": {Title: "bridge closed", Text: "Crack"}, "3": {Title: "Harvest", Text: "wheat"}, "4": {},
	}
	got := cosines([]storyPair{{A: "1", B: "2"}, {A: "1", B: "3"}, {A: "3", B: "4"}, {A: "4", B: "4"}}, set)
	for i, want := range []float64{1, 0, 0, 0} {
		if math.Abs(got[i]-want) > 1e-9 {
			t.Errorf("pair %d: %v, want %v", i, got[i], want)
		}
	}
}

// TestNCEStories runs the short form on a few of the judged pairs.
func TestNCEStories(t *testing.T) {
	folder := testkit.Shared("pairs")
	if _, err := os.Stat(filepath.Join(folder, "pairs.jsonl")); err != nil {
		t.Skipf("there are no judged pairs: %v", err)
	}
	paper := ncePaper()
	tables, err := paper.Run(t.Context(), &Input{Pairs: folder, Quick: true}, []string{"stories"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := tables[0].Rows
	if len(rows) != len(nceTexts) {
		t.Fatalf("%d rows, want %d", len(rows), len(nceTexts))
	}
	best := *rows[len(rows)-2].Cells[0].Ours
	for _, row := range rows {
		if row.Name == wholePage && *row.Cells[0].Ours >= best {
			t.Errorf("%s has %.3f, blend %.3f", row.Name, *row.Cells[0].Ours, best)
		}
	}
	if _, err := paper.Run(t.Context(), &Input{Pairs: t.TempDir()}, []string{"stories"}, nil); err == nil {
		t.Error("an empty folder is no error")
	}
}
