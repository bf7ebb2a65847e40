// Package story trains the default method, blend. It labels the blocks of pages
// by aligning them with the gold of corpora, learns tables of words, and grows
// the trees that score blocks and classify pages. All splits are by site: no page
// is scored with what was learned from its own site.
package story

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/lab/train/trees"
	"github.com/lede-news/lede/internal/methods/blend"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
)

// Options are the settings of training. The zero value has the defaults.
type Options struct {
	Trees, Depth int      // of the trees that score blocks (default: 900 and 6)
	Without      []string // features to leave out, for ablations
	Seed         uint64
	// Cross means that the models of cross-validation are needed. Train then returns
	// ErrOneSite if all pages are of one site.
	Cross bool
	// Warn, if not nil, is called with what the examples are not enough for.
	Warn func(text string)
	// Progress, if not nil, is called with the current step and its progress.
	Progress func(step string, done, total int)
}

// Check returns an error if Without names an unknown feature.
func (o Options) Check() error {
	for _, name := range o.Without {
		if !slices.Contains(blocks.Features, name) {
			return fmt.Errorf("unknown feature %q; available features: %s", name, strings.Join(blocks.Features, ", "))
		}
	}
	return nil
}

// ErrNoExamples is returned by Train when there are no examples.
var ErrNoExamples = errors.New("no pages to learn from: name corpora whose gold has texts")

// ErrOneSite means that cross-validation is impossible.
var ErrOneSite = errors.New("cross-validation needs pages of several sites, and all are of one")

// rounds is the number of models in cross-validation. Each leaves out two folds.
const rounds = 5

func round(fold int) int { return fold * rounds / Folds }

// Cross holds the models of cross-validation.
type Cross struct {
	models []*blend.Model
}

// For returns the model that was trained without the sites of a fold.
func (c *Cross) For(fold int) *blend.Model { return c.models[round(fold)] }

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
	y      []float32 // by row: 1 if it belongs to the article
}

