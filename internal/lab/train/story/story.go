// Package story trains the default method, blend. It labels the blocks of pages
// by aligning them with the gold of corpora, learns tables of words, and grows
// the trees that score blocks and classify pages. All splits are by site: no page
// is scored with what was learned from its own site.
package story

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"math"
	"slices"

	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/train/trees"
	"github.com/lede-news/lede/internal/methods/blend"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/internal/parallel"
)

// Options are the settings of training. The zero value has the defaults.
type Options struct {
	Trees int // that score blocks (default: 300)
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

// Rounds is the number of models in cross-validation. Each leaves out two folds.
const Rounds = 5

func round(fold int) int { return fold * Rounds / Folds }

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
	source hash.Hash // of the rows
	// oneType means that all pages are of one type: there is nothing to learn about types.
	oneType bool
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
	t := &trainer{Options: o, all: all, tables: tables(all), source: sha256.New()}
	t.oneType = !slices.ContainsFunc(all, func(x *Example) bool { return x.isOther() != all[0].isOther() })
	if t.oneType {
		o.Warn("all pages are of one type: the model classifies pages as the one that comes with lede")
		for _, table := range t.tables {
			table.Kinds = blend.Embedded().Tables.Kinds
		}
	}
	t.read()
	models := make([]*blend.Model, Rounds+1) // the last is learned from all pages
	pages := t.each(t.pageRows)
	for k := range models {
		models[k] = &blend.Model{Tables: t.tablesWithout(k)}
		if t.oneType {
			models[k].Tables.Kinds = blend.Embedded().Tables.Kinds
		}
		t.Progress("pages as a whole", k, len(models))
		var err error
		if models[k].Page, err = t.classify(ctx, k, blocks.PageFeatures, pages, blend.Embedded().Page); err != nil {
			return nil, nil, err
		}
	}
	for i, x := range all {
		models[round(x.Fold)].SeePage(t.views[i])
	}
	t.rows()
	for k, m := range models {
		m.Source = [32]byte(t.source.Sum(nil))
		var err error
		if m.Story, err = t.story(ctx, k); err != nil {
			return nil, nil, err
		}
		t.predict(m.Story, k)
	}
	pages = t.each(t.kindRows)
	for k, m := range models {
		t.Progress("page types", k, len(models))
		var err error
		if m.Kind, err = t.classify(ctx, k, blocks.KindFeatures, pages, blend.Embedded().Kind); err != nil {
			return nil, nil, err
		}
		if m.Trust, err = t.trust(ctx, k, pages); err != nil {
			return nil, nil, err
		}
	}
	return models[Rounds], models[:Rounds], learnSites(ctx, models, all, o)
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
			x.Fold = i * Folds / Rounds % Folds
		}
	}
	return len(sites) > 1
}

// tablesWithout returns the tables learned without the sites of round k.
func (t *trainer) tablesWithout(k int) *blocks.Tables {
	if k == Rounds {
		all := *t.tables[Folds] // which t.pageRow reads, and the model may change
		return &all
	}
	return tables(slices.DeleteFunc(slices.Clone(t.all), func(x *Example) bool { return round(x.Fold) == k }))[Folds]
}

// read cuts all pages into blocks.
func (t *trainer) read() {
	t.views = make([]*blocks.View, len(t.all))
	for i, x := range t.all {
		t.views[i] = blocks.Read(x.Doc, t.tables[x.Fold])
	}
}

