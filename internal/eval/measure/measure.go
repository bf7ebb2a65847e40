package measure

import (
	"fmt"
	"strings"
	"time"
)

// Output is what an extractor gave for a page; Error is set when it gave nothing.
type Output struct {
	Title   string
	Text    string // the body
	Authors []string
	Date    string // begins with a day such as 2024-05-14
	Type    string // article, index or other
	Error   string
	Parse   time.Duration // of Time, what went into parsing; 0 when that is unknown
	Time    time.Duration // for the whole page; 0 when that is unknown
}

// Measure is one way to say how good outputs are. The figures of any number of
// pages follow from the sums of what each page adds, so that means, groups and
// resampling are the same for all measures.
type Measure struct {
	Name    string
	About   string   // in a sentence, with who uses it
	Figures []string // what Total gives, such as P, R, F1
	Main    int      // the figure that ranks
	Lower   bool     // whether less is better
	// Page is what a page adds; nil when its gold, or for times and kinds of
	// pages the output, does not say what is needed.
	// The length is the same for all pages.
	Page func(*Case) []float64
	// Total makes the figures of the sums over pages.
	Total func(sum []float64) []float64
}

// All lists the measures, the most used first.
func All() []Measure {
	return []Measure{
		bag(), shingle(), rouge(), snippet(), set(), node(), nodeText(), page(),
		title(), author(), date(), pageType(), pageTime(),
	}
}

// Find looks measures up by name.
func Find(names ...string) ([]Measure, error) {
	var found []Measure
next:
	for _, name := range names {
		var known []string
		for _, m := range All() {
			if m.Name == name {
				found = append(found, m)
				continue next
			}
			known = append(known, m.Name)
		}
		return nil, fmt.Errorf("no measure %q; there is %s", name, strings.Join(known, ", "))
	}
	return found, nil
}
