package visual

import (
	"context"
	"fmt"
	"time"

	"github.com/lede-news/lede/method"
)

// Set is pages to test on, under a name.
type Set struct {
	Name  string
	Pages []*Example
	// Took is how long it took to read them and lay them out, where that was
	// measured.
	Took time.Duration
}

// Table5 is the experiment of section 5.4: a wrapper on many pages that it was
// not trained on.
func Table5(ctx context.Context, m method.Method, sets []Set, progress Progress) (*Table, error) {
	t := &Table{
		Title:   "Table 5: " + m.Name() + " on real pages",
		Columns: []string{"pages", "  title", "   body", "   news", "  shown", "ms layout", "ms choice"},
	}
	for i, s := range sets {
		start := time.Now()
		a, err := Measure(ctx, m, s.Pages)
		if err != nil {
			return nil, err
		}
		each := float64(max(len(s.Pages), 1))
		took := float64(none)
		if s.Took > 0 {
			took = s.Took.Seconds() * 1000 / each
		}
		t.Rows = append(t.Rows, Row{s.Name, []float64{
			float64(a.Pages), a.Title, a.Body, a.Both, a.Shown, took, time.Since(start).Seconds() * 1000 / each,
		}})
		if progress != nil {
			progress("testing", i+1, len(sets))
		}
	}
	t.Rows = append(t.Rows, Row{"paper, 12 sites", []float64{3973, 0.986, 0.994, 0.981, none, none, none}})
	t.Notes = []string{
		fmt.Sprintf("A body counts from F1 %.1f on; the paper's judges were people.", right),
		"shown: titles that are right among the pages on which the gold's title stands in some element.",
		"The pages come without their style sheets, those in the page itself aside.",
	}
	return t, nil
}
