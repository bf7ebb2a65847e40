package visual

import (
	"context"
	"errors"
	"fmt"
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
