// Package visual trains the template-independent wrapper (package wrapper) and
// measures it. Package papers has the experiments of its paper.
//
// Labels come from people ([FromLabels]) or from the gold of corpora and made-up
// sites ([Load], [FromNewsroom]): the two subtrees that a person would have
// chosen. [Train] learns to tell these from the other candidates of a page.
// [Measure] compares texts with the gold, [MeasureSubtrees] subtrees, as the paper
// does.
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
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	trainsvm "github.com/lede-news/lede/internal/lab/train/svm"
	"github.com/lede-news/lede/internal/methods/svm"
	"github.com/lede-news/lede/internal/methods/wrapper"
)

// ErrNoLabels means that fewer than two pages have a label among their candidates.
var ErrNoLabels = errors.New("fewer than two pages have a label among their candidates: label more pages")

// Options are the settings of training.
type Options struct {
	// Config is the configuration of the wrapper.
	Config wrapper.Config
	// Body and Title name the features to use (default: all).
	Body, Title []string
	// Subtrees asks for the labels by the paper's definition, Example.Subtrees.
	Subtrees bool
	// C and Gamma are those of the support vector machines (default: the best in
	// cross-validation).
	C, Gamma float64
	// Rows limits the training rows of each machine (default: 4000). Of pages with
	// more candidates, only a sample of those without a label is used.
	Rows int
	Seed uint64
	// Folds is the number of folds of a cross-validation by site, whose accuracy
	// is written on the model's card (default: none).
	Folds int
	// Progress may be nil.
	Progress Progress
}

// PaperOptions returns options with the configuration, features and labels of the
// paper.
func PaperOptions() Options {
	c, _ := wrapper.Preset("paper")
	return Options{Config: c, Subtrees: true, Body: FeatureNames(wrapper.BodyFeatures(), "", false), Title: FeatureNames(wrapper.TitleFeatures(), "", false)}
}

// FeatureNames returns the names of the features of a kind, or of all kinds if it
// is empty. Those that are not in the paper are left out unless own is set.
func FeatureNames(all []wrapper.Feature, kind wrapper.Kind, own bool) (names []string) {
	for _, f := range all {
		if (own || !f.Own) && (kind == "" || f.Kind == kind) {
			names = append(names, f.Name)
		}
	}
	return names
}

// labels returns the subtrees to learn.
func (o *Options) labels(x *Example) (title, body dom.Node) {
	if o.Subtrees {
		return x.Subtrees.Title, x.Subtrees.Body
	}
	return x.Title, x.Body
}

// The best settings in cross-validation.
const (
	defaultC     = 10
	defaultGamma = 0.2
	defaultRows  = 4000
)

// Train learns a wrapper from labelled pages.
func Train(ctx context.Context, examples []*Example, o Options) (*wrapper.Model, error) {
	o.Progress.report("training", 0, 1)
	m, err := train(ctx, examples, o)
	if err != nil || o.Folds < 2 {
		return m, err
	}
	a, err := crossValidate(ctx, examples, o)
	if err != nil {
		return nil, err
	}
	m.Card.Figures = a.Figures()
	return m, nil
}

func train(ctx context.Context, examples []*Example, o Options) (*wrapper.Model, error) {
	o.Rows = cmp.Or(o.Rows, defaultRows)
	sites := map[string]int{}
	for _, x := range examples {
		if _, known := sites[x.Site]; !known {
			sites[x.Site] = len(sites)
		}
	}
	var bodies, titles []candidates
	card := wrapper.Card{Pages: map[string]int{}}
	withBody := slices.DeleteFunc(slices.Clone(examples), func(x *Example) bool {
		_, body := o.labels(x)
		return body == dom.None
	})
	for i, x := range interleave(withBody, o.Rows/minRows) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		group := i
		if len(sites) >= 2*plattFolds {
			group = sites[x.Site]
		}
		s := wrapper.NewScene(x.Doc, x.URL, x.Layout, o.Config)
		title, body := o.labels(x)
		if b := o.bodyCandidates(s, body, group); b.label != nil {
			bodies = append(bodies, b)
		}
		if title == dom.None {
			continue
		}
		if t := o.titleCandidates(s, title, body, group); t.label != nil {
			titles = append(titles, t)
		}
		card.Pages[x.Source]++
	}
	body, err := trainSVM(bodies, wrapper.BodyFeatures(), o.Body, o)
	if err != nil {
		return nil, fmt.Errorf("training on bodies: %w", err)
	}
	title, err := trainSVM(titles, wrapper.TitleFeatures(), o.Title, o)
	if err != nil {
		return nil, fmt.Errorf("training on titles: %w", err)
	}
	m := &wrapper.Model{Card: card, Body: body, Title: title}
	return m, m.Check()
}

