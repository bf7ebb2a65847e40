package blend

import (
	"fmt"
	"strings"

	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/internal/learn/trees"
	"github.com/lede-news/lede/method"
)

// explain gives every block its reason: how probably it is story, and which
// features said so the loudest.
func (b *Blend) explain(s *method.Selection, c *choice, rows []float32) {
	m := b.model().Story
	bins := make([]uint8, m.Width())
	features := len(blocks.Features)
	for i := range c.Blocks {
		row := rows[i*features : (i+1)*features]
		said := "one of very many blocks"
		const many = 5000 // whose reasons nobody reads
		if i < many {
			m.Bin(row, bins)
			said = loudest(m.Reasons(bins, 0))
		}
		switch {
		case i == c.Headline:
			said = "the headline"
		case !c.kept[i] && c.p[i] >= enough:
			said = "nothing of the story follows it: " + said
		}
		for n := c.Blocks[i].First; n <= c.Blocks[i].Last; n++ {
			if c.page.IsText(n) && !c.page.Hidden(n) {
				s.Reasons = append(s.Reasons, method.Reason{Node: n, Kept: c.kept[i], Score: float64(c.p[i]), Why: said})
			}
		}
	}
}

// loudest spells the strongest reasons with their steps in log-odds.
func loudest(_ float64, reasons []trees.Reason) string {
	const most = 3
	var why []string
	for _, r := range reasons[:min(most, len(reasons))] {
		why = append(why, fmt.Sprintf("%s %+.1f", r.Feature, r.Effect))
	}
	return strings.Join(why, ", ")
}
