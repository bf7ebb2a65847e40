package blend

import (
	_ "embed"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/internal/methods/reasons"
	"github.com/lede-news/lede/internal/methods/trees"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/method"
)

// reasons explains the decision on every block in plain words: its probability,
// and either the rule that dropped it or what weighed most.
func (c *choice) reasons(m *trees.Model, rows []float32) (out []method.Reason) {
	const maxDetails = 5000 // blocks
	w := c.newWeigher(m)
	features := len(blocks.Features)
	for i := range c.Blocks {
		why := c.reason(i)
		if i < maxDetails && !c.isByRule(i) {
			w.weigh(i, rows[i*features:(i+1)*features])
			why += ": " + w.details(i)
		}
		if c.IsHeading(i) {
			w.heading = i
		}
		for n := c.Blocks[i].First; n <= c.Blocks[i].Last; n++ {
			if c.page.IsText(n) && !c.page.Hidden(n) {
				out = append(out, method.Reason{Node: n, Kept: c.kept[i], Score: float64(c.model[i]), Why: why})
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
		return p + ": " + c.rules[i]
	case c.rules[i] != noRule:
		return p + ", but left out: " + c.rules[i]
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
	kin     []share   // by group of blocks in similar places
	heading int       // the last one before the block, or -1
	effects []float64 // by concept, in log-odds
	values  []float32 // of the block: its features and those of extraNames
}

// share counts blocks, and those that are kept.
type share struct{ kept, all int32 }

func (c *choice) newWeigher(m *trees.Model) *weigher {
	t := phrases()
	w := &weigher{choice: c, reasonTable: t, trees: m, heading: -1, effects: make([]float64, len(t.concepts)), kin: make([]share, c.Groups())}
	for i, kept := range c.kept {
		s := &w.kin[c.Group(i)]
		s.all++
		if kept {
			s.kept++
		}
	}
	return w
}

// weigh computes the values of block i and the effects of all concepts on its probability.
func (w *weigher) weigh(i int, row []float32) {
	score := w.trees.Effects(row, w.groups, w.effects)
	for _, e := range w.effects {
		score += e
	}
	alike := float32(-1)
	if s := w.kin[w.Group(i)]; s.all > 1 {
		if w.kept[i] {
			s.kept--
		}
		alike = float32(s.kept) / float32(s.all-1)
	}
	w.values = append(append(w.values[:0], row...), alike)
	prob := w.model[i]
	if w.site != nil {
		prob = w.site.before[i]
		r := &w.site.rows[i]
		w.values = append(w.values, r.Features[:]...)
		for k, name := range siteNames {
			if concept, ok := w.named[name]; ok {
				w.effects[concept] = float64(w.site.weights[k] * r.Features[k])
			}
		}
		if r.Static {
			const certain = -100
			w.values[len(row)+1+siteRepeats], w.effects[w.named["siteRepeats"]] = everyPage, certain
		}
	}
	// The rest comes from the blocks in similar places.
	w.effects[w.named["alike"]] = float64(Logit(prob)) - score
}

// everyPage is the value of siteRepeats for what all pages of the site have.
const everyPage = 99

// details returns what weighed most in the decision on block i, and, unless the
// decision is clear, what weighed nearly as much on the other side.
func (w *weigher) details(i int) string {
	const (
		most     = 3
		enough   = 0.2 // of the largest effect
		contrary = 0.4
		least    = 0.05 // in log-odds
		clear    = 0.05 // probability
	)
	side, other := against, inFavor
	if w.kept[i] {
		side, other = other, side
	}
	text, largest := w.next(i, side, least)
	if text == "" {
		return "many small signs, none of them strong"
	}
	for range most - 1 {
		if more, _ := w.next(i, side, max(least, enough*largest)); more != "" {
			text += ", " + more
		}
	}
	if p := w.model[i]; p >= clear && p <= 1-clear {
		if but, _ := w.next(i, other, contrary*largest); but != "" {
			text += "; although " + but
		}
	}
	return text
}

// next returns what the concept with the largest effect on a side says about block i, and the
// effect, or "" if none of at least that size has anything to say. No concept is returned twice.
func (w *weigher) next(i, side int, least float64) (text string, effect float64) {
	for {
		concept := 0
		effect = 0
		for k, e := range w.effects {
			if side == against {
				e = -e
			}
			if e > effect {
				concept, effect = k, e
			}
		}
		if effect < least || effect == 0 {
			return "", 0
		}
		w.effects[concept] = 0
		if text = w.say(i, w.concepts[concept][side]); text != "" {
			return text, effect
		}
	}
}

// say returns the first phrase that is true of block i, or "".
func (w *weigher) say(i int, list []phrase) string {
	k := slices.IndexFunc(list, func(p phrase) bool { return p.isTrue(w.values) })
	if k < 0 {
		return ""
	}
	before, rest, ok := strings.Cut(list[k].text, "{")
	if !ok {
		return before
	}
	name, after, _ := strings.Cut(rest, "}")
	value := ""
	switch {
	case name == "low":
		value = w.LowName(i)
	case name == "high":
		value = w.HighName(i)
	case name == "heading" && w.heading >= 0:
		value = w.Text(w.heading)
	}
	if value = reasons.Quote(value); value == "" {
		return ""
	}
	return before + value + after
}

//go:embed reasons.txt
var reasonFile string

// reasonTable is what reasons.txt says.
type reasonTable struct {
	concepts []concept
	named    map[string]int // the number of a concept
	groups   []uint16       // by feature: its concept
}

// concept is a subject that several features are about: what it says against the story and in
// favor of it.
type concept [2][]phrase

const (
	against = iota
	inFavor
)

// phrase is the text about a block if all conditions are true of it.
type phrase struct {
	conditions []condition
	text       string
}

// condition is the range of a value of a block.
type condition struct {
	value    int
	min, max float32
}

// siteNames are the names of the features of sites in reasons.txt. The score has
// none: it strengthens what speaks for or against the block anyway.
var siteNames = [SiteFeatures]string{
	siteInside: "siteInside", siteOutside: "siteOutside", siteBox: "siteBox", siteHeading: "siteHeading", siteLabel: "siteLabel", siteRepeats: "siteRepeats",
}

// valueNames are the names of all values of a block.
var valueNames = slices.Concat(blocks.Features, []string{"alike"}, siteNames[:])

// phrases returns the table. It reads it on the first call.
var phrases = sync.OnceValue(func() *reasonTable {
	t := &reasonTable{named: map[string]int{}, groups: make([]uint16, len(blocks.Features))}
	for line := range lines.Data(reasonFile) {
		head, rest, _ := strings.Cut(line, ":")
		last := len(t.concepts) - 1
		if side := strings.Index("-+", head[:1]); side >= 0 {
			p := phrase{text: strings.TrimSpace(rest)}
			for f := range strings.FieldsSeq(head[1:]) {
				p.conditions = append(p.conditions, readCondition(f))
			}
			t.concepts[last][side] = append(t.concepts[last][side], p)
			continue
		}
		t.named[head] = last + 1
		t.concepts = append(t.concepts, concept{})
		for pattern := range strings.FieldsSeq(rest) {
			for k, name := range blocks.Features {
				if match, _ := path.Match(pattern, name); match {
					t.groups[k] = uint16(last + 1)
				}
			}
		}
	}
	return t
})

// readCondition reads a condition such as words>=log(20).
func readCondition(s string) condition {
	i := strings.IndexAny(s, "<>=")
	inner, isLog := strings.CutPrefix(strings.TrimLeft(s[i:], "<>="), "log(")
	x, err := strconv.ParseFloat(strings.TrimSuffix(inner, ")"), 64)
	value := slices.Index(valueNames, s[:i])
	if err != nil || value < 0 {
		panic("blend: reasons.txt: invalid condition " + s)
	}
	if isLog {
		x = math.Log1p(x)
	}
	c := condition{value, float32(x), float32(x)}
	switch s[i] {
	case '>':
		c.max = math.MaxFloat32
	case '<':
		c.min = -math.MaxFloat32
	}
	return c
}

// isTrue reports whether all conditions hold for the values of a block. Without a site the values
// of sites are missing.
func (p *phrase) isTrue(values []float32) bool {
	return !slices.ContainsFunc(p.conditions, func(c condition) bool {
		return c.value >= len(values) || values[c.value] < c.min || values[c.value] > c.max
	})
}
