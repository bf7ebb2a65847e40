package measure

import "time"

// pageTime is the time per page in milliseconds, mean over the pages whose time
// is known, as in CoreEx (sections 3.3 and 5.1). Parsing is part of the whole;
// what is left of it is extraction. Where nobody knows how long parsing took all
// of it is extraction.
func pageTime() Measure {
	return Measure{
		Name: "time", About: "milliseconds per page, of that for parsing and for the rest (CoreEx)",
		Figures: []string{"ms", "parse", "extract"}, Lower: true,
		Page: func(c *Case) []float64 {
			if c.Out.Time <= 0 {
				return nil
			}
			return []float64{millis(c.Out.Time), millis(c.Out.Parse), millis(c.Out.Time - c.Out.Parse), 1}
		},
		Total: means,
	}
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
