// Package story trains the default method, blend. It labels the blocks of pages
// by aligning them with the gold of corpora, learns tables of words, and grows
// the trees that score blocks and classify pages. All splits are by site: no page
// is scored with what was learned from its own site.
package story

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/train/trees"
	"github.com/lede-news/lede/internal/methods/blend"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
)

// Options are the settings of training. The zero value has the defaults.
type Options struct {
	Trees int // that score blocks (default: 900)
	Seed  uint64
	// Cross means that the models of cross-validation are needed. Train then returns
	// ErrOneSite if all pages are of one site.
	Cross bool
	// Warn, if not nil, is called with what the examples are not enough for.
	Warn func(text string)
	// Progress, if not nil, is called with the current step and its progress.
	Progress func(step string, done, total int)
}

// Errors returned by Train.
var (
	ErrNoExamples = errors.New("no pages to learn from: name corpora whose gold has texts")
	ErrOneSite    = errors.New("cross-validation needs pages of several sites, and all are of one")
)

// rounds is the number of models in cross-validation. Each leaves out two folds.
const rounds = 5

func round(fold int) int { return fold * rounds / Folds }

// Cross holds the models of cross-validation.
type Cross []*blend.Model

// For returns the model that was trained without the sites of a fold.
func (c Cross) For(fold int) *blend.Model { return c[round(fold)] }

// trainer holds the data that the rounds share.
type trainer struct {
	Options
	all    []*Example
	tables []*blocks.Tables
	views  []*blocks.View
	bins   *trees.Bins
	from   []int     // by example: its first row
	p      []float32 // by row: the probability given by a model trained without its site
	skip   []bool    // by row: not trained on
}

