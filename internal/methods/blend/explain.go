package blend

import (
	"strings"

	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/internal/methods/reasons"
	"github.com/lede-news/lede/internal/methods/trees"
	"github.com/lede-news/lede/method"
)

// rule is a rule that weakens or drops blocks.
type rule uint8

const (
	noRule rule = iota
	headlineRule
	datelineRule
	linkLineRule
	commentsRule
	commentNameRule
	secondStoryRule
	repeatRule
	linksRule
	boilerplateRule
	ruleCount
)

// ruleTexts describes the blocks that a rule is about.
var ruleTexts = [ruleCount]string{
	headlineRule:    "the headline",
	datelineRule:    "a line with the date of publication",
	linkLineRule:    "a line of links",
	commentsRule:    "readers' comments",
	commentNameRule: "in a box named for readers' comments",
	secondStoryRule: "below the headline of another story",
	repeatRule:      "a copy of an earlier paragraph",
	linksRule:       "nothing but links",
	boilerplateRule: "in a menu, in a footer or part of a button",
}

// reasons explains the decision on every block in plain words: its probability,
// and either the rule that dropped it or what weighed most.
func (c *choice) reasons(m *trees.Model, rows []float32) []method.Reason {
	const maxDetails = 5000 // blocks
	w := c.newWeigher(m)
	texts := 0
	for i := range c.Blocks {
		texts += int(c.Blocks[i].Counts.Texts)
	}
	out := make([]method.Reason, 0, texts)
	features := len(blocks.Features)
	for i := range c.Blocks {
		why := append(w.line[:0], c.reason(i)...)
		if i < maxDetails && !c.isByRule(i) {
			why = append(why, ": "...)
			why = w.appendDetails(why, i, rows[i*features:(i+1)*features])
		}
		w.line = why
		if c.IsHeading(i) {
			w.heading = i
		}
		text := string(why)
		for n := c.Blocks[i].First; n <= c.Blocks[i].Last; n++ {
			if c.page.IsText(n) && !c.page.Hidden(n) {
				out = append(out, method.Reason{Node: n, Kept: c.kept[i], Score: float64(c.model[i]), Why: text})
			}
		}
	}
	return out
}

// isByRule reports whether a rule decided on block i.
func (c *choice) isByRule(i int) bool {
	return c.kept[i] != (c.model[i] >= c.threshold) || !c.kept[i] && c.rules[i] != noRule
}

// reason says how probable block i is by the model, and names the rule that decided, if
// one did.
func (c *choice) reason(i int) string {
	p := reasons.Percent(float64(c.model[i]))
	probable := c.model[i] >= c.threshold
	if c.site != nil && !c.isByRule(i) && (c.site.before[i] >= c.threshold) != probable {
		p += " (by the page alone " + reasons.Percent(float64(c.site.before[i])) + ")"
	}
	switch {
	case c.kept[i] && !probable && c.IsHeading(i):
		return p + ": a heading in the story"
	case c.kept[i] && !probable:
		return p + ": in a list or table of the story"
	case c.kept[i] && c.model[i] < balancedThreshold:
		return p + ", which is enough"
	case c.kept[i]:
		return p
	case c.rules[i] != noRule && !probable:
		return p + ": " + ruleTexts[c.rules[i]]
	case c.rules[i] != noRule:
		return p + ", but left out: " + ruleTexts[c.rules[i]]
	case probable:
		return p + ", but left out: in a list or table that is not the story's"
	case c.model[i] >= c.threshold/2:
		return p + ", too little to be kept"
	}
	return p
}

// weigher finds what weighed most in the decisions on the blocks of a page.
type weigher struct {
	*choice
	*reasonTable
	trees   *trees.Model
	methods int       // the concept of the choices of other methods
	alike   int       // the concept of blocks in similar places
	static  int       // the concept of what all pages of the site have
	sites   []int     // by feature of sites: its concept, or -1
	kin     []share   // by group of blocks in similar places
	heading int       // the last one before the block, or -1
	effects []float64 // by concept, in log-odds
	extra   [extraCount]float32
	line    []byte
}

// share counts blocks, and those that are kept.
type share struct{ kept, all int32 }

