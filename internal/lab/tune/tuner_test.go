package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/method"
)

// longLines is a method with one parameter: the minimum number of words of a
// paragraph.
type longLines int

func (longLines) Name() string { return "long-lines" }

func (m longLines) Select(_ context.Context, p *method.Page) (*method.Selection, error) {
	s := &method.Selection{Title: p.Doc.First(dom.H1)}
	for n := range p.Doc.All(p.Doc.Root(), dom.P) {
		if p.Doc.Words(n) >= int(m) {
			s.Keep = append(s.Keep, n)
		}
	}
	if len(s.Keep) == 0 {
		return nil, method.ErrNoContent
	}
	return s, nil
}

// newTuner has examples of two corpora in which each page is of another site.
// Paragraphs of the article have six words or more, all others four or fewer.
func newTuner(t *testing.T) *Tuner {
	t.Helper()
	d, err := dom.Parse(t.Context(), []byte(`<h1>Gulls leave</h1><p>Home</p><p>Read more about gulls</p><p>The gulls left the pier today.</p>
<p>Nobody on the pier knows why.</p><p>All rights reserved</p>`), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var examples []*Example
	for i := range 14 {
		g := &corpus.Gold{Site: fmt.Sprintf("site%d.example", i), Title: "Gulls leave", Text: "The gulls left the pier today. Nobody on the pier knows why."}
		x := &Example{Gold: g, Doc: d}
		if i >= 9 {
			x.Corpus, g.Text, g.TitleInText = 1, "Gulls leave. "+g.Text, true
		}
		examples = append(examples, x)
	}
	return &Tuner{
		Params:   []Param{{Name: "words", Min: 1, Max: 20, Grid: 1}},
		Start:    []float64{1},
		Present:  []float64{8},
		Make:     func(v []float64) method.Method { return longLines(v[0]) },
		Examples: examples,
	}
}

func TestSearchAll(t *testing.T) {
	t.Parallel()
	tu := newTuner(t)
	best, err := tu.Search(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := best[0]; n < 5 || n > 6 {
		t.Errorf("found %g words; paragraphs of the article have 6, others 4", n)
	}
	if set := tu.Changes(best); len(set) != 1 || set[0] != "words=5" && set[0] != "words=6" {
		t.Errorf("changes: %v", set)
	}
	for i, s := range ScoreAll(t.Context(), tu.Examples, tu.Make(best)) {
		if s != (Score{measure.PRF{P: 1, R: 1, F1: 1}, 1}) {
			t.Errorf("example %d: %v", i, s)
		}
	}
	tu.Present[0] = 5.5 // as good as 5 and 6
	if best, err = tu.Search(t.Context()); err != nil || tu.Changes(best) != nil {
		t.Errorf("changed what makes no difference: %v, %v", tu.Changes(best), err)
	}
	// A method that finds nothing scores 0 and is not an error.
	if scores := ScoreAll(t.Context(), tu.Examples, longLines(99)); scores[0] != (Score{}) {
		t.Errorf("nothing found: %v", scores[0])
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tu.Search(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestCrossValidate(t *testing.T) {
	t.Parallel()
	scores, err := newTuner(t).CrossValidate(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range scores {
		if m.F1 != 1 {
			t.Errorf("example %d: %v", i, m)
		}
	}
}

func TestGain(t *testing.T) {
	t.Parallel()
	tu := newTuner(t)
	before, after := make([]Score, 14), make([]Score, 14)
	for i := range after {
		after[i].F1 = 0.5
	}
	after[0].F1 = 1
	if gain, e := tu.Gain(0, before, after); math.Abs(gain-5/9.0) > 1e-9 || math.Abs(e-math.Sqrt(8.0/9)*0.5/9) > 1e-9 {
		t.Errorf("gain %g ± %g", gain, e)
	}
	if gain, e := tu.Gain(1, before, after); gain != 0.5 || e != 0 {
		t.Errorf("gain of all alike %g ± %g", gain, e)
	}
}

func TestNewTuner(t *testing.T) {
	t.Parallel()
	names := func(tu *Tuner) (names []string) {
		for _, p := range tu.Params {
			names = append(names, p.Name)
		}
		return names
	}
	for _, c := range []struct {
		method string
		set    []string
		want   string
	}{
		{"twcem", nil, "d1 d2 d3 k"},
		{"twcem", []string{"d1=3"}, "d2 d3 k"},
		{"stadynot:paper", nil, "alpha beta"},
	} {
		tu, err := NewTuner(c.method, c.set)
		if err != nil {
			t.Errorf("%s: %v", c.method, err)
			continue
		}
		if got := strings.Join(names(tu), " "); got != c.want {
			t.Errorf("%s %v: %s, want %s", c.method, c.set, got, c.want)
		}
		if m := tu.Make(tu.Start); m.Name() != c.method {
			t.Errorf("%s: made %s", c.method, m.Name())
		}
	}
	for _, c := range []struct {
		method string
		set    []string
		want   string
	}{
		{"magic", nil, "unknown method"},
		{"blend", nil, "no numbers to tune"},
		{"twcem", []string{"d1"}, "name=value"},
	} {
		if _, err := NewTuner(c.method, c.set); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c, err)
		}
	}
}
