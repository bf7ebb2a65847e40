// Package visual trains the template-independent wrapper (package wrapper) and
// measures it. Package papers has the experiments of its paper.
//
// Labels come from people ([FromLabels]) or from the gold of corpora and made-up
// sites ([Load], [FromNewsroom]): the two subtrees that a person would have
// chosen. [Train] learns to tell these from the other candidates of a page.
// [MeasureSubtrees] compares the subtrees that a wrapper finds, as the paper does.
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
	Seed     uint64
}

// PaperOptions returns options with the configuration, features and labels of the
// paper.
func PaperOptions() Options {
	return Options{
		Config: wrapper.Paper(), Subtrees: true,
		Body: FeatureNames(wrapper.BodyFeatures(), ""), Title: FeatureNames(wrapper.TitleFeatures(), ""),
	}
}

// FeatureNames returns the names of the features of the paper that are of a kind, or of
// all kinds if it is empty.
func FeatureNames(all []wrapper.Feature, kind wrapper.Kind) (names []string) {
	for _, f := range all {
		if !f.Own && (kind == "" || f.Kind == kind) {
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
	bestC     = 10
	bestGamma = 0.2
)

// maxRows limits the training rows of each machine. Of pages with more candidates,
// only a sample of those without a label is used. A page should give minRows; if there
// are too many pages for that, some are left out.
const (
	maxRows = 4000
	minRows = 10
)

// Train learns a wrapper from labelled pages.
func Train(ctx context.Context, examples []*Example, o Options) (*wrapper.Model, error) {
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
	for i, x := range interleave(withBody, maxRows/minRows) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		group := i
		if len(sites) >= 2*trainsvm.Folds {
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

// NewWrapper trains a model and returns a wrapper that uses it.
func NewWrapper(ctx context.Context, examples []*Example, o Options) (*wrapper.Wrapper, error) {
	m, err := Train(ctx, examples, o)
	if err != nil {
		return nil, err
	}
	c := o.Config
	c.Model = m
	return wrapper.New(c), nil
}

// interleave returns up to most examples. They alternate between sites, since the
// pages of a site are alike, and between sources.
func interleave(examples []*Example, most int) []*Example {
	sites := corpus.GroupBy(examples, func(x *Example) string { return x.Site })
	sources := corpus.GroupBy(sites, func(site []*Example) string { return site[0].Source })
	out := alternate(alternate(sources))
	return out[:min(most, len(out))]
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

// trainSVM learns from the named features. If pages have more candidates than
// fit, a first machine learns from a random sample, and a second one from the
// candidates that the first takes for labels: most candidates look nothing like a
// body or a title and teach nothing.
func trainSVM(pages []candidates, all []wrapper.Feature, names []string, o Options) (*svm.Model, error) {
	if len(pages) < 2 {
		return nil, ErrNoLabels
	}
	var columns []int
	var features []string
	for i, f := range all {
		if names == nil || slices.Contains(names, f.Name) {
			columns, features = append(columns, i), append(features, f.Name)
		}
	}
	most := maxRows/len(pages) - 1
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	opts := trainsvm.Options{C: bestC, Gamma: bestGamma, Features: features, Seed: o.Seed}
	x, y, groups := trainingSet(pages, columns, most, rng, nil)
	if slices.ContainsFunc(pages, func(p candidates) bool { return len(p.others) > most }) {
		first, err := trainsvm.Train(x, y, opts)
		if err != nil {
			return nil, err
		}
		x, y, groups = trainingSet(pages, columns, most, rng, first)
	}
	opts.Groups = groups
	return trainsvm.Train(x, y, opts)
}

// trainingSet takes the label of each page and up to most of its other candidates.
// They are chosen at random or, given a first machine, half of them by its decision
// values.
func trainingSet(pages []candidates, columns []int, most int, rng *rand.Rand, first *svm.Model) (x [][]float64, y []bool, groups []int) {
	for _, p := range pages {
		rows := [][]float64{pick(p.label, columns)}
		for _, o := range p.others {
			rows = append(rows, pick(o, columns))
		}
		others := rows[1:]
		rng.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
		if first != nil && len(others) > most {
			value := map[*float64]float64{}
			for _, row := range others {
				value[&row[0]] = first.Decision(row)
			}
			slices.SortStableFunc(others[most/2:], func(a, b []float64) int { return cmp.Compare(value[&b[0]], value[&a[0]]) })
		}
		for i, row := range rows[:min(most+1, len(rows))] {
			x, y, groups = append(x, row), append(y, i == 0), append(groups, p.group)
		}
	}
	return x, y, groups
}

func pick(all []float64, columns []int) []float64 {
	x := make([]float64, len(columns))
	for i, k := range columns {
		x[i] = all[k]
	}
	return x
}