func (c *choice) newWeigher(m *trees.Model) *weigher {
	t := phrases()
	w := &weigher{
		choice: c, reasonTable: t, trees: m, methods: t.find("methods"), alike: t.find("alike"), static: t.find("siteStatic"), heading: -1,
		effects: make([]float64, len(t.concepts)), kin: make([]share, c.Groups()),
	}
	for _, name := range siteNames {
		w.sites = append(w.sites, t.find(name))
	}
	for i, kept := range c.kept {
		s := &w.kin[c.Group(i)]
		s.all++
		if kept {
			s.kept++
		}
	}
	return w
}

// weigh computes the effects of all concepts on the probability of block i.
func (w *weigher) weigh(i int, row []float32) {
	score := w.trees.Effects(row, w.groups, w.effects)
	for _, e := range w.effects {
		score += e
	}
	// The rest comes from the blocks in similar places.
	prob := w.model[i]
	if w.site != nil {
		prob = w.site.before[i]
	}
	w.effects[w.alike] = float64(Logit(prob)) - score
	w.extra[extraAlike] = -1
	if s := w.kin[w.Group(i)]; s.all > 1 {
		if w.kept[i] {
			s.kept--
		}
		w.extra[extraAlike] = float32(s.kept) / float32(s.all-1)
	}
	if w.site != nil {
		w.weighSite(i)
	}
}

// weighSite adds the effects of what is known about the site.
func (w *weigher) weighSite(i int) {
	r, weights := &w.site.rows[i], w.site.weights
	if r.Score != 0 {
		scale := float64(1 + weights[siteScore]*r.Features[siteScore]/r.Score)
		for k := range w.effects {
			w.effects[k] *= scale
		}
	}
	copy(w.extra[extraSite:], r.Features[:])
	for k, concept := range w.sites {
		if concept >= 0 {
			w.effects[concept] = float64(weights[k] * r.Features[k])
		}
	}
	w.extra[extraStatic] = 0
	if r.Static {
		const certain = -100
		w.extra[extraStatic], w.effects[w.static] = 1, certain
	}
}

// appendDetails appends what weighed most in the decision on block i, and, unless the
// decision is clear, what weighed nearly as much on the other side. What other methods
// say comes last: it is the same for most blocks.
func (w *weigher) appendDetails(out []byte, i int, row []float32) []byte {
	const (
		most     = 3
		enough   = 0.2 // of the largest effect
		contrary = 0.4
		least    = 0.05 // in log-odds
		clear    = 0.05 // probability
	)
	w.weigh(i, row)
	side, sign := 0, -1.0
	if w.kept[i] {
		side, sign = 1, 1
	}
	largest, said, methods := 0.0, 0, ""
	for said < most {
		k, e := w.strongest(sign)
		if e < least || e < enough*largest {
			break
		}
		w.effects[k] = 0 // it is not considered again
		text := w.say(k, side, i, row)
		if text == "" {
			continue
		}
		if largest = max(largest, e); k == w.methods {
			methods = text
		} else {
			out = append(appendComma(out, said > 0 && methods == "" || said > 1), text...)
		}
		said++
	}
	if methods != "" {
		out = append(appendComma(out, said > 1), methods...)
	}
	if said == 0 {
		return append(out, "many small signs, none of them strong"...)
	}
	for p := w.model[i]; p >= clear && p <= 1-clear; {
		k, e := w.strongest(-sign)
		if e < contrary*largest {
			break
		}
		w.effects[k] = 0
		if text := w.say(k, 1-side, i, row); text != "" {
			return append(append(out, "; although "...), text...)
		}
	}
	return out
}

func appendComma(out []byte, need bool) []byte {
	if need {
		out = append(out, ", "...)
	}
	return out
}

// strongest returns the concept with the largest effect of a sign, and its size.
func (w *weigher) strongest(sign float64) (concept int, size float64) {
	for k, e := range w.effects {
		if e *= sign; e > size {
			concept, size = k, e
		}
	}
	return concept, size
}

// say returns what a concept says about block i, or "" if nothing of it is true.
func (w *weigher) say(k, side, i int, row []float32) string {
	text := w.concepts[k].say(side, row, w.extra[:])
	from := strings.IndexByte(text, '{')
	if from < 0 {
		return text
	}
	to := from + strings.IndexByte(text[from:], '}')
	value := ""
	switch text[from+1 : to] {
	case "low":
		value = w.LowName(i)
	case "high":
		value = w.HighName(i)
	case "opening":
		value = w.WorstOpening(i)
	case "heading":
		if w.heading >= 0 {
			value = w.Text(w.heading)
		}
	}
	if value = reasons.Quote(value); value == "" {
		return ""
	}
	return text[:from] + value + text[to+1:]
}
