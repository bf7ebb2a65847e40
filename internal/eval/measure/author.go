package measure

import "strings"

// author is the share of the gold's authors that are among those found, over all
// authors of all pages. A name may stand within a longer one, as with a title
// or a newspaper after it.
func author() Measure {
	return Measure{
		Name: "author", About: "share of the authors that were found",
		Figures: []string{"found"},
		Page: func(c *Case) []float64 {
			if len(c.Gold.Authors) == 0 {
				return nil
			}
			all := fold(strings.Join(c.Out.Authors, " "))
			found := 0.0
			for _, name := range c.Gold.Authors {
				found += one(strings.Contains(all, fold(name)))
			}
			return []float64{found, float64(len(c.Gold.Authors))}
		},
		Total: func(s []float64) []float64 { return []float64{ratio(s[0], s[1])} },
	}
}