// crossValidate measures, for each fold of the sites, a model trained on all
// other folds.
func crossValidate(ctx context.Context, examples []*Example, o Options) (Accuracy, error) {
	var all []outcome
	for fold := range o.Folds {
		o.Progress.report("cross-validating", fold, o.Folds)
		var training, test []*Example
		for _, x := range examples {
			if corpus.Fold(x.Site, o.Folds) == fold {
				test = append(test, x)
			} else {
				training = append(training, x)
			}
		}
		w, err := NewWrapper(ctx, training, o)
		if err != nil {
			return Accuracy{}, err
		}
		outcomes, err := extractAll(ctx, w, test, byText)
		if err != nil {
			return Accuracy{}, err
		}
		all = append(all, outcomes...)
	}
	return accuracyOf(all), nil
}

// NewWrapper trains a model and returns a wrapper that uses it.
func NewWrapper(ctx context.Context, examples []*Example, o Options) (*wrapper.Wrapper, error) {
	m, err := train(ctx, examples, o)
	if err != nil {
		return nil, err
	}
	c := o.Config
	c.Model = m
	return wrapper.New(c), nil
}

// minRows is how many rows a page should give. If there are too many pages for
// that, some are left out.
const minRows = 10

// interleave returns up to most examples. They alternate between sites, since the
// pages of a site are alike, and between sources.
func interleave(examples []*Example, most int) []*Example {
	sites := groupBy(examples, func(x *Example) string { return x.Site })
	sources := groupBy(sites, func(site []*Example) string { return site[0].Source })
	out := alternate(alternate(sources))
	return out[:min(most, len(out))]
}

// groupBy collects the elements of each key, in the order of their first ones.
func groupBy[T any](all []T, key func(T) string) [][]T {
	var groups [][]T
	number := map[string]int{}
	for _, x := range all {
		k := key(x)
		if _, known := number[k]; !known {
			number[k] = len(groups)
			groups = append(groups, nil)
		}
		groups[number[k]] = append(groups[number[k]], x)
	}
	return groups
}

// alternate returns the first elements of all groups, then the second ones, and
// so on.
func alternate[T any](groups [][]T) []T {
	var out []T
	for i := 0; ; i++ {
		before := len(out)
		for _, g := range groups {
			if i < len(g) {
				out = append(out, g[i])
			}
		}
		if len(out) == before {
			return out
		}
	}
}

// candidates has the features of a page's label and of its other candidates.
type candidates struct {
	label  []float64 // nil if the label is not among the candidates
	others [][]float64
	group  int // number of the page or its site, which is not split between folds
}

// bodyCandidates returns the candidates for the body of a page. The paper does
// not say which subtrees are negative examples. Here it is all candidates up to
// the screen of the body, except those with nearly the same words: to choose one
// of them is not a mistake. A wrapper that does not scroll has candidates in the
// first screen only.
func (o *Options) bodyCandidates(s *wrapper.Scene, body dom.Node, group int) candidates {
	out := candidates{group: group}
	for screen, nodes := range s.Bodies() {
		if screen > s.ScreenOf(body) || screen > 0 && !o.Config.Scroll {
			break
		}
		for _, n := range nodes {
			switch {
			case n == body:
				out.label = rounded(s.Body(n))
			case !isNear(s.Doc, n, body):
				out.others = append(out.others, rounded(s.Body(n)))
			}
		}
	}
	return out
}

