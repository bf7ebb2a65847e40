package measure

import "strings"

// title says how often the headline is right: exact when nothing but case,
// space and punctuation differs; F1 is that of its words as a bag, mean over pages.
func title() Measure {
	return Measure{
		Name: "title", About: "headlines that are exact but for case, space and punctuation; F1 of their words",
		Figures: []string{"exact", "F1"},
		Page: func(c *Case) []float64 {
			if c.Gold.Title == "" {
				return nil
			}
			return []float64{one(c.titleExact()), Compare(Words(c.Out.Title), c.goldTitle()).F1, 1}
		},
		Total: func(s []float64) []float64 { return []float64{ratio(s[0], s[2]), ratio(s[1], s[2])} },
	}
}

// titleExact compares letters only, so that it does not matter where words end.
func (c *Case) titleExact() bool {
	return fold(c.Out.Title) == strings.Join(c.goldTitle(), "")
}