// rows computes the features of all blocks and bins them.
func (t *trainer) rows() {
	data := trees.Data{Features: blocks.Features}
	t.from = []int{0}
	for i, x := range t.all {
		v := t.views[i]
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
	for _, part := range [][]float32{data.X, data.Y, data.Weight} {
		if err := binary.Write(t.source, binary.LittleEndian, part); err != nil {
			panic(err) // a hash takes all
		}
	}
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
	n := cmp.Or(t.Trees, 300)
	step := "the model"
	if k < Rounds {
		step = fmt.Sprintf("the model without round %d", k+1)
	}
	m, err := trees.Train(ctx, t.bins.Rows(rows), trees.Options{
		Trees: n, Depth: 8, LearningRate: 0.12, L2: 10, MinWeight: 5, RowShare: 0.7, FeatureShare: 0.5, Seed: t.Seed + 1, Classes: 2,
		Progress: func(tree int) { t.Progress(step, tree, n) },
	})
	if k < Rounds && errors.Is(err, trees.ErrOneClass) {
		return t.story(ctx, Rounds) // hardly any pages are left without the round
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

// classify grows the trees that classify pages, without the sites of round k. Corpora
// with nothing but articles teach little about how those differ from other pages, and
// weigh less, and so do fragments and synthetic pages.
func (t *trainer) classify(ctx context.Context, k int, features []string, rows [][][]float32, embedded *trees.Model) (*trees.Model, error) {
	mixed := map[string]bool{} // by corpus
	for _, x := range t.all {
		mixed[x.Corpus] = mixed[x.Corpus] || x.isOther()
	}
	data := trees.Data{Features: features}
	for i, x := range t.all {
		if round(x.Fold) == k {
			continue
		}
		// Corpora without page types are collections of articles.
		class, weight := max(slices.Index(blend.PageTypes[:], x.Kind), 0), float32(1)
		if !mixed[x.Corpus] {
			weight = 0.5
		}
		if x.isFragment || x.isMadeUp {
			weight *= 0.3
		}
		for _, row := range rows[i] {
			data.X = append(data.X, row...)
			data.Y = append(data.Y, float32(class))
			data.Weight = append(data.Weight, weight/float32(len(rows[i])))
			data.Groups = append(data.Groups, int32(i))
		}
	}
	return grow(ctx, data, embedded, trees.Options{
		Trees: 400, Depth: 4, LearningRate: 0.025, L2: 5, MinWeight: 2, RowShare: 0.7, FeatureShare: 0.25, Seed: t.Seed + 2, Classes: len(blend.PageTypes),
	})
}

// trust grows the trees that judge the choice of blocks, without the sites of round k.
func (t *trainer) trust(ctx context.Context, k int, pages [][][]float32) (*trees.Model, error) {
	data := trees.Data{Features: blocks.ChoiceFeatures}
	for i, x := range t.all {
		if x.isMadeUp || x.mismatched || round(x.Fold) == k {
			continue
		}
		weight := float32(1)
		if x.isFragment {
			weight = 0.3
		}
		f1 := t.f1(i)
		data.X = append(data.X, pages[i][0][:len(blocks.ChoiceFeatures)]...)
		data.Y = append(data.Y, float32(slices.IndexFunc(blend.TrustClasses[:], func(c struct{ Below, Credit float64 }) bool { return f1 < c.Below })))
		data.Weight = append(data.Weight, weight)
		data.Groups = append(data.Groups, int32(i))
	}
	return grow(ctx, data, blend.Embedded().Trust, trees.Options{
		Trees: 300, Depth: 4, LearningRate: 0.05, L2: 5, MinWeight: 2, RowShare: 0.7, FeatureShare: 0.25, Seed: t.Seed + 3, Classes: len(blend.TrustClasses),
	})
}

// grow grows trees that judge pages, or returns the embedded ones if the pages are all of one class.
func grow(ctx context.Context, data trees.Data, embedded *trees.Model, o trees.Options) (*trees.Model, error) {
	m, err := trees.Train(ctx, trees.NewBins(data, 64), o)
	if errors.Is(err, trees.ErrOneClass) {
		return embedded, nil
	}
	return m, err
}

// f1 returns the F1 of the words that are chosen of example i.
func (t *trainer) f1(i int) float64 {
	v, x := t.views[i], t.all[i]
	var right, chosen, all float64
	for k, kept := range blend.Choose(v, t.p[t.from[i]:t.from[i+1]]) {
		w := float64(v.Blocks[k].Words())
		if k == v.Headline {
			continue
		}
		all += w * float64(x.Story[k])
		if kept {
			chosen += w
			right += w * float64(x.Story[k])
		}
	}
	return 2 * right / max(chosen+all, 1)
}

// each returns rows of every example.
func (t *trainer) each(rows func(i int) [][]float32) [][][]float32 {
	out := make([][][]float32, len(t.all))
	parallel.For(len(out), 0, func(i int) { out[i] = rows(i) })
	return out
}

func (t *trainer) pageRows(i int) [][]float32 { return [][]float32{t.views[i].PageRow()} }

// kindRows returns the features of the page of example i with and without its URL, so that
// no decision can hang on it.
func (t *trainer) kindRows(i int) [][]float32 {
	v, p := t.views[i], t.p[t.from[i]:t.from[i+1]]
	kept := blend.Choose(v, p)
	choice := v.ChoiceRow(p, kept)
	rows := [][]float32{v.KindRow(choice, "")}
	if url := t.all[i].Gold.URL; url != "" {
		rows = append(rows, v.KindRow(choice, url))
	}
	return rows
}

// sums has two sums by the hash of a word. On the pages of one site they are how much article
// text and how much text in all goes with it; over sites they are the log-odds that it goes with
// article text, and the number of sites.
type sums map[uint32][2]float64

func (s sums) add(word uint32, a, b float64) {
	x := s[word]
	s[word] = [2]float64{x[0] + a, x[1] + b}
}

// tables learns the tables of words: for each fold those learned from the sites
// of all other folds, and last those learned from all sites.
func tables(all []*Example) []*blocks.Tables {
	var tallies [Folds][3]sums // of names, openings and kinds
	for f := range tallies {
		tallies[f] = [3]sums{{}, {}, {}}
	}
	for _, pages := range corpus.GroupBy(all, func(x *Example) string { return x.Site }) {
		site := [3]sums{{}, {}, {}}
		for _, x := range pages {
			if !x.mismatched && !(x.isMadeUp && x.isOther()) {
				blocks.EachName(x.Doc, site[0].add, x.Story)
				blocks.EachOpening(x.Doc, site[1].add, x.Story)
			}
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
				if k == 0 { // a name that a page has many times says no more
					const most = 3
					scale := min(1, most/s[1])
					s[0], s[1] = s[0]*scale, s[1]*scale
				}
				p := (s[0] + 0.5) / (s[1] + 1)
				tallies[pages[0].Fold][k].add(word, math.Log(p/(1-p)), 1)
			}
		}
	}
	out := make([]*blocks.Tables, Folds+1)
	for f := range out {
		out[f] = new(blocks.Tables)
		for k, table := range []*blocks.Table{&out[f].Names, &out[f].Openings, &out[f].Kinds} {
			all := sums{}
			for from := range tallies {
				if from == f {
					continue
				}
				for word, x := range tallies[from][k] {
					all.add(word, x[0], x[1])
				}
			}
			fill(table, all)
		}
	}
	return out
}

// fill computes a table. Words that few sites have are shrunk towards 0. Of the words
// that share a slot, the one that most sites have gets it.
func fill(table *blocks.Table, all sums) {
	const prior = 3               // sites with log-odds 0
	owners := map[uint32]uint32{} // slot to word
	for word, x := range all {
		score := math.Round(max(-127, min(127, x[0]/(x[1]+prior)*blocks.Unit)))
		if x[1] < 2 || score == 0 {
			continue
		}
		slot, _ := blocks.Slot(word)
		if owner, ok := owners[slot]; ok && (all[owner][1] > x[1] || all[owner][1] == x[1] && owner < word) {
			continue
		}
		owners[slot] = word
		table.Set(word, int8(score))
	}
}