// Train learns a model from the examples, and for cross-validation the models
// that each leave out the sites of a round.
func Train(ctx context.Context, all []*Example, o Options) (*blend.Model, Cross, error) {
	if len(all) == 0 {
		return nil, nil, ErrNoExamples
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	if !spread(all) {
		if o.Cross {
			return nil, nil, ErrOneSite
		}
		o.Warn("all pages are of one site: the model may know little about others")
	}
	t := &trainer{Options: o, all: all, tables: tables(all)}
	t.rows()
	var err error
	models := make([]*blend.Model, rounds+1) // the last is learned from all pages
	for k := range models {
		models[k] = &blend.Model{Tables: t.tablesWithout(k)}
		if models[k].Story, err = t.story(ctx, k); err != nil {
			return nil, nil, err
		}
		t.predict(models[k].Story, k)
	}
	for k, m := range models {
		t.Progress("page types", k, len(models))
		m.Kind, err = t.kind(ctx, k)
		if errors.Is(err, trees.ErrOneClass) {
			// The words of pages belong to the trees that classify them.
			m.Kind, m.Tables.Kinds, err = blend.Embedded().Kind, blend.Embedded().Tables.Kinds, nil
			if k == rounds {
				o.Warn("all pages are of one type: the model classifies pages as the one that comes with lede")
			}
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if err := t.others(ctx, models); err != nil {
		return nil, nil, err
	}
	return models[rounds], models[:rounds], learnSites(ctx, models, all, o)
}

// spread puts pages of several sites into several rounds, since the few sites
// of a small corpus may all be in one. It reports false if there is only one site.
func spread(all []*Example) bool {
	if slices.ContainsFunc(all, func(x *Example) bool { return round(x.Fold) != round(all[0].Fold) }) {
		return true
	}
	sites := corpus.GroupBy(all, func(x *Example) string { return x.Site })
	for i, pages := range sites {
		for _, x := range pages {
			x.Fold = i * Folds / rounds % Folds
		}
	}
	return len(sites) > 1
}

// tablesWithout returns the tables learned without the sites of round k.
func (t *trainer) tablesWithout(k int) *blocks.Tables {
	if k == rounds {
		all := *t.tables[Folds] // which t.pageRow reads, and the model may change
		return &all
	}
	return tables(slices.DeleteFunc(slices.Clone(t.all), func(x *Example) bool { return round(x.Fold) == k }))[Folds]
}

// rows computes the features of all blocks and bins them.
func (t *trainer) rows() {
	data := trees.Data{Features: blocks.Features}
	t.from = []int{0}
	for i, x := range t.all {
		v := blocks.Read(x.Doc, t.tables[x.Fold])
		t.views = append(t.views, v)
		data.X = append(data.X, v.Rows(x.Signals)...)
		weight := weights(x, v)
		t.thin(x, v, weight)
		data.Weight = append(data.Weight, weight...)
		for k := range v.Blocks {
			y := float32(0)
			if x.Story[k] > 0.5 {
				y = 1
			}
			data.Y = append(data.Y, y)
			data.Groups = append(data.Groups, int32(i))
		}
		t.from = append(t.from, len(data.Y))
		t.Progress("features", i+1, len(t.all))
	}
	t.p = make([]float32, len(data.Y))
	const bins = 128
	t.bins = trees.NewBins(data, bins)
}

// thin leaves out two of three short links that are boilerplate and triples the
// weight of the third. Half of all blocks are such links, and nearly all of them
// are easy to classify.
func (t *trainer) thin(x *Example, v *blocks.View, weight []float32) {
	const step, short = 3, 8
	for i := range v.Blocks {
		b := &v.Blocks[i]
		easy := b.Words() <= short && b.Counts.LinkDensity() > 0.9 && x.Story[i] < 0.5
		if easy {
			weight[i] *= step
		}
		t.skip = append(t.skip, easy && i%step != 0 || weight[i] == 0)
	}
}

// weights returns the weights of a page's blocks. All pages weigh the same, and
// within a page all words. Pages that are not articles, whose gold is a matter of
// taste, and fragments and made-up pages weigh less. Headlines and mismatched pages weigh nothing.
func weights(x *Example, v *blocks.View) []float32 {
	out := make([]float32, len(v.Blocks))
	var sum float32
	for i := range out {
		out[i] = float32(max(v.Blocks[i].Words(), 1))
		sum += out[i]
	}
	const page, fragment, other, madeUp = 200, 0.3, 0.4, 0.3
	scale := page / max(sum, 1)
	if x.isFragment {
		scale *= fragment
	}
	if x.isMadeUp {
		scale *= madeUp
	}
	if x.isOther() {
		scale *= other
	}
	for i := range out {
		out[i] *= scale
		if x.Title[i] || x.mismatched {
			out[i] = 0
		}
	}
	return out
}

// appendRows appends the rows of example i that are trained on.
func (t *trainer) appendRows(rows []int32, i int) []int32 {
	for r := t.from[i]; r < t.from[i+1]; r++ {
		if !t.skip[r] {
			rows = append(rows, int32(r))
		}
	}
	return rows
}

// story grows the trees that score blocks, without the sites of round k.
func (t *trainer) story(ctx context.Context, k int) (*trees.Model, error) {
	var rows []int32
	for i, x := range t.all {
		if round(x.Fold) != k {
			rows = t.appendRows(rows, i)
		}
	}
	const shipped = 900
	n := cmp.Or(t.Trees, shipped)
	step := "the model"
	if k < rounds {
		step = fmt.Sprintf("the model without round %d", k+1)
	}
	m, err := trees.Train(ctx, t.bins.Rows(rows), trees.Options{
		Trees: n, L2: 10, MinWeight: 5, RowShare: 0.7, FeatureShare: 0.5, Seed: t.Seed + 1,
		LearningRate: min(0.05*max(1, shipped/float64(n)), 0.1), // few trees must learn faster
		// After a third of the trees most blocks are decided, and skip the rest.
		ExitAfter: n / 3, ExitChanged: 0.0005,
		Progress: func(tree int) { t.Progress(step, tree, n) },
	})
	if k < rounds && errors.Is(err, trees.ErrOneClass) {
		return t.story(ctx, rounds) // hardly any pages are left without the round
	}
	return m, err
}

// predict computes the probabilities of the blocks of round k, whose sites the
// model has not seen.
func (t *trainer) predict(m *trees.Model, k int) {
	for i, x := range t.all {
		if round(x.Fold) == k {
			copy(t.p[t.from[i]:], blend.Probabilities(m, t.views[i], t.views[i].Rows(x.Signals)))
		}
	}
}

// kind grows the trees that classify pages, without the sites of round k. Corpora
// with nothing but articles teach little about how those differ from other pages, and
// weigh less.
func (t *trainer) kind(ctx context.Context, k int) (*trees.Model, error) {
	mixed := map[string]bool{} // by corpus
	for _, x := range t.all {
		mixed[x.Corpus] = mixed[x.Corpus] || x.isOther()
	}
	data := trees.Data{Features: blocks.PageFeatures}
	for i, x := range t.all {
		if x.isFragment || x.isMadeUp || round(x.Fold) == k {
			continue
		}
		// Corpora without page types are collections of articles.
		class, weight := max(slices.Index(blend.PageTypes[:], x.Kind), 0), float32(1)
		if !mixed[x.Corpus] {
			weight = 0.5
		}
		data.X = append(data.X, t.pageRow(i)...)
		data.Y = append(data.Y, float32(class))
		data.Weight = append(data.Weight, weight)
		data.Groups = append(data.Groups, int32(i))
	}
	return trees.Train(ctx, trees.NewBins(data, 64), trees.Options{
		Trees: 400, Depth: 4, LearningRate: 0.025, L2: 5, MinWeight: 2, RowShare: 0.7, FeatureShare: 0.25, Seed: t.Seed + 2, Classes: len(blend.PageTypes),
	})
}

// pageRow returns the features of the page of example i.
func (t *trainer) pageRow(i int) []float32 {
	x, v, p := t.all[i], t.views[i], t.p[t.from[i]:t.from[i+1]]
	return v.PageRow(x.Gold.URL, t.tables[x.Fold], p, blend.Choose(v, p, 0))
}

// counts has, by the hash of a word, how much article text and how much text in all
// goes with it on the pages of one site.
type counts map[uint32][2]float64

func (c counts) add(word uint32, story, all float64) {
	x := c[word]
	c[word] = [2]float64{x[0] + story, x[1] + all}
}

// tally has, by the hash of a word, the sum over sites of the log-odds that it goes with
// article text, and the number of sites.
type tally map[uint32]wordTally

type wordTally struct{ sum, sites float64 }

func (t tally) add(word uint32, x wordTally) {
	t[word] = wordTally{t[word].sum + x.sum, t[word].sites + x.sites}
}

// tables learns the tables of words: for each fold those learned from the sites
// of all other folds, and last those learned from all sites.
func tables(all []*Example) []*blocks.Tables {
	var tallies [Folds][3]tally // of names, openings and kinds
	for f := range tallies {
		tallies[f] = [3]tally{{}, {}, {}}
	}
	for _, pages := range corpus.GroupBy(all, func(x *Example) string { return x.Site }) {
		site := [3]counts{{}, {}, {}}
		for _, x := range pages {
			blocks.EachName(x.Doc, site[0].add, x.Story)
			blocks.EachOpening(x.Doc, site[1].add, x.Story)
			if x.Kind == "" {
				continue
			}
			isArticle := 1.0
			if x.isOther() {
				isArticle = 0
			}
			blocks.EachKind(x.Doc, x.Gold.URL, func(word uint32) { site[2].add(word, isArticle, 1) })
		}
		for k, words := range site {
			for word, s := range words {
				p := (s[0] + 0.5) / (s[1] + 1)
				tallies[pages[0].Fold][k].add(word, wordTally{math.Log(p / (1 - p)), 1})
			}
		}
	}
	out := make([]*blocks.Tables, Folds+1)
	for f := range out {
		out[f] = new(blocks.Tables)
		for k, table := range []*blocks.Table{&out[f].Names, &out[f].Openings, &out[f].Kinds} {
			sum := tally{}
			for from := range tallies {
				if from == f {
					continue
				}
				for word, x := range tallies[from][k] {
					sum.add(word, x)
				}
			}
			fill(table, sum)
		}
	}
	return out
}

// fill computes a table. Words that few sites have are shrunk towards 0. Of the words
// that share a slot, the one that most sites have gets it.
func fill(table *blocks.Table, all tally) {
	const prior = 3               // sites with log-odds 0
	owners := map[uint32]uint32{} // slot to word
	for word, x := range all {
		score := math.Round(max(-127, min(127, x.sum/(x.sites+prior)*blocks.Unit)))
		if x.sites < 2 || score == 0 {
			continue
		}
		slot, _ := blocks.Slot(word)
		if owner, ok := owners[slot]; ok && (all[owner].sites > x.sites || all[owner].sites == x.sites && owner < word) {
			continue
		}
		owners[slot] = word
		table.Set(word, int8(score))
	}
}

// others grows the trees that score the blocks of pages that are no articles, for
// the models of all rounds and the final one. If there are hardly any such pages,
// the models have none.
func (t *trainer) others(ctx context.Context, models []*blend.Model) error {
	var pages []int
	others := 0
	for i, x := range t.all {
		switch {
		case x.isFragment || x.mismatched:
		case x.isOther():
			pages = append(pages, i)
			others++
		default:
			// Articles that are taken for other pages must lose little.
			if _, chance := blend.PageType(models[round(x.Fold)].Kind, t.pageRow(i)); blend.IsSurelyOther(chance) {
				pages = append(pages, i)
			}
		}
	}
	const minOthers = 50
	if others < minOthers {
		return nil
	}
	for k, m := range models {
		var rows []int32
		for _, i := range pages {
			if round(t.all[i].Fold) != k {
				rows = t.appendRows(rows, i)
			}
		}
		var err error
		m.Other, err = trees.Train(ctx, t.bins.Rows(rows), trees.Options{
			Trees: 200, LearningRate: 0.1, L2: 10, MinWeight: 5, RowShare: 0.7, FeatureShare: 0.3, Seed: t.Seed + 3,
		})
		if err != nil {
			return err
		}
		t.Progress("blocks of other pages", k+1, len(models))
	}
	return nil
}
