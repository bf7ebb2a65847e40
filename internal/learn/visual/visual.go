// Package visual trains the template-independent wrapper (package wrapper) and
// runs the experiments of its paper.
//
// Labels come from people ([FromLabels]) or from gold: [Label] finds the two
// subtrees that a person would have chosen. What a page teaches are its
// candidates, one of them right; [Train] learns from those of many pages.
// [Table2], [Tables34] and [Table5] print what the paper prints, beside the
// paper's own figures.
package visual

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/learn/svm"
	"github.com/lede-news/lede/internal/wrapper"
)

// ErrNoLabels means that no page has a label among its candidates.
var ErrNoLabels = errors.New("no page with a label that the wrapper would come upon: label more pages")

// Options say how to train.
type Options struct {
	// Config is the wrapper's: screen, least area.
	Config wrapper.Config
	// Features restricts the models to some, by name; nil means all.
	Body, Title []string
	// C and Gamma are those of the machines; 0 means what served best.
	C, Gamma float64
	// Rows bounds the rows of each machine: pages with more candidates give a
	// sample of those that are no label. 0 means 4000.
	Rows int
	Seed uint64
}

// The settings that served best in cross-validation.
const (
	defaultC     = 10
	defaultGamma = 0.2
	defaultRows  = 4000
)

// Train learns a wrapper from labelled pages.
func Train(ctx context.Context, examples []*Example, o Options) (*wrapper.Model, error) {
	if o.Rows == 0 {
		o.Rows = defaultRows
	}
	sites := sitesOf(examples)
	examples = inTurns(examples, o.Rows/leastRows)
	var bodies, titles []sheet
	card := wrapper.Card{Pages: map[string]int{}}
	for i, x := range examples {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if x.Body == dom.None {
			continue
		}
		group := i
		if len(sites) >= 2*folds {
			group = sites[x.Site]
		}
		s := wrapper.NewScene(x.Doc, x.URL, x.Layout, o.Config)
		if b, ok := bodySheet(s, x, group); ok {
			bodies = append(bodies, b)
		}
		if x.Title == dom.None {
			continue
		}
		if t, ok := titleSheet(s, x, group); ok {
			titles = append(titles, t)
		}
		card.Pages[x.Source]++
	}
	body, err := trainOne(bodies, wrapper.BodyFeatures(), o.Body, o)
	if err != nil {
		return nil, fmt.Errorf("training on bodies: %w", err)
	}
	title, err := trainOne(titles, wrapper.TitleFeatures(), o.Title, o)
	if err != nil {
		return nil, fmt.Errorf("training on titles: %w", err)
	}
	m := &wrapper.Model{Card: card, Body: body, Title: title}
	return m, m.Check()
}

// leastRows is how many rows a page gives if it has them, its label and others;
// where there are too many pages for that, some are left out.
const leastRows = 10

// inTurns takes up to most examples that have a body. Sites take turns, since
// the pages of one are alike, and so do the corpora that they are of.
func inTurns(examples []*Example, most int) []*Example {
	var sites [][]*Example
	number := map[string]int{}
	for _, x := range examples {
		if x.Body == dom.None {
			continue
		}
		if _, known := number[x.Site]; !known {
			number[x.Site] = len(sites)
			sites = append(sites, nil)
		}
		i := number[x.Site]
		sites[i] = append(sites[i], x)
	}
	sites = alternate(sites)
	var out []*Example
	for round := 0; len(out) < most; round++ {
		before := len(out)
		for _, s := range sites {
			if round < len(s) && len(out) < most {
				out = append(out, s[round])
			}
		}
		if len(out) == before {
			break
		}
	}
	return out
}

// alternate puts sites in an order in which their corpora take turns.
func alternate(sites [][]*Example) [][]*Example {
	var sources []string
	by := map[string][][]*Example{}
	for _, s := range sites {
		source := s[0].Source
		if by[source] == nil {
			sources = append(sources, source)
		}
		by[source] = append(by[source], s)
	}
	out := make([][]*Example, 0, len(sites))
	for i := 0; len(out) < len(sites); i++ {
		for _, source := range sources {
			if i < len(by[source]) {
				out = append(out, by[source][i])
			}
		}
	}
	return out
}

const folds = 5 // of the cross-validation behind Platt scaling

// sitesOf numbers the sites of examples.
func sitesOf(examples []*Example) map[string]int {
	sites := map[string]int{}
	for _, x := range examples {
		if _, known := sites[x.Site]; !known {
			sites[x.Site] = len(sites)
		}
	}
	return sites
}

// trainOne learns from the named features. Where pages have more candidates
// than there is room for, a first machine learns from a random choice, and the
// second from what the first one takes for labels: most candidates are nothing
// like a body or a title, and teach nothing.
func trainOne(sheets []sheet, all []wrapper.Feature, names []string, o Options) (*svm.Model, error) {
	if len(sheets) == 0 {
		return nil, ErrNoLabels
	}
	if names == nil {
		for _, f := range all {
			names = append(names, f.Name)
		}
	}
	var columns []int
	for _, name := range names {
		i := slices.IndexFunc(all, func(f wrapper.Feature) bool { return f.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no feature %q", name)
		}
		columns = append(columns, i)
	}
	most, left := o.Rows/len(sheets)-1, 0
	for _, s := range sheets {
		left += max(len(s.others)-most, 0)
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	set := svm.Options{C: or(o.C, defaultC), Gamma: or(o.Gamma, defaultGamma), Features: names, Folds: folds, Seed: o.Seed}
	r := newRows(sheets, columns, most, rng, nil)
	if left > 0 {
		first, err := svm.Train(r.x, r.y, set)
		if err != nil {
			return nil, err
		}
		r = newRows(sheets, columns, most, rng, first)
	}
	set.Probability, set.Groups = true, r.groups
	return svm.Train(r.x, r.y, set)
}

func or(x, otherwise float64) float64 {
	if x > 0 {
		return x
	}
	return otherwise
}

// Paper names the features of a kind that the paper has; of all kinds for the
// empty one.
func Paper(all []wrapper.Feature, kind wrapper.Kind) (names []string) {
	for _, f := range all {
		if !f.Own && (kind == "" || f.Kind == kind) {
			names = append(names, f.Name)
		}
	}
	return names
}

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
