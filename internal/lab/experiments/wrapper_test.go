package experiments

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/newsroom"
)

// The short form of all experiments: the paper's findings that hold on any pages.
func TestWrapperQuick(t *testing.T) {
	p := wrapperPaper()
	in := &Input{Quick: true, Seed: 1}
	skipped := 0
	tables, err := p.Run(t.Context(), in, nil, func(error) { skipped++ })
	if err != nil || skipped != 1 {
		t.Fatalf("%v, %d skipped", err, skipped)
	}
	figure := func(title, row string, column int) float64 {
		t.Helper()
		for _, tab := range tables {
			if !strings.HasPrefix(tab.Title, title) {
				continue
			}
			for _, r := range tab.Rows {
				if r.Name == row && r.cell(column).Ours != nil {
					return *r.Cells[column].Ours
				}
			}
		}
		t.Fatalf("no row %s in %s", row, title)
		return 0
	}
	for _, tab := range tables {
		if tab.Paper != "wrapper" || tab.ID == "" || tab.Corpus == "" || len(tab.Rows) == 0 {
			t.Errorf("%q is not complete", tab.Title)
		}
	}
	// A site that meets the paper's assumptions teaches most others; one whose body
	// is split between subtrees does not.
	if good, bad := figure("Table 2: testing results of the learned wrappers, wrapper:paper", "le-fanal", 0), figure("Table 2", "copperhaven-post", 0); good < 0.5 || bad > good {
		t.Errorf("Table 2: le-fanal %.3f, copperhaven-post %.3f", good, bad)
	}
	// Spatial features alone are worse than all.
	for _, title := range []string{"Table 3", "Table 4"} {
		if spatial, all := figure(title, "SPATIAL", 0), figure(title, "ALL", 0); spatial > all {
			t.Errorf("%s: spatial %.3f, all %.3f", title, spatial, all)
		}
	}
	if ours := figure("From lede's reading", "lede's reading, twelve sites, by text", 2); ours < 0.9 {
		t.Errorf("lede's reading on sites that suit it: %.3f", ours)
	}
}

// Wrappers learn from one site of a corpus and are tested on the others.
func TestWrapperSites(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	if err := newsroom.New(1).Write(dir, newsroom.WriteOptions{Pages: 12, Sites: []string{"northmoor-times", "tidewater-now"}}); err != nil {
		t.Fatal(err)
	}
	in := &Input{Corpora: []string{dir}, Seed: 1}
	run := runOn((*Input).realSites, wrapperSites)
	tables, err := run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if rows := tables[0].Rows; len(rows) != 5 || rows[0].Name != "northmoor-times" || *rows[0].Cells[0].Ours != 12 || *rows[0].Cells[6].Ours < 0.9 {
		t.Errorf("each site in turn: %+v", rows)
	}
	in.TrainSite = "tidewater-now"
	if tables, err = run(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	if rows := tables[0].Rows; len(rows) != 2 || rows[0].Name != "northmoor-times" || rows[1].Name != "all" || *rows[1].Cells[4].Ours < 0.5 {
		t.Errorf("from tidewater-now: %+v", rows)
	}
	in.TrainSite = "elsewhere"
	if _, err := run(t.Context(), in); !errors.Is(err, ErrNoSite) || !strings.Contains(err.Error(), "northmoor-times (12), tidewater-now (12)") {
		t.Errorf("unknown site: %v", err)
	}
}
