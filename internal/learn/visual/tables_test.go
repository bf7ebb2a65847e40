package visual

import (
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/internal/wrapper"
)

func TestTable(t *testing.T) {
	tab := &Table{Title: "Table 0: a test", Columns: []string{"pages", "accuracy", "ms layout"}, Notes: []string{"A note."}, Rows: []Row{
		{"one", []float64{12, 0.5, 3.14}}, {"zwölf", []float64{3973, 1, none}},
	}}
	want := `Table 0: a test
       pages  accuracy  ms layout
one       12    50.0 %        3.1
zwölf   3973   100.0 %          -
A note.
`
	if got := tab.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestExperiments runs the experiments with few pages.
func TestExperiments(t *testing.T) {
	if testing.Short() {
		t.Skip("trains a wrapper for each of twelve sites; run it without -short")
	}
	steps := map[string]int{}
	s := Setup{Train: Options{Config: wrapper.Default()}, Labelled: 10, Testing: 4, Seed: 1, Progress: func(step string, done, total int) {
		if done > total {
			t.Errorf("%s: %d of %d", step, done, total)
		}
		steps[step]++
	}}
	tab, err := Table2(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + tab.String())
	if len(tab.Rows) != 16 || len(steps) == 0 {
		t.Errorf("%d rows", len(tab.Rows))
	}
	for _, r := range tab.Rows[:12] {
		if r.Values[0] < 0.96 { // section 5.2: "all the 36 wrappers … achieve an accuracy higher than 96%"
			t.Errorf("%s: %.3f", r.Name, r.Values[0])
		}
	}
	titles, bodies, err := Tables34(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + titles.String() + bodies.String())
	for _, tab := range []*Table{titles, bodies} {
		spatial, all := tab.Rows[0].Values[0], tab.Rows[2].Values[0]
		if all < 0.9 || spatial > all { // the paper's features miss one site's titles
			t.Errorf("%s: spatial %.3f, all %.3f", tab.Title, spatial, all)
		}
	}
	five, err := Table5(t.Context(), wrapper.New(wrapper.Default()), []Set{{"made", examples(t, 3), time.Second}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := five.Rows[0].Values; r[0] != 3 || r[3] != 1 || r[5] < 333 {
		t.Errorf("%v", r)
	}
	if !strings.Contains(five.String(), "without their external style sheets") {
		t.Error("no note that style sheets are missing")
	}
}
