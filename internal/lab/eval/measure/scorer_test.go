package measure

import (
	"math"
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
)

const scorerPage = `<title>Gulls leave</title><body><nav><a href="/">Home</a></nav><h1>Gulls leave</h1>
<p>They fl<b>ew</b> off, <i>all</i> of them.</p><p>渡轮晚点</p><footer>They are the paper</footer>`

// TestScorer checks that Scorer.Score agrees with Score on the text of the nodes.
func TestScorer(t *testing.T) {
	t.Parallel()
	d := parse(t, scorerPage)
	for _, g := range []corpus.Gold{
		{Text: "They flew off, all of them. 渡轮晚点", Title: "Gulls leave"},
		{Text: "Gulls leave\nThey flew off, all of them. 渡轮晚点 tonight", TitleInText: true},
		{Text: "Nothing of that"},
	} {
		s := NewScorer(d, &g)
		for _, tags := range [][]dom.Tag{nil, {dom.P}, {dom.P, dom.Footer}, {dom.H1, dom.P}, {dom.Body}} {
			selected := make([]bool, d.Len())
			text := ""
			for _, tag := range tags {
				for n := range d.All(d.Root(), tag) {
					text += d.Text(n) + "\n"
					for c := n; c < d.End(n); c++ {
						selected[c] = true
					}
				}
			}
			for _, title := range []string{"", "Gulls leave", "Home"} {
				got, want := s.Score(selected, title), Score(&g, title, text)
				if math.Abs(got.P-want.P)+math.Abs(got.R-want.R)+math.Abs(got.F1-want.F1) > 1e-12 {
					t.Errorf("%v, title %q: got %v, want %v", tags, title, got, want)
				}
			}
		}
	}
}

func TestScorerTitle(t *testing.T) {
	t.Parallel()
	d := parse(t, scorerPage)
	if m, known := NewScorer(d, &corpus.Gold{Title: "Gulls leave"}).Title("Gulls stay"); !known || m != (PRF{0.5, 0.5, 0.5}) {
		t.Errorf("got %v, %v", m, known)
	}
	if _, known := NewScorer(d, &corpus.Gold{}).Title("Gulls stay"); known {
		t.Error("a page without a gold headline has a figure")
	}
}
