package visual

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/learn/svm"
	"github.com/lede-news/lede/internal/wrapper"
)

// sheet is what a page teaches: the features of its label and of the candidates
// that are none.
type sheet struct {
	label  []float64
	others [][]float64
	group  int // of the page or its site, which folds keep whole
}

// bodySheet takes the candidates of a page. The paper leaves open which subtrees
// are negative: here all candidates that the wrapper would meet up to the screen
// of the body, but for those with nearly the same words as the body. To take
// one of them is no mistake, and to call them negative would teach that their
// like are.
func bodySheet(s *wrapper.Scene, x *Example, group int) (sheet, bool) {
	out := sheet{group: group}
	for screen, candidates := range s.Bodies() {
		if screen > s.ScreenOf(x.Body) {
			break
		}
		for _, n := range candidates {
			switch {
			case n == x.Body:
				out.label = rounded(s.Body(n))
			case !isNear(x.Doc, n, x.Body):
				out.others = append(out.others, rounded(s.Body(n)))
			}
		}
	}
	return out, out.label != nil
}

// titleSheet takes the candidates for the title of a page's body. Those with the
// same words as the title are neither right nor wrong.
func titleSheet(s *wrapper.Scene, x *Example, group int) (sheet, bool) {
	out := sheet{group: group}
	want := letters(x.Doc.Text(x.Title))
	for _, n := range s.Titles(x.Body, true) {
		switch {
		case n == x.Title:
			out.label = rounded(s.Title(n, x.Body))
		case letters(x.Doc.Text(n)) != want:
			out.others = append(out.others, rounded(s.Title(n, x.Body)))
		}
	}
	return out, out.label != nil
}

// rounded cuts features to a pixel of a screen, so that model files are short.
func rounded(x []float64) []float64 {
	const precision = 1000
	for i := range x {
		x[i] = math.Round(x[i]*precision) / precision
	}
	return x
}

// isNear tells a subtree around the body, or inside it, with hardly any words
// more or less.
func isNear(d *dom.Document, n, body dom.Node) bool {
	const near = 0.9
	if !d.Contains(n, body) && !d.Contains(body, n) {
		return false
	}
	a, b := float64(d.Words(n)), float64(d.Words(body))
	return min(a, b) >= near*max(a, b)
}

// rows are what a machine learns from.
type rows struct {
	x      [][]float64
	y      []bool
	groups []int
}

// newRows takes of each page its label and up to most of the others: at random
// or, with a machine that was trained on such, those that it takes for labels
// most.
func newRows(sheets []sheet, columns []int, most int, rng *rand.Rand, hard *svm.Model) *rows {
	r := new(rows)
	add := func(x []float64, y bool, group int) {
		r.x, r.y, r.groups = append(r.x, x), append(r.y, y), append(r.groups, group)
	}
	for _, s := range sheets {
		add(pick(s.label, columns), true, s.group)
		others := make([][]float64, len(s.others))
		for i, o := range s.others {
			others[i] = pick(o, columns)
		}
		rng.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
		if hard != nil && len(others) > most {
			random := most / 2
			byDecision(others[random:], hard)
		}
		for _, o := range others[:min(most, len(others))] {
			add(o, false, s.group)
		}
	}
	return r
}

// byDecision sorts rows, those first that look most like labels.
func byDecision(x [][]float64, m *svm.Model) {
	type judged struct {
		x []float64
		d float64
	}
	all := make([]judged, len(x))
	for i := range x {
		all[i] = judged{x[i], m.Decision(x[i])}
	}
	slices.SortStableFunc(all, func(a, b judged) int { return cmp.Compare(b.d, a.d) })
	for i := range all {
		x[i] = all[i].x
	}
}

func pick(all []float64, columns []int) []float64 {
	x := make([]float64, len(columns))
	for i, k := range columns {
		x[i] = all[k]
	}
	return x
}
