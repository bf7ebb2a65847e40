package measure

import "regexp"

// date is the share of pages whose day is right.
func date() Measure {
	return Measure{
		Name: "date", About: "share of the dates that were found, to the day",
		Figures: []string{"found"},
		Page: func(c *Case) []float64 {
			want := day(c.Gold.Date)
			if want == "" {
				return nil
			}
			return []float64{one(day(c.Out.Date) == want), 1}
		},
		Total: func(s []float64) []float64 { return []float64{ratio(s[0], s[1])} },
	}
}

var dayPattern = regexp.MustCompile(`\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}`)

// day is the first day in a date, such as 2024-05-14; empty when there is none.
func day(s string) string { return dayPattern.FindString(s) }
