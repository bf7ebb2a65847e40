package eval_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

func TestFloors(t *testing.T) {
	t.Parallel()
	c := []*corpus.Corpus{openIncomplete(t)}
	m := measures(t, "bag", "title", "time")
	res, err := eval.Run(t.Context(), c, fakes(), m, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	now := res.Pins()
	// c is not an article, so there is a second entry for the articles.
	if x := now["harbour/good/bag"]; x != 0.963 {
		t.Errorf("all pages: %v", x)
	}
	if x := now["harbour, articles/good/bag"]; x != 0.9444 {
		t.Errorf("articles: %v", x)
	}
	if _, timed := now["harbour/good/time"]; timed {
		t.Error("time is pinned")
	}

	file := filepath.Join(t.TempDir(), "floors.json")
	floors, err := eval.ReadFloors(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, n := floors.Full.Compare(now); n != 0 {
		t.Errorf("no floors: %d compared", n)
	}
	if n := floors.Full.Raise(now); n != 8 {
		t.Errorf("raised %d", n)
	}
	if err := floors.Write(file); err != nil {
		t.Fatal(err)
	}
	if floors, err = eval.ReadFloors(file); err != nil {
		t.Fatal(err)
	}

	// The system named good now fails on page b.
	worse := fakes()
	worse[0].(fake).outputs["b"] = &measure.Output{Title: "Ferry late", Text: "Home Menu"}
	fell, err := eval.Run(t.Context(), c, worse, m, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	low := fell.Pins()
	lost, n := floors.Full.Compare(low)
	if n != 8 || len(lost) != 2 || lost[0] != "harbour, articles/good/bag" || low[lost[0]] != 0.5 {
		t.Errorf("%d compared, lost %+v", n, lost)
	}
	if n := floors.Full.Raise(low); n != 0 || floors.Full["harbour/good/bag"] != 0.963 {
		t.Errorf("raised %d to something lower: %v", n, floors.Full)
	}
	for now, want := range map[float64]int{0.8981: 0, 0.8979: 1} {
		if lost, _ := (eval.Pins{"x": 0.9}).Compare(eval.Pins{"x": now}); len(lost) != want {
			t.Errorf("from 0.9 to %v: %v", now, lost)
		}
	}
}

func TestInSample(t *testing.T) {
	t.Parallel()
	in := 0
	for i := range 1000 {
		if eval.InSample("harbour", string(rune('a'+i%26))+strings.Repeat("x", i/26)) {
			in++
		}
	}
	if in != 194 {
		t.Errorf("%d of 1000 pages, want 194", in)
	}
}
