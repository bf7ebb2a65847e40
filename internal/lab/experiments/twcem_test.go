package experiments

import (
	"strings"
	"testing"
)

// TestTWCEM runs the short form of the experiments on made-up pages.
func TestTWCEM(t *testing.T) {
	p := twcemPaper()
	tables, err := p.Run(t.Context(), &Input{Quick: true, Seed: 1}, nil, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	if len(tables) != 9 {
		t.Errorf("%d tables", len(tables))
	}
	ours := func(table, row, column string) float64 {
		t.Helper()
		for _, tb := range tables {
			if !strings.HasPrefix(tb.Title, table) {
				continue
			}
			for i, c := range tb.Columns {
				for _, r := range tb.Rows {
					if c.Name == column && r.Name == row && i < len(r.Cells) && r.Cells[i].Ours != nil {
						return *r.Cells[i].Ours
					}
				}
			}
		}
		t.Fatalf("no figure for %s, %s in %s", row, column, table)
		return 0
	}
	// A post is found by the text of its link, and hardly without.
	const titles, post = "Titles", "microblogs, twcem:microblog"
	if page, link := ours(titles, post, "F1, title of the page"), ours(titles, post, "F1, title of the link"); link < 0.9 || page > link-0.2 {
		t.Errorf("posts: F1 %.3f by their page, %.3f by their link", page, link)
	}
	news := "news, not Chinese"
	p4, p5, p6 := ours("Table 4", news, "twcem:paper"), ours("Table 5", news, "twcem:paper"), ours("Table 6", news, "twcem:paper")
	if p4 < 0.8 || p6 < p5 {
		t.Errorf("news: F1 %.3f, precision %.3f, recall %.3f", p4, p5, p6)
	}
	if own := ours("Table 4", news, "twcem"); own < p4 {
		t.Errorf("the default, %.3f, is worse than the paper, %.3f", own, p4)
	}
	// Figure 3 and Table 4 use the same settings at the paper's δ.
	if curve := ours("Figure 3(c)", "δ3 = 2", news); curve != p4 {
		t.Errorf("Figure 3 has %.4f at the paper's δ, Table 4 %.4f", curve, p4)
	}
	if ours("F1 by reading", "twcem:paper", news) != p4 {
		t.Error("the readings start from another figure")
	}
}

func TestIsChinese(t *testing.T) {
	for text, want := range map[string]bool{"港口大桥 closed": false, "港口大桥关闭，EU 说": true, "Bridge closed": false, "": false} {
		if isChinese(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
