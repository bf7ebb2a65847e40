package measure

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// snippet is the measure of trafilatura's evaluation: for each page a few
// snippets that must be in the text and a few that must not. One that must be
// there and is counts as right, one that must not and is as wrong, one that must
// and is not as missed; the sums are over the snippets of all pages. Case and
// white space do not matter.
func snippet() Measure {
	return Measure{
		Name: "snippet", About: "snippets that must and must not be there, over all of them (trafilatura)",
		Figures: []string{"P", "R", "F1"}, Main: 2,
		Page: func(c *Case) []float64 {
			if len(c.Gold.With)+len(c.Gold.Without) == 0 {
				return nil
			}
			with, without := c.snippets()
			text := squash(c.Out.Text)
			right, wrong := contained(with, text), contained(without, text)
			return []float64{right, right + wrong, float64(len(with))}
		},
		Total: totals,
	}
}

func contained(snippets []string, text string) (n float64) {
	for _, s := range snippets {
		n += one(strings.Contains(text, s))
	}
	return n
}

// snippets are those of the gold, squashed.
func (p *Page) snippets() (with, without []string) {
	if p.with == nil && p.without == nil {
		for _, s := range p.Gold.With {
			p.with = append(p.with, squash(s))
		}
		for _, s := range p.Gold.Without {
			p.without = append(p.without, squash(s))
		}
	}
	return p.with, p.without
}

// squash folds case and white space.
func squash(s string) string {
	s = strings.Join(strings.FieldsFunc(norm.NFKC.String(s), isSpace), " ")
	if ascii(s) {
		return strings.ToLower(s)
	}
	return cases.Lower(language.Und).String(s)
}

// isSpace counts the separators of files, groups, records and units as white
// space too, as Python does.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1C && r <= 0x1F }
