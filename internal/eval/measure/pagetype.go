package measure

import "slices"

// The kinds of pages that an extractor tells apart, and the types that the gold
// of corpora has, with the kind that each is.
var (
	kinds     = []string{"article", "index", "other"}
	goldTypes = []struct{ name, kind string }{
		{"article", "article"},
		{"listing", "index"},
		{"collection", "index"},
		{"category", "index"},
		{"index", "index"},
		{"forum", "other"},
		{"product", "other"},
		{"service", "other"},
		{"documentation", "other"},
		{"other", "other"}, // and all that is not listed
	}
)

// failed is the row of outputs with an error, after those of the kinds.
const failed = 3

// pageType says how well articles are told from other pages. Accuracy is that
// of article or not; P and R are those of articles; kinds is the accuracy of
// article, index and other, where listings, collections and categories are
// indexes, and forums, products, services, documentation and types that nobody
// knows are other. A page on which the extractor failed is wrong whatever it
// is; one of which it does not say what it is does not count.
func pageType() Measure {
	return Measure{
		Name: "type", About: "articles told from other pages",
		Figures: []string{"accuracy", "P", "R", "kinds"},
		Page: func(c *Case) []float64 {
			row := slices.Index(kinds, c.Out.Type)
			if c.Out.Error != "" {
				row = failed
			}
			if c.Gold.Type == "" || row < 0 {
				return nil
			}
			sums := make([]float64, (len(kinds)+1)*len(goldTypes))
			sums[row*len(goldTypes)+goldColumn(c.Gold.Type)] = 1
			return sums
		},
		Total: func(s []float64) []float64 { return confusionFigures(NewConfusion(s)) },
	}
}

func goldColumn(name string) int {
	for i, t := range goldTypes {
		if t.name == name {
			return i
		}
	}
	return len(goldTypes) - 1
}

// Confusion tells how many pages of each type were taken for which kind.
type Confusion struct {
	Found []string    // the rows: article, index, other, and error for those that failed
	Gold  []string    // the columns: types of pages
	Kinds []string    // by column: the kind that is right
	Pages [][]float64 // by row and column
}

// NewConfusion makes the matrix of the sums of the measure type, with the
// types that there are.
func NewConfusion(sum []float64) Confusion {
	c := Confusion{Found: append(slices.Clone(kinds), "error"), Pages: make([][]float64, len(kinds)+1)}
	for col, t := range goldTypes {
		all := 0.0
		for row := range c.Pages {
			all += sum[row*len(goldTypes)+col]
		}
		if all == 0 {
			continue
		}
		c.Gold, c.Kinds = append(c.Gold, t.name), append(c.Kinds, t.kind)
		for row := range c.Pages {
			c.Pages[row] = append(c.Pages[row], sum[row*len(goldTypes)+col])
		}
	}
	return c
}

func confusionFigures(c Confusion) []float64 {
	var all, binary, exact, right, wrong, missed float64
	for row, found := range c.Found {
		for col, kind := range c.Kinds {
			n := c.Pages[row][col]
			all += n
			exact += n * one(found == kind)
			switch {
			case found == "article" && kind == "article":
				right += n
				binary += n
			case found == "article":
				wrong += n
			case kind == "article":
				missed += n
			case row != failed:
				binary += n
			}
		}
	}
	m := prf(right, wrong, missed)
	return []float64{ratio(binary, all), m.P, m.R, ratio(exact, all)}
}
