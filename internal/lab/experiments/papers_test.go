package experiments

import (
	"context"
	"errors"
	"testing"
)

func TestRun(t *testing.T) {
	one := func(title string) func(context.Context, *Input) ([]*Table, error) {
		return func(context.Context, *Input) ([]*Table, error) { return []*Table{{Title: title}}, nil }
	}
	p := Paper{Method: "m", Experiments: []Experiment{
		{ID: "1", Run: one("first")},
		{ID: "2", Needs: NeedsCorpora, Run: one("second")},
		{ID: "time", Needs: NeedsBrowser, Run: one("third")},
	}}
	var skipped []error
	skip := func(err error) { skipped = append(skipped, err) }
	tables, err := p.Run(t.Context(), &Input{}, nil, skip)
	if err != nil || len(tables) != 1 || tables[0].Paper != "m" || tables[0].ID != "1" || len(skipped) != 2 {
		t.Errorf("all: %v, %v, skipped %v", tables, err, skipped)
	}
	if _, err := p.Run(t.Context(), &Input{}, []string{"2"}, skip); !errors.Is(err, ErrMissing) {
		t.Errorf("without corpora: %v", err)
	}
	if _, err := p.Run(t.Context(), &Input{}, []string{"3"}, skip); !errors.Is(err, ErrNoExperiment) {
		t.Errorf("unknown experiment: %v", err)
	}
	if tables, err := p.Run(t.Context(), &Input{Corpora: []string{"x"}}, []string{"2"}, skip); err != nil || len(tables) != 1 {
		t.Errorf("with corpora: %v, %v", tables, err)
	}
}

func TestMadeUpSets(t *testing.T) {
	in := &Input{Quick: true, Seed: 1}
	sets, err := in.Sets(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sets {
		if len(s.Pages) != 2 || s.Pages[0].Gold.Text == "" || s.Pages[0].Doc.Len() == 0 {
			t.Errorf("%s: %d pages", s.Name, len(s.Pages))
		}
	}
	again, err := in.Sets(t.Context())
	if err != nil || &again[0] != &sets[0] {
		t.Errorf("the pages were made twice (%v)", err)
	}
}
