package measure

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

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

// page is how the template-independent wrapper was judged (section 5.1): the
// share of pages whose headline, whose body, and whose both are right. The
// judges of the paper were people who compared pages. Here a headline is right
// when it is exact but for case, space and punctuation, and a body when the F1
// of its words as a bag is at least 0.9. Pages of which only one of the two is
// known do not count.
func page() Measure {
	return Measure{
		Name: "page", About: "pages whose headline, body and both are right (template-independent wrapper)",
		Figures: []string{"title", "body", "both"}, Main: 2,
		Page: func(c *Case) []float64 {
			if c.Gold.Title == "" || c.Gold.Text == "" {
				return nil
			}
			title, body := c.titleExact(), c.bagOfWords().F1 >= content
			return []float64{one(title), one(body), one(title && body), 1}
		},
		Total: means,
	}
}

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
