package measure

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// title measures headlines: exact is the share of those that differ in nothing but
// case, space and punctuation; F1 compares the bags of words, mean over pages.
func title() Measure {
	return Measure{
		Name: "title", About: "headlines that are exact but for case, space and punctuation; F1 of their words",
		Figures: []string{"exact", "F1"},
		Page: func(c *Case) []float64 {
			if c.Gold.Title == "" {
				return nil
			}
			return []float64{indicator(c.titleExact()), compare(Words(c.Out.Title), c.goldTitle()).F1, 1}
		},
		Total: means,
	}
}

// titleExact compares letters only, so that word boundaries do not matter.
func (c *Case) titleExact() bool {
	return Letters(c.Out.Title) == strings.Join(c.goldTitle(), "")
}

// ownTitle measures the headlines that methods find by themselves, as their papers
// do. Within is the share of pages whose headline is part of what was found, such
// as a <title> with the name of the site.
func ownTitle() Measure {
	return Measure{
		Name: "own-title", About: "headlines that the method itself found, before metadata: exact, F1, and contained in what was found",
		Figures: []string{"exact", "F1", "within"},
		Page: func(c *Case) []float64 {
			if c.Gold.Title == "" || c.Out.OwnTitle == nil {
				return nil
			}
			found := *c.Out.OwnTitle
			letters, want := Letters(found), strings.Join(c.goldTitle(), "")
			return []float64{indicator(letters == want), compare(Words(found), c.goldTitle()).F1, indicator(strings.Contains(letters, want)), 1}
		},
		Total: means,
	}
}

// author is the share of the gold's authors that were found, over all authors of
// all pages. A name may be part of a longer one, such as one with a job title.
func author() Measure {
	return Measure{
		Name: "author", About: "share of the authors that were found",
		Figures: []string{"found"},
		Page: func(c *Case) []float64 {
			if len(c.Gold.Authors) == 0 {
				return nil
			}
			all := Letters(strings.Join(c.Out.Authors, " "))
			found := 0.0
			for _, name := range c.Gold.Authors {
				found += indicator(strings.Contains(all, Letters(name)))
			}
			return []float64{found, float64(len(c.Gold.Authors))}
		},
		Total: means,
	}
}

// date is the share of pages with the correct day.
func date() Measure {
	return Measure{
		Name: "date", About: "share of the dates that were found, to the day",
		Figures: []string{"found"},
		Page: func(c *Case) []float64 {
			want := day(c.Gold.Date)
			if want == "" {
				return nil
			}
			return []float64{indicator(day(c.Out.Date) == want), 1}
		},
		Total: means,
	}
}

var dayPattern = regexp.MustCompile(`\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}`)

// day returns the first day in a date, such as 2024-05-14, or the empty string.
func day(s string) string { return dayPattern.FindString(s) }

// The kinds of pages that extractors distinguish, and the types in the gold of
// corpora with their kinds.
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
		{"other", "other"}, // and all other types
	}
)

// failed is the row of the confusion matrix for outputs with an error.
const failed = 3

// pageType measures the classification of pages. Accuracy is that of article or
// not; P and R are those of articles; kinds is the accuracy of article, index and
// other, where listings, collections and categories are indexes, and all types but
// article are other. An output with an error is always wrong; one without a type
// does not count.
func pageType() Measure {
	return Measure{
		Name: "type", About: "classification of pages as article, index or other",
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

// Confusion is the confusion matrix of page types.
type Confusion struct {
	Found []string    // rows: article, index, other, error
	Gold  []string    // columns: types of pages in the gold
	Kinds []string    // by column: the correct kind
	Pages [][]float64 // numbers of pages by row and column
}

// NewConfusion returns the matrix for the sum of the vectors of the measure type,
// without empty columns.
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
			exact += n * indicator(found == kind)
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

// page is the measure of the template-independent wrapper (section 5.1): the share
// of pages with a correct headline, with a correct body, and with both. In the
// paper, people decided what is correct. Here a headline is correct if it is exact
// but for case, space and punctuation, and a body if the F1 of its bag of words is
// at least 0.9. Pages without gold for both do not count.
func page() Measure {
	return Measure{
		Name: "page", About: "pages with a correct headline, body and both (template-independent wrapper)",
		Figures: []string{"title", "body", "both"}, Main: 2,
		Page: func(c *Case) []float64 {
			if c.Gold.Title == "" || c.Gold.Text == "" {
				return nil
			}
			title, body := c.titleExact(), c.bagOfWords().F1 >= correctF1
			return []float64{indicator(title), indicator(body), indicator(title && body), 1}
		},
		Total: means,
	}
}

// pageTime is the time per page in milliseconds, mean over the pages with a known
// time, as in CoreEx (sections 3.3 and 5.1). The time for extraction is the total
// less that for parsing, which counts as 0 if it is unknown.
func pageTime() Measure {
	return Measure{
		Name: "time", About: "milliseconds per page: total, parsing, extraction (CoreEx)",
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
