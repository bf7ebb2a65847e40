package measure

import (
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
)

// textOf is the text of the nodes of a mask, as the page has it.
func textOf(d *dom.Document, marks []bool) string {
	var text strings.Builder
	end, running := 0, false
	for n, kept := range marks {
		from, to := d.Span(dom.Node(n))
		if !d.IsText(dom.Node(n)) || from == to {
			continue
		}
		switch {
		case kept && running:
			from = end // with the space between the two
		case kept:
			text.WriteByte('\n')
		}
		if running = kept; kept {
			text.WriteString(d.AllText()[from:to])
			end = to
		}
	}
	return text.String()
}

// TestAlignReal aligns the gold of corpora with their pages and back: the text
// of the nodes must be the gold's. What is missing is mostly not on the pages.
func TestAlignReal(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads three thousand pages; run without -short")
	}
	for _, name := range []string{"wcxb", "daniel", "dragnet", "fundus-publishers", "l3s-gn1"} {
		t.Run(name, func(t *testing.T) {
			c := readCorpus(t, name)
			var all []PRF
			for i := range c.Gold {
				g := &c.Gold[i]
				if g.Text == "" || g.Type != "article" && g.Type != "" {
					continue
				}
				html, err := c.Page(g)
				if err != nil {
					t.Fatal(err)
				}
				d := parse(t, string(html))
				all = append(all, Compare(Words(textOf(d, Align(d, g.Text))), Words(g.Text)))
			}
			m := Mean(all)
			t.Logf("%d pages: P %.4f, R %.4f, F1 %.4f", len(all), m.P, m.R, m.F1)
			if m.F1 < 0.985 {
				t.Errorf("F1 is %.4f", m.F1)
			}
		})
	}
}
