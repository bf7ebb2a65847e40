package visual

import (
	"context"
	"errors"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/wrapper"
)

// Ten pages of a site are enough to learn it.
func TestTrain(t *testing.T) {
	t.Parallel()
	pages := newsroomPages(t, "northmoor-times", 0, 15)
	m, err := Train(t.Context(), pages[:10], Options{Config: wrapper.Default()})
	if err != nil {
		t.Fatal(err)
	}
	if m.Card.Pages["newsroom"] != 10 {
		t.Errorf("card %+v", m.Card)
	}
	c := wrapper.Default()
	c.Model = m
	a, err := MeasureSubtrees(t.Context(), wrapper.New(c), pages[10:])
	if err != nil || a.Pages != 5 || a.Both != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestTrainErrors(t *testing.T) {
	t.Parallel()
	if _, err := Train(t.Context(), nil, Options{}); !errors.Is(err, ErrNoLabels) {
		t.Errorf("no pages: %v", err)
	}
	none := examples(t, 2)
	for _, x := range none {
		x.Body = dom.None
	}
	if _, err := Train(t.Context(), none, Options{Config: wrapper.Default()}); !errors.Is(err, ErrNoLabels) {
		t.Errorf("no labels: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Train(ctx, examples(t, 2), Options{Config: wrapper.Default()}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// MeasureSubtrees takes the subtrees of section 2 for correct whatever else is in
// them.
func TestMeasureSubtrees(t *testing.T) {
	t.Parallel()
	pages := newsroomPages(t, "daily-whirl", 10, 8)
	w, err := NewWrapper(t.Context(), pages[:6], PaperOptions())
	if err != nil {
		t.Fatal(err)
	}
	subtrees, err := MeasureSubtrees(t.Context(), w, pages[6:])
	if err != nil || subtrees.Pages != 2 || subtrees.Both != 1 {
		t.Errorf("by subtrees: %+v, %v", subtrees, err)
	}
}
