package experiments

import (
	"strings"
	"testing"
)

// TestStaDyNoT runs the short form of the experiments on made-up pages.
func TestStaDyNoT(t *testing.T) {
	p := stadynotPaper()
	tables, err := p.Run(t.Context(), &Input{Quick: true, Seed: 1}, nil, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	byTitle := map[string]*Table{}
	for _, tb := range tables {
		byTitle[tb.Title] = tb
	}
	f1 := func(table, row string) float64 {
		t.Helper()
		for title, tb := range byTitle {
			if !strings.HasPrefix(title, table) {
				continue
			}
			for _, r := range tb.Rows {
				if r.Name == row && r.Cells[2].Ours != nil {
					return *r.Cells[2].Ours
				}
			}
		}
		t.Fatalf("no figure for %s in %s", row, table)
		return 0
	}
	const stages, number, overall = "What each stage", "F1 against the number of neighbours: stadynot:paper", "Table 2 and Figure 5"
	for _, order := range []struct{ table, worse, better string }{
		{stages, "neither", "stage 1, static noise"}, {stages, "neither", "stage 2, dynamic noise"},
		{stages, "stage 1, static noise", "both"}, {stages, "stage 2, dynamic noise", "both"},
		{number, "0", "1"}, {overall, "stadynot:paper", "stadynot"},
		{"α of", "α = 800", "α = 50"}, {"β of", "β = 5 %", "β = 20 %"}, {"β of", "β = 100 %", "β = 20 %"},
	} {
		if a, b := f1(order.table, order.worse), f1(order.table, order.better); a >= b {
			t.Errorf("%s: F1 of %s is %.3f, of %s %.3f", order.table, order.worse, a, order.better, b)
		}
	}
	if a, b := f1(stages, "both"), f1(overall, "stadynot:paper"); a != b {
		t.Errorf("both stages have %.4f in one table and %.4f in the other", a, b)
	}
	published := byTitle["Table 2 and Figure 5: overall result"].Rows[0].Cells
	if *published[0].Paper != 0.8792 || *published[1].Paper != 0.9670 || *published[2].Paper != 0.9129 {
		t.Errorf("published figures: %v", published)
	}
	if rows := byTitle["Table 2: by site"].Rows; len(rows) != 18+11 {
		t.Errorf("%d rows by site", len(rows))
	}
	static := byTitle["Table 1: static noise"]
	if len(static.Rows) < 5 || !strings.Contains(static.Corpus, "10 neighbours") {
		t.Errorf("static noise: %v", static)
	}
}

// TestPublishedMeans checks the published figures by their means, which the paper
// prints too.
func TestPublishedMeans(t *testing.T) {
	var p, r, f1 float64
	for _, s := range stadynotBySite {
		p, r, f1 = p+s.p/11, r+s.r/11, f1+s.f1/11
	}
	for _, x := range []struct{ got, want float64 }{{p, stadynotOverall.p}, {r, stadynotOverall.r}, {f1, stadynotOverall.f1}} {
		if x.got < x.want-0.0005 || x.got > x.want+0.0005 {
			t.Errorf("the mean over sites is %.4f, the paper has %.4f", x.got, x.want)
		}
	}
}
