package visual

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/wrapper"
)

// Ten pages of a site are enough to learn it, and the same pages give the same
// model.
func TestTrain(t *testing.T) {
	pages := newsroomPages(t, "northmoor-times", 0, 15)
	o := Options{Config: wrapper.Default()}
	m, err := Train(t.Context(), pages[:10], o)
	if err != nil {
		t.Fatal(err)
	}
	if m.Card.Pages["newsroom"] != 10 {
		t.Errorf("card %+v", m.Card)
	}
	c := wrapper.Default()
	c.Model = m
	a, err := Measure(t.Context(), wrapper.New(c), pages[10:])
	if err != nil || a.Pages != 5 || a.Both != 1 || a.Shown != 1 {
		t.Errorf("%+v, %v", a, err)
	}
	again, err := Train(t.Context(), pages[:10], o)
	if err != nil {
		t.Fatal(err)
	}
	one, _ := json.Marshal(m)
	two, _ := json.Marshal(again)
	if string(one) != string(two) {
		t.Error("training twice gave different models")
	}
}

// Options.Rows limits the rows, however many candidates there are.
func TestRowLimit(t *testing.T) {
	pages := newsroomPages(t, "northmoor-times", 0, 4)
	for _, rows := range []int{20, 40, 4000} {
		m, err := Train(t.Context(), pages, Options{Config: wrapper.Default(), Rows: rows})
		if err != nil {
			t.Fatal(err)
		}
		if m.Body.Vectors() > rows || m.Title.Vectors() > rows {
			t.Errorf("%d and %d vectors of %d rows", m.Body.Vectors(), m.Title.Vectors(), rows)
		}
	}
}

func TestFeatureSets(t *testing.T) {
	pages := newsroomPages(t, "northmoor-times", 0, 4)
	spatial := FeatureNames(wrapper.BodyFeatures(), wrapper.Spatial, false)
	if strings.Join(spatial, " ") != "RectLeft RectTop RectWidth RectHeight" {
		t.Errorf("spatial: %v", spatial)
	}
	if n := len(PaperOptions().Title); n != 10 {
		t.Errorf("%d features of titles in the paper, want 10", n)
	}
	m, err := Train(t.Context(), pages, Options{Config: wrapper.Default(), Body: spatial})
	if err != nil || m.Body.Columns() != 4 || m.Title.Columns() != len(wrapper.TitleFeatures()) {
		t.Errorf("%v", err)
	}
	if _, err := Train(t.Context(), pages, Options{Config: wrapper.Default(), Title: []string{"Colour"}}); err == nil || !strings.Contains(err.Error(), "Colour") {
		t.Errorf("an unknown feature: %v", err)
	}
}

func TestTrainErrors(t *testing.T) {
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

// Sites and their sources alternate.
func TestInterleave(t *testing.T) {
	var all []*Example
	for _, site := range strings.Fields("a a a b c c") {
		all = append(all, &Example{Site: site, Source: map[string]string{"c": "other"}[site]})
	}
	for most, want := range map[int]string{0: "", 2: "a c", 4: "a c b a", 9: "a c b a c a"} {
		var got []string
		for _, x := range interleave(all, most) {
			got = append(got, x.Site)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%d: %v, want %s", most, got, want)
		}
	}
}

// The accuracy in cross-validation is written on the model's card.
func TestCrossValidate(t *testing.T) {
	var steps []string
	m, err := Train(t.Context(), examples(t, 12), Options{Config: wrapper.Default(), Folds: 2, Progress: func(what string, done, total int) {
		steps = append(steps, fmt.Sprintf("%s %d/%d", what, done, total))
	}})
	if err != nil {
		t.Fatal(err)
	}
	if f := m.Card.Figures; f["title"] != 1 || f["body"] != 1 || f["news"] != 1 || f["title, where shown"] != 1 || strings.Join(steps, ", ") != "training 0/1, cross-validating 0/2, cross-validating 1/2" {
		t.Errorf("figures %v after the steps %v", f, steps)
	}
}

// MeasureSubtrees takes the subtrees of section 2 for correct whatever else is in
// them, and Measure the text of the gold.
func TestMeasureSubtrees(t *testing.T) {
	pages := newsroomPages(t, "daily-whirl", 10, 8)
	w, err := NewWrapper(t.Context(), pages[:6], PaperOptions())
	if err != nil {
		t.Fatal(err)
	}
	subtrees, err := MeasureSubtrees(t.Context(), w, pages[6:])
	if err != nil || subtrees.Pages != 2 || subtrees.Both != 1 {
		t.Errorf("by subtrees: %+v, %v", subtrees, err)
	}
	text, err := Measure(t.Context(), w, pages[6:])
	if err != nil || text.Title != 1 || text.Body > subtrees.Body {
		t.Errorf("by text: %+v, %v", text, err)
	}
	title, body, err := Reach(t.Context(), pages, PaperOptions().Config)
	if err != nil || title != 1 || body != 1 {
		t.Errorf("in reach: titles %.3f, bodies %.3f, %v", title, body, err)
	}
	low := wrapper.Default()
	low.MinArea = 100 // screens
	if _, body, err := Reach(t.Context(), pages, low); err != nil || body != 0 {
		t.Errorf("in reach though too small: %.3f, %v", body, err)
	}
}
