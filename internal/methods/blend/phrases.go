package blend

import (
	_ "embed"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/internal/page/lines"
)

//go:embed reasons.txt
var reasonFile string

// reasonTable is what reasons.txt says.
type reasonTable struct {
	concepts []concept
	groups   []uint16 // by feature: its concept
}

// concept is a subject that several features are about.
type concept struct {
	name     string
	phrases  [2][]phrase // against the story, and for it
	features int
}

// phrase is the text about a block if all conditions are true of it.
type phrase struct {
	conditions []condition
	text       string
}

// condition compares a value of a block with a number.
type condition struct {
	value int // index of a feature, or of an extra value after them
	op    string
	than  float32
}

// The values of a block besides its features.
const (
	extraAlike = iota
	extraStatic
	extraSite  // and the others of siteNames
	extraCount = extraSite + siteFeatures
)

// siteNames are the names of the features of sites in reasons.txt. The score has
// none: it strengthens what speaks for or against the block anyway.
var siteNames = [siteFeatures]string{
	siteInside: "siteInside", siteOutside: "siteOutside", siteBox: "siteBox", siteHeading: "siteHeading", siteLabel: "siteLabel", siteRepeats: "siteRepeats",
}

// extraNames are the names of the extra values.
var extraNames = append([]string{extraAlike: "alike", extraStatic: "siteStatic"}, siteNames[:]...)

// phrases returns the table. It reads it on the first call.
var phrases = sync.OnceValue(func() *reasonTable {
	t, err := readReasons(reasonFile)
	if err != nil {
		panic("blend: reasons.txt: " + err.Error())
	}
	return t
})

// readReasons reads the table. Every feature must have one concept.
func readReasons(file string) (*reasonTable, error) {
	t := &reasonTable{groups: make([]uint16, len(blocks.Features))}
	owner := make([]string, len(blocks.Features))
	for line := range lines.Data(file) {
		head, rest, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("no colon in %q", line)
		}
		if side := strings.Index("-+", head[:1]); side >= 0 {
			if len(t.concepts) == 0 {
				return nil, fmt.Errorf("no concept before %q", line)
			}
			p := phrase{text: strings.TrimSpace(rest)}
			for _, f := range strings.Fields(head[1:]) {
				c, err := readCondition(f)
				if err != nil {
					return nil, err
				}
				p.conditions = append(p.conditions, c)
			}
			c := &t.concepts[len(t.concepts)-1]
			c.phrases[side] = append(c.phrases[side], p)
			continue
		}
		c := concept{name: head}
		for _, pattern := range strings.Fields(rest) {
			found := false
			for k, name := range blocks.Features {
				if match, _ := path.Match(pattern, name); match {
					if owner[k] != "" {
						return nil, fmt.Errorf("%s is in the concepts %s and %s", name, owner[k], head)
					}
					owner[k], t.groups[k], found = head, uint16(len(t.concepts)), true
					c.features++
				}
			}
			if !found {
				return nil, fmt.Errorf("%s: no feature %s", head, pattern)
			}
		}
		t.concepts = append(t.concepts, c)
	}
	if k := slices.Index(owner, ""); k >= 0 {
		return nil, fmt.Errorf("no concept has the feature %s", blocks.Features[k])
	}
	return t, nil
}

// readCondition reads a condition such as words>=log(20).
func readCondition(s string) (c condition, err error) {
	i := strings.IndexAny(s, "<>=")
	if i < 0 {
		return c, fmt.Errorf("no comparison in %q", s)
	}
	end := i + 1
	if end < len(s) && s[end] == '=' {
		end++
	}
	name, number := s[:i], s[end:]
	c.op = s[i:end]
	if c.value = slices.Index(blocks.Features, name); c.value < 0 {
		k := slices.Index(extraNames, name)
		if k < 0 {
			return c, fmt.Errorf("no value %q", name)
		}
		c.value = len(blocks.Features) + k
	}
	inner, isLog := strings.CutPrefix(number, "log(")
	x, err := strconv.ParseFloat(strings.TrimSuffix(inner, ")"), 64)
	if err != nil {
		return c, fmt.Errorf("%q: %w", s, err)
	}
	if isLog {
		x = math.Log1p(x)
	}
	c.than = float32(x)
	return c, nil
}

// find returns the index of the concept with a name, or -1.
func (t *reasonTable) find(name string) int {
	return slices.IndexFunc(t.concepts, func(c concept) bool { return c.name == name })
}

// holds reports whether a condition is true of the values of a block.
func (c *condition) holds(row, extra []float32) bool {
	var x float32
	if c.value < len(row) {
		x = row[c.value]
	} else {
		x = extra[c.value-len(row)]
	}
	switch c.op {
	case ">=":
		return x >= c.than
	case "<=":
		return x <= c.than
	case ">":
		return x > c.than
	case "<":
		return x < c.than
	}
	return x == c.than
}

// say returns the first phrase that is true of a block, or "".
func (c *concept) say(side int, row, extra []float32) string {
next:
	for i := range c.phrases[side] {
		p := &c.phrases[side][i]
		for k := range p.conditions {
			if !p.conditions[k].holds(row, extra) {
				continue next
			}
		}
		return p.text
	}
	return ""
}