// titleCandidates returns the candidates for the title of a body, without those
// that have the same words as the title.
func (o *Options) titleCandidates(s *wrapper.Scene, title, body dom.Node, group int) candidates {
	out := candidates{group: group}
	if s.ScreenOf(body) > 0 && !o.Config.Scroll {
		return out
	}
	want := measure.Letters(s.Doc.Text(title))
	for _, n := range s.Titles(body, o.Config.Scroll) {
		switch {
		case n == title:
			out.label = rounded(s.Title(n, body))
		case measure.Letters(s.Doc.Text(n)) != want:
			out.others = append(out.others, rounded(s.Title(n, body)))
		}
	}
	return out
}

// rounded rounds features to about a pixel of a screen, which keeps model files
// short.
func rounded(x []float64) []float64 {
	const precision = 1000
	for i := range x {
		x[i] = math.Round(x[i]*precision) / precision
	}
	return x
}

// isNear reports whether n contains the body, or is inside it, and has nearly the
// same number of words.
func isNear(d *dom.Document, n, body dom.Node) bool {
	const near = 0.9
	if !d.Contains(n, body) && !d.Contains(body, n) {
		return false
	}
	a, b := float64(d.Words(n)), float64(d.Words(body))
	return min(a, b) >= near*max(a, b)
}

const plattFolds = 5 // of the cross-validation for Platt scaling

// trainSVM learns from the named features. If pages have more candidates than
// fit, a first machine learns from a random sample, and a second one from the
// candidates that the first takes for labels: most candidates look nothing like a
// body or a title and teach nothing.
func trainSVM(pages []candidates, all []wrapper.Feature, names []string, o Options) (*svm.Model, error) {
	if len(pages) < 2 {
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
			return nil, fmt.Errorf("unknown feature %q", name)
		}
		columns = append(columns, i)
	}
	most := o.Rows/len(pages) - 1
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	opts := trainsvm.Options{C: cmp.Or(o.C, defaultC), Gamma: cmp.Or(o.Gamma, defaultGamma), Features: names, Folds: plattFolds, Seed: o.Seed}
	r := newTrainingSet(pages, columns, most, rng, nil)
	if slices.ContainsFunc(pages, func(p candidates) bool { return len(p.others) > most }) {
		first, err := trainsvm.Train(r.x, r.y, opts)
		if err != nil {
			return nil, err
		}
		r = newTrainingSet(pages, columns, most, rng, first)
	}
	opts.Probability, opts.Groups = true, r.groups
	return trainsvm.Train(r.x, r.y, opts)
}

// trainingSet has the rows that a machine learns from.
type trainingSet struct {
	x      [][]float64
	y      []bool
	groups []int
}

// newTrainingSet takes the label of each page and up to most of its other
// candidates. They are chosen at random or, given a first machine, half of them
// by its decision values.
func newTrainingSet(pages []candidates, columns []int, most int, rng *rand.Rand, first *svm.Model) *trainingSet {
	r := new(trainingSet)
	add := func(x []float64, y bool, group int) {
		r.x, r.y, r.groups = append(r.x, x), append(r.y, y), append(r.groups, group)
	}
	for _, p := range pages {
		add(pick(p.label, columns), true, p.group)
		others := make([][]float64, len(p.others))
		for i, o := range p.others {
			others[i] = pick(o, columns)
		}
		rng.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
		if first != nil && len(others) > most {
			sortByDecision(others[most/2:], first)
		}
		for _, o := range others[:min(most, len(others))] {
			add(o, false, p.group)
		}
	}
	return r
}

// sortByDecision sorts rows by falling decision value.
func sortByDecision(x [][]float64, m *svm.Model) {
	type decided struct {
		x     []float64
		value float64
	}
	all := make([]decided, len(x))
	for i := range x {
		all[i] = decided{x[i], m.Decision(x[i])}
	}
	slices.SortStableFunc(all, func(a, b decided) int { return cmp.Compare(b.value, a.value) })
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