// Train learns a model from the examples, and for cross-validation the models
// that each leave out the sites of a round.
func Train(ctx context.Context, all []*Example, o Options) (*blend.Model, *Cross, error) {
	if len(all) == 0 {
		return nil, nil, ErrNoExamples
	}
	if err := o.Check(); err != nil {
		return nil, nil, err
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
	if err := t.rows(); err != nil {
		return nil, nil, err
	}
	cross := &Cross{}
	for k := range rounds {
		story, err := t.story(ctx, k)
		if err != nil {
			return nil, nil, err
		}
		cross.models = append(cross.models, &blend.Model{Story: story})
		t.predict(story, k)
	}
	story, err := t.story(ctx, rounds)
	if err != nil {
		return nil, nil, err
	}
	model := &blend.Model{Tables: t.tables[Folds], Story: story}
	borrowed := false
	for k, m := range append(slices.Clone(cross.models), model) {
		t.Progress("page types", k, rounds+1)
		m.Tables = t.tablesWithout(k)
		m.Kind, err = t.kind(ctx, k)
		if borrowed = errors.Is(err, trees.ErrOneClass) || errors.Is(err, trees.ErrNoData); borrowed {
			// The words of pages belong to the trees that classify them.
			m.Kind, m.Tables.Kinds, err = blend.Embedded().Kind, blend.Embedded().Tables.Kinds, nil
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if borrowed { // by the last one, which has seen all pages
		o.Warn("all pages are of one type: the model classifies pages as the one that comes with lede")
	}
	if err := t.others(ctx, append(slices.Clone(cross.models), model)); err != nil {
		return nil, nil, err
	}
	return model, cross, learnSites(ctx, model, cross, all, o)
}

// spread puts pages of several sites into several rounds, since the few sites
// of a small corpus may all be in one. It reports false if there is only one site.
func spread(all []*Example) bool {
	var sites []string
	for _, x := range all {
		if round(x.Fold) != round(all[0].Fold) {
			return true
		}
		if !slices.Contains(sites, x.Site) {
			sites = append(sites, x.Site)
		}
	}
	if len(sites) == 1 {
		return false
	}
	for _, x := range all {
		x.Fold = slices.Index(sites, x.Site) * Folds / rounds % Folds
	}
	return true
}

// tablesWithout returns the tables learned without the sites of round k.
func (t *trainer) tablesWithout(k int) *blocks.Tables {
	if k == rounds {
		all := *t.tables[Folds] // which t.pageRow reads, and the model may change
		return &all
	}
	var seen []*Example
	for _, x := range t.all {
		if round(x.Fold) != k {
			seen = append(seen, x)
		}
	}
	return tables(seen)[Folds]
}

// rows computes the features of all blocks and bins them.
func (t *trainer) rows() error {
	var data trees.Data
	data.Features = blocks.Features
	t.views = make([]*blocks.View, len(t.all))
	t.from = make([]int, len(t.all)+1)
	for i, x := range t.all {
		v := blocks.Read(x.Doc, t.tables[x.Fold])
		rows := v.Rows(x.Signals)
		t.blank(rows)
		data.X = append(data.X, rows...)
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
		t.views[i] = v
		t.from[i+1] = len(data.Y)
		t.Progress("features", i+1, len(t.all))
	}
	t.p, t.y = make([]float32, len(data.Y)), data.Y
	var err error
	const bins = 128
	t.bins, err = trees.NewBins(data, bins)
	return err
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

// blank clears the values of features that are left out.
func (t *trainer) blank(rows []float32) {
	for _, name := range t.Without {
		j := slices.Index(blocks.Features, name)
		for i := j; j >= 0 && i < len(rows); i += len(blocks.Features) {
			rows[i] = 0
		}
	}
}

// weights returns the weights of a page's blocks. All pages weigh the same, and
// within a page all words. Pages that are not articles, whose gold is a matter of
// taste, and fragments and made-up pages
// weigh less. Headlines and mismatched pages weigh nothing.
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
	if x.Kind != "" && x.Kind != article.TypeArticle {
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
		if round(x.Fold) == k {
			continue
		}
		rows = t.appendRows(rows, i)
	}
	if k < rounds && !t.hasBothClasses(rows) {
		return t.story(ctx, rounds) // hardly any pages are left without the round
	}
	n := t.Trees
	if n == 0 {
		n = 900
	}
	// Tests train few trees, which must learn faster.
	rate := min(0.05*max(1, 900/float64(n)), 0.1)
	step := "the model"
	if k < rounds {
		step = "the model without round " + string(rune('1'+k))
	}
	// After a third of the trees most blocks are decided, and skip the rest.
	const changed = 0.0005 // share of blocks whose class the remaining trees would change
	return trees.Train(ctx, t.bins.Rows(rows), trees.Options{
		Trees: n, Depth: t.Depth, LearningRate: rate, ExitAfter: n / 3, ExitChanged: changed, L2: 10, MinWeight: 5, RowShare: 0.7, FeatureShare: 0.5,
		Seed: t.Seed + 1, Progress: func(tree int) { t.Progress(step, tree, n) },
	})
}

// hasBothClasses reports whether trees can be grown from the rows.
func (t *trainer) hasBothClasses(rows []int32) bool {
	var seen [2]bool
	for _, r := range rows {
		seen[int(t.y[r])] = true
	}
	return seen[0] && seen[1]
}

// predict computes the probabilities of the blocks of round k, whose sites the
// model has not seen.
func (t *trainer) predict(m *trees.Model, k int) {
	for i, x := range t.all {
		if round(x.Fold) == k {
			rows := t.views[i].Rows(x.Signals)
			t.blank(rows)
			copy(t.p[t.from[i]:], blend.Probabilities(m, t.views[i], rows))
		}
	}
}

// kindWeights returns the weights of pages when page types are learned. Corpora
// with nothing but articles teach little about how those differ from other pages.
func (t *trainer) kindWeights() []float32 {
	mixed := map[string]bool{}
	for _, x := range t.all {
		if x.Kind != "" && x.Kind != article.TypeArticle {
			mixed[x.Corpus] = true
		}
	}
	out := make([]float32, len(t.all))
	for i, x := range t.all {
		if out[i] = 1; !mixed[x.Corpus] {
			out[i] = 0.5
		}
	}
	return out
}

// kind grows the trees that classify pages, without the sites of round k.
func (t *trainer) kind(ctx context.Context, k int) (*trees.Model, error) {
	data := trees.Data{Features: blocks.PageFeatures}
	weights := t.kindWeights()
	for i, x := range t.all {
		if x.isFragment || x.isMadeUp || round(x.Fold) == k {
			continue
		}
		// Corpora without page types are collections of articles.
		class := max(slices.Index(blend.PageTypes[:], x.Kind), 0)
		data.X = append(data.X, t.pageRow(i)...)
		data.Y = append(data.Y, float32(class))
		data.Weight = append(data.Weight, weights[i])
		data.Groups = append(data.Groups, int32(i))
	}
	bins, err := trees.NewBins(data, 64)
	if err != nil {
		return nil, err
	}
	return trees.Train(ctx, bins, trees.Options{
		Trees: 400, Depth: 4, LearningRate: 0.025, L2: 5, MinWeight: 2, RowShare: 0.7, FeatureShare: 0.25, Seed: t.Seed + 2, Classes: len(blend.PageTypes),
	})
}

// pageRow returns the features of the page of example i.
func (t *trainer) pageRow(i int) []float32 {
	x, v, p := t.all[i], t.views[i], t.p[t.from[i]:t.from[i+1]]
	return v.PageRow(x.Gold.URL, t.tables[x.Fold], p, blend.Choose(v, p, 0))
}

// tally sums over the sites of one fold, by the hash of a word.
type tally map[uint32]wordTally

// wordTally has the sum of the log-odds, by site, that a word goes with article
// text, and the number of sites.
type wordTally struct{ sum, sites float64 }

// siteCounts has, by the hash of a word, how much article text and how much text
// in all goes with it on the pages of one site.
type siteCounts map[uint32][2]float64

func (s siteCounts) add(word uint32, story, all float64) {
	x := s[word]
	s[word] = [2]float64{x[0] + story, x[1] + all}
}

// tables learns the tables of words: for each fold those learned from the sites
// of all other folds, and last those learned from all sites.
func tables(all []*Example) []*blocks.Tables {
	names, openings, kinds := newTallies(), newTallies(), newTallies()
	sites := map[string][]*Example{}
	var order []string
	for _, x := range all {
		if sites[x.Site] == nil {
			order = append(order, x.Site)
		}
		sites[x.Site] = append(sites[x.Site], x)
	}
	for _, site := range order {
		pages := sites[site]
		n, o, k := siteCounts{}, siteCounts{}, siteCounts{}
		for _, x := range pages {
			blocks.EachName(x.Doc, n.add, x.Story)
			blocks.EachOpening(x.Doc, o.add, x.Story)
			if x.Kind == "" {
				continue
			}
			isArticle := 0.0
			if x.Kind == article.TypeArticle {
				isArticle = 1
			}
			blocks.EachKind(x.Doc, x.Gold.URL, func(word uint32) { k.add(word, isArticle, 1) })
		}
		f := pages[0].Fold
		names[f].add(n)
		openings[f].add(o)
		kinds[f].add(k)
	}
	out := make([]*blocks.Tables, Folds+1)
	for k := range out {
		out[k] = new(blocks.Tables)
		fill(&out[k].Names, names, k)
		fill(&out[k].Openings, openings, k)
		fill(&out[k].Kinds, kinds, k)
	}
	return out
}

func newTallies() []tally {
	out := make([]tally, Folds)
	for f := range out {
		out[f] = tally{}
	}
	return out
}

// add adds a site, which counts the same however many pages it has.
func (t tally) add(counts siteCounts) {
	for word, s := range counts {
		p := (s[0] + 0.5) / (s[1] + 1)
		x := t[word]
		t[word] = wordTally{x.sum + math.Log(p/(1-p)), x.sites + 1}
	}
}

// fill computes a table from all folds but one. Words that few sites have are
// shrunk towards 0. Of the words that share a slot, the one that most sites have
// gets it.
func fill(table *blocks.Table, folds []tally, without int) {
	all := tally{}
	for f, t := range folds {
		if f == without {
			continue
		}
		for word, x := range t {
			y := all[word]
			all[word] = wordTally{x.sum + y.sum, x.sites + y.sites}
		}
	}
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
