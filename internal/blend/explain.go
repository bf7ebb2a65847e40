package blend

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/internal/learn/trees"
	"github.com/lede-news/lede/method"
)

// rule is a rule that drops blocks, whatever their probability.
type rule uint8

const (
	noRule rule = iota
	headlineRule
	datelineRule
	captionRule
	thirdPartyRule
	linkLineRule
	badNameRule
	commentsRule
	looseHeadingRule
	repeatRule
	linksRule
	boilerplateRule
	ruleCount
)

// ruleTexts describes the blocks that a rule drops. The other rules depend on the
// block; see choice.ruleText.
var ruleTexts = [ruleCount]string{
	headlineRule:     "the headline",
	datelineRule:     "a line with the date of publication",
	captionRule:      "a caption",
	linkLineRule:     "a line of links",
	commentsRule:     "readers' comments",
	looseHeadingRule: "a heading that no text of the article follows",
	repeatRule:       "a copy of an earlier paragraph",
	linksRule:        "nothing but links",
	boilerplateRule:  "in a menu, a footer or a form control",
}

// ruleText describes block i by the rule that dropped it.
func (c *choice) ruleText(i int) string {
	switch r := c.rules[i]; r {
	case thirdPartyRule:
		return c.ThirdParty(i)
	case badNameRule:
		return fmt.Sprintf("in an element named %q, a name that is rare around articles", c.BadName(i))
	default:
		return ruleTexts[r]
	}
}

// reasons explains the decision on every block: its probability, and either
// the rule that dropped it or the features with the largest effect on the
// probability.
func (c *choice) reasons(m *trees.Model, rows []float32) []method.Reason {
	const maxDetails = 5000 // blocks
	var out []method.Reason
	bins := make([]uint8, m.Width())
	features := len(blocks.Features)
	for i := range c.Blocks {
		why := c.reason(i)
		if site := c.siteReason(i); site != "" {
			why += ": " + site
		} else if i < maxDetails && (c.kept[i] || c.rules[i] == noRule) {
			row := rows[i*features : (i+1)*features]
			m.Bin(row, bins)
			_, effects := m.Reasons(bins, 0)
			why += ": " + strongest(effects, row)
		}
		for n := c.Blocks[i].First; n <= c.Blocks[i].Last; n++ {
			if c.page.IsText(n) && !c.page.Hidden(n) {
				out = append(out, method.Reason{Node: n, Kept: c.kept[i], Score: float64(c.prob[i]), Why: why})
			}
		}
	}
	return out
}

// reason explains the decision on block i by its probability and the rule that
// dropped it, if one did.
func (c *choice) reason(i int) string {
	const rounding = 1e-4
	prob := math.Floor(100*float64(c.prob[i])+rounding) / 100 // not shown as equal to a threshold it is below
	switch {
	case c.kept[i] && c.prob[i] < c.threshold && c.IsHeading(i):
		return fmt.Sprintf("probability %.2f, a heading among paragraphs of the article", prob)
	case c.kept[i] && c.prob[i] < c.threshold && c.isListLabel(i):
		return fmt.Sprintf("probability %.2f, the heading of a list of the article", prob)
	case c.kept[i]:
		return fmt.Sprintf("probability %.2f", prob)
	case c.rules[i] == noRule:
		return fmt.Sprintf("probability %.2f, below the threshold of %.2f", prob, c.threshold)
	case c.prob[i] < c.threshold:
		return fmt.Sprintf("probability %.2f, dropped: %s", prob, c.ruleText(i))
	}
	return fmt.Sprintf("probability %.2f, but dropped: %s", prob, c.ruleText(i))
}

// strongest describes the features with the largest effects, in log-odds.
func strongest(effects []trees.Reason, row []float32) string {
	const count = 3
	var out []string
	for _, e := range effects[:min(count, len(effects))] {
		i := slices.Index(blocks.Features, e.Feature)
		out = append(out, fmt.Sprintf("%s %+.1f", blocks.Describe(i, row[i]), e.Effect))
	}
	return strings.Join(out, ", ")
}
