package visual

import (
	"context"
	"fmt"
	"slices"

	"github.com/lede-news/lede/internal/wrapper"
)

// TrainingSite is the site that Tables 3 and 4 train on, with all its labelled
// pages, as the paper takes the one that did best in Table 2.
const TrainingSite = "harrow-vale-herald"

// sets are the paper's sets of features, with its accuracy for titles and bodies,
// and all that there are.
var sets = []struct {
	name          string
	titles, body  func() []string
	title, bodies float64
}{
	{"SPATIAL", paperTitle(wrapper.Spatial), paperBody(wrapper.Spatial), 0.748, 0.019},
	{"CONTENT", paperTitle(wrapper.Content), paperBody(wrapper.Content), 0.818, 0.9937},
	{"ALL", paperTitle(""), paperBody(""), 1, 0.9979},
	{"and lede's own", everything, everything, none, none},
}

func paperTitle(k wrapper.Kind) func() []string {
	return func() []string { return Paper(wrapper.TitleFeatures(), k) }
}

func paperBody(k wrapper.Kind) func() []string {
	return func() []string { return Paper(wrapper.BodyFeatures(), k) }
}

// everything is how Options name all features.
func everything() []string { return nil }

// Tables34 are the experiments of section 5.3: what spatial features, content
// features and all of them do for titles and for bodies.
func Tables34(ctx context.Context, s Setup) (titles, bodies *Table, err error) {
	m, err := s.load(ctx)
	if err != nil {
		return nil, nil, err
	}
	pages := m.labelled[slices.Index(m.names, TrainingSite)]
	columns := []string{"accuracy", "   paper"}
	titles = &Table{Title: "Table 3: feature contribution for title extraction", Columns: columns}
	bodies = &Table{Title: "Table 4: feature contribution for body extraction", Columns: columns}
	for i, set := range sets {
		o := s.Train
		// One of the two goes by some features, the other by all of the paper's.
		o.Body, o.Title = Paper(wrapper.BodyFeatures(), ""), set.titles()
		title, err := s.accuracy(ctx, pages, m.testing, o)
		if err != nil {
			return nil, nil, err
		}
		o.Body, o.Title = set.body(), Paper(wrapper.TitleFeatures(), "")
		body, err := s.accuracy(ctx, pages, m.testing, o)
		if err != nil {
			return nil, nil, err
		}
		titles.Rows = append(titles.Rows, Row{set.name, []float64{title.Title, set.title}})
		bodies.Rows = append(bodies.Rows, Row{set.name, []float64{body.Body, set.bodies}})
		s.tell("training and testing", i+1, len(sets))
	}
	note := fmt.Sprintf("trained on %d pages of %s, tested on %d of %d sites", len(pages), TrainingSite, len(m.testing), len(m.names))
	titles.Notes, bodies.Notes = []string{note}, []string{note}
	return titles, bodies, nil
}

func (s *Setup) accuracy(ctx context.Context, pages, testing []*Example, o Options) (Accuracy, error) {
	w, err := s.wrapper(ctx, pages, o)
	if err != nil {
		return Accuracy{}, err
	}
	return Measure(ctx, w, testing)
}
