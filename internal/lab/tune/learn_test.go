package tune_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/lab/tune"
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

// newCorpus writes a corpus in which each page is of another site. Paragraphs of
// the article have six words or more, all others four or fewer.
func newCorpus(t *testing.T, name string, pages int, titleInText bool) *corpus.Corpus {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(filepath.Join(dir, "pages"), 0o777); err != nil {
		t.Fatal(err)
	}
	var gold strings.Builder
	for i := range pages {
		title := ""
		if titleInText {
			title = "Gulls leave. "
		}
		fmt.Fprintf(&gold, `{"id":"p%d","site":"%s%d.example","type":"article","title":"Gulls leave","text":"%sThe gulls left the pier today. Nobody on the pier knows why.","title_in_text":%v}`+"\n",
			i, name, i, title, titleInText)
		page := `<h1>Gulls leave</h1><p>Home</p><p>Read more about gulls</p><p>The gulls left the pier today.</p>
<p>Nobody on the pier knows why.</p><p>All rights reserved</p>`
		if err := os.WriteFile(filepath.Join(dir, "pages", fmt.Sprintf("p%d.html", i)), []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "gold.jsonl"), []byte(gold.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(dir, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func all(*corpus.Gold) bool { return true }

func newTuner(t *testing.T) *tune.Tuner {
	t.Helper()
	corpora := []*corpus.Corpus{newCorpus(t, "quay", 9, false), newCorpus(t, "pier", 5, true)}
	last := 0
	examples, err := tune.Load(t.Context(), corpora, all, dom.Options{}, func(done, total int) {
		if total != 14 || done != last+1 {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(examples) != 14 || examples[0].Corpus != 0 || examples[13].Corpus != 1 || examples[13].Gold.ID != "p4" {
		t.Fatalf("loaded %v", examples)
	}
	return &tune.Tuner{
		Params:   []tune.Param{{Name: "words", Min: 1, Max: 20, Grid: 1}},
		Start:    []float64{1},
		Present:  []float64{8},
		Make:     func(v []float64) method.Method { return longLines(v[0]) },
		Examples: examples,
	}
}

func TestTuner(t *testing.T) {
	tu := newTuner(t)
	r, err := tu.SearchAll(t.Context(), tune.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := r.Values[0]; n < 5 || n > 6 {
		t.Errorf("found %g words; paragraphs of the article have 6, others 4", n)
	}
	if set := tu.Changes(r.Values); len(set) != 1 || set[0] != "words=5" && set[0] != "words=6" {
		t.Errorf("changes: %v", set)
	}
	tu.Present[0] = 5.5 // as good as 5 and 6
	if r, err = tu.SearchAll(t.Context(), tune.Options{}); err != nil || tu.Changes(r.Values) != nil {
		t.Errorf("changed what makes no difference: %v, %v", tu.Changes(r.Values), err)
	}
	scores, err := tu.Score(t.Context(), tu.Make(r.Values))
	if err != nil {
		t.Fatal(err)
	}
	if m := measure.Mean(scores); m != (measure.PRF{P: 1, R: 1, F1: 1}) {
		t.Errorf("scores %v", m)
	}
	// A method that finds nothing scores 0 and is not an error.
	scores, err = tu.Score(t.Context(), longLines(99))
	if m := measure.Mean(scores); err != nil || m.F1 != 0 {
		t.Errorf("nothing found: %v, %v", m, err)
	}
}

func TestCrossValidate(t *testing.T) {
	tu := newTuner(t)
	scores, err := tu.CrossValidate(t.Context(), 3, tune.Options{})
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
	tu := newTuner(t)
	before, after := make([]measure.PRF, 14), make([]measure.PRF, 14)
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
	names := func(tu *tune.Tuner) (names []string) {
		for _, p := range tu.Params {
			names = append(names, p.Name)
		}
		return names
	}
	for _, c := range []struct {
		method    string
		set, only []string
		want      string
	}{
		{"twcem", nil, nil, "d1 d2 d3 k"},
		{"twcem", []string{"d1=3"}, nil, "d2 d3 k"},
		{"twcem:microblog", nil, []string{"k", "d1"}, "d1 k"},
		{"stadynot:paper", nil, nil, "alpha beta"},
	} {
		tu, err := tune.NewTuner(c.method, c.set, c.only)
		if err != nil {
			t.Errorf("%s: %v", c.method, err)
			continue
		}
		if got := strings.Join(names(tu), " "); got != c.want {
			t.Errorf("%s %v %v: %s, want %s", c.method, c.set, c.only, got, c.want)
		}
		if m := tu.Make(tu.Start); m.Name() != c.method {
			t.Errorf("%s: made %s", c.method, m.Name())
		}
	}
	tu, err := tune.NewTuner("twcem:paper", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	tu.Apply([]string{"d1=2", "d3=1", "extend=true"})
	if want := []float64{2, 1, 1, 0}; !slices.Equal(tu.Present, want) {
		t.Errorf("present settings %v, want %v", tu.Present, want)
	}
	for _, c := range []struct {
		method    string
		set, only []string
		want      string
	}{
		{"magic", nil, nil, "unknown method"},
		{"blend", nil, nil, "no numbers to tune"},
		{"twcem", nil, []string{"a1"}, "available: d1, d2"},
		{"twcem", []string{"d1=3"}, []string{"d1"}, "available: d2"},
		{"twcem", []string{"d1"}, nil, "name=value"},
	} {
		if _, err := tune.NewTuner(c.method, c.set, c.only); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	c := newCorpus(t, "quay", 2, false)
	none := func(*corpus.Gold) bool { return false }
	if _, err := tune.Load(t.Context(), []*corpus.Corpus{c}, none, dom.Options{}, func(int, int) {}); err == nil || !strings.Contains(err.Error(), "corpus quay: none of its 2 pages") {
		t.Errorf("no pages selected: %v", err)
	}
	c.Gold = append(c.Gold, corpus.Gold{ID: "gone", Text: "x"})
	if _, err := tune.Load(t.Context(), []*corpus.Corpus{c}, all, dom.Options{}, func(int, int) {}); err == nil || !strings.Contains(err.Error(), "page gone") {
		t.Errorf("missing page: %v", err)
	}
}
