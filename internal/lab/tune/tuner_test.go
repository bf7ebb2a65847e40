package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
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
	c, err := corpus.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newTuner(t *testing.T) *Tuner {
	t.Helper()
	corpora := []*corpus.Corpus{newCorpus(t, "quay", 9, false), newCorpus(t, "pier", 5, true)}
	examples, err := Load(t.Context(), corpora, 0, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	if len(examples) != 14 || examples[0].Corpus != 0 || examples[13].Corpus != 1 || examples[13].Gold.ID != "p4" {
		t.Fatalf("loaded %v", examples)
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
		method    string
		set, only []string
		want      string
	}{
		{"twcem", nil, nil, "d1 d2 d3 k"},
		{"twcem", []string{"d1=3"}, nil, "d2 d3 k"},
		{"twcem:microblog", nil, []string{"k", "d1"}, "d1 k"},
		{"stadynot:paper", nil, nil, "alpha beta"},
	} {
		tu, err := NewTuner(c.method, c.set, c.only)
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
		if _, err := NewTuner(c.method, c.set, c.only); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	c := newCorpus(t, "quay", 4, false)
	c.Gold[0].Type = "listing"
	load := func(limit int) ([]*Example, error) {
		return Load(t.Context(), []*corpus.Corpus{c}, limit, func(int, int) {})
	}
	if all, err := load(2); err != nil || len(all) != 2 || all[0].Gold.ID != "p1" {
		t.Errorf("the first two articles: %v, %v", all, err)
	}
	c.Gold = append(c.Gold, corpus.Gold{ID: "gone", Text: "x"})
	if _, err := load(0); err == nil || !strings.Contains(err.Error(), "page gone") {
		t.Errorf("missing page: %v", err)
	}
	c.Gold = c.Gold[:1]
	if _, err := load(0); err == nil || !strings.Contains(err.Error(), "corpus quay: none of its 1 pages") {
		t.Errorf("no articles: %v", err)
	}
}
