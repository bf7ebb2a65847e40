package blend

import (
	"slices"
	"testing"

	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/method"
)

const row = "<title>T</title><p>one two three four<p>one two three four<p>one two three four<p>one two three four"

func TestChoose(t *testing.T) {
	v := blocks.Read(parse(t, row), new(blocks.Tables))
	v.Headline = -1
	for _, c := range []struct {
		why   string
		p     []float32
		favor method.Favor
		want  []bool
	}{
		{"what is probable is kept", []float32{0.9, 0.6, 0.5, 0.1}, method.Balanced, []bool{true, true, false, false}},
		{"with precision, only what is sure", []float32{0.9, 0.6, 0.5, 0.1}, method.FavorPrecision, []bool{true, false, false, false}},
		{"with recall, also what is doubtful", []float32{0.9, 0.6, 0.5, 0.1}, method.FavorRecall, []bool{true, true, true, false}},
		{"where nothing is probable, the best is kept", []float32{0.4, 0.3, 0.01, 0.01}, method.Balanced, []bool{true, true, false, false}},
		{"nothing comes of nothing", []float32{0, 0, 0, 0}, method.Balanced, []bool{false, false, false, false}},
	} {
		if got := Choose(v, c.p, c.favor); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v gives %v, want %v", c.why, c.p, got, c.want)
		}
	}
	v.Headline = 0
	if got := Choose(v, []float32{1, 1, 0, 0}, method.Balanced); got[0] || !got[1] {
		t.Errorf("the headline is kept: %v", got)
	}
}

func TestLooseHeadings(t *testing.T) {
	d := parse(t, "<h2>a</h2><p>b</p><h2>c</h2><p>d</p><h2>e</h2>")
	c := &choice{View: blocks.Read(d, new(blocks.Tables)), page: d, kept: []bool{true, true, true, false, true}}
	c.dropLooseHeadings()
	if want := []bool{true, true, false, false, false}; !slices.Equal(c.kept, want) {
		t.Errorf("%v, want %v", c.kept, want)
	}
}
