// Package story trains the default method: it aligns the gold of corpora with
// the blocks of their pages, learns what words in names and openings tell, and
// grows the trees that weigh the blocks. Everything is split by site, so that
// no page is judged by what was learned from its own site.
package story

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/blend"
	"github.com/lede-news/lede/internal/blend/blocks"
	"github.com/lede-news/lede/internal/learn/trees"
)

// Options say how to train. The zero value is the default.
type Options struct {
	Trees, Depth int      // of the trees that judge blocks; default 900 and 6
	Without      []string // features that are not used, for ablations
	Seed         uint64
	// Progress is told what is done, and how far.
	Progress func(what string, done, total int)
}

// ErrNoExamples means that there is nothing to learn from.
var ErrNoExamples = errors.New("no pages to learn from: name corpora whose gold has texts")

// rounds is how many models are cross-validated: each leaves out two folds.
const rounds = 5

func round(fold int) int { return fold * rounds / Folds }

// Cross is a model that has not seen the sites of a round.
type Cross struct {
	models []*blend.Model
}

// For is the model for the pages of a site's fold.
func (c *Cross) For(fold int) *blend.Model { return c.models[round(fold)] }

// Models are those of the rounds.
func (c *Cross) Models() []*blend.Model { return c.models }

// trainer holds what the rounds share.
type trainer struct {
	Options
	all    []*Example
	tables []*blocks.Tables
	views  []*blocks.View
	bins   *trees.Bins
	from   []int     // by example: its first row
	p      []float32 // by row: how a model that has not seen its site judges it
	spare  []bool    // by row: it is like so many others that these are enough
}

// Train learns a model from the examples, and beside it those that each leave
// out the sites of a round, to measure by.
func Train(ctx context.Context, all []*Example, o Options) (*blend.Model, *Cross, error) {
	if len(all) == 0 {
		return nil, nil, ErrNoExamples
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
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
		t.judge(story, k)
	}
	story, err := t.story(ctx, rounds)
	if err != nil {
		return nil, nil, err
	}
	t.bins = nil
	model := &blend.Model{Tables: t.tables[Folds], Story: story}
	for k, m := range append(slices.Clone(cross.models), model) {
		if m.Kind, err = t.kind(ctx, k); err != nil {
			return nil, nil, err
		}
		m.Tables = t.without(k)
	}
	return model, cross, nil
}

// without are the tables that know nothing of the sites of a round.
func (t *trainer) without(k int) *blocks.Tables {
	if k == rounds {
		return t.tables[Folds]
	}
	var seen []*Example
	for _, x := range t.all {
		if round(x.Fold) != k {
			seen = append(seen, x)
		}
	}
	return tables(seen)[Folds]
}

// rows works out the features of all blocks and bins them.
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
	t.p = make([]float32, len(data.Y))
	var err error
	const bins = 128
	t.bins, err = trees.NewBins(data, bins)
	return err
}

// thin leaves out two in three of the short links that are no story: half of all
// blocks are such, and hardly any of them is hard to tell. The third that stays
// speaks for them.
func (t *trainer) thin(x *Example, v *blocks.View, weight []float32) {
	const one, short = 3, 8
	for i := range v.Blocks {
		b := &v.Blocks[i]
		easy := b.Words() <= short && b.Counts.LinkDensity() > 0.9 && x.Story[i] < 0.5
		if easy {
			weight[i] *= one
		}
		t.spare = append(t.spare, easy && i%one != 0 || weight[i] == 0)
	}
}

// blank takes the values out of features that are not used.
func (t *trainer) blank(rows []float32) {
	for _, name := range t.Without {
		j := slices.Index(blocks.Features, name)
		for i := j; j >= 0 && i < len(rows); i += len(blocks.Features) {
			rows[i] = 0
		}
	}
}

// weights make every page count the same, and in it every word. Pages that are
// no articles count for less, since their gold is a matter of taste, and parts of
// pages too. Of a page that is not its gold's nothing can be learned.
func weights(x *Example, v *blocks.View) []float32 {
	out := make([]float32, len(v.Blocks))
	var sum float32
	for i := range out {
		out[i] = float32(max(v.Blocks[i].Words(), 1))
		sum += out[i]
	}
	const page, part, other = 200, 0.3, 0.4
	scale := page / max(sum, 1)
	if x.part {
		scale *= part
	}
	if x.Kind != "" && x.Kind != article.TypeArticle {
		scale *= other
	}
	for i := range out {
		out[i] *= scale
		if x.Title[i] || x.lost {
			out[i] = 0
		}
	}
	return out
}

// story grows the trees that judge blocks, without the sites of round k.
func (t *trainer) story(ctx context.Context, k int) (*trees.Model, error) {
	var rows []int32
	for i, x := range t.all {
		if round(x.Fold) == k {
			continue
		}
		for r := t.from[i]; r < t.from[i+1]; r++ {
			if !t.spare[r] {
				rows = append(rows, int32(r))
			}
		}
	}
	n := t.Trees
	if n == 0 {
		n = 900
	}
	// Few trees, as tests have, must learn faster.
	rate := min(0.05*max(1, 900/float64(n)), 0.1)
	what := "the model"
	if k < rounds {
		what = "the model without round " + string(rune('1'+k))
	}
	// Most blocks are plain after a third of the trees, and leave.
	const hardly = 0.0005 // of all change sides after that
	return trees.Train(ctx, t.bins.Rows(rows), trees.Options{
		Trees: n, Depth: t.Depth, LearningRate: rate, Stop: trees.Stop{After: n / 3, Loss: hardly}, L2: 10, MinWeight: 5, RowShare: 0.7, FeatureShare: 0.5,
		Symmetric: true, Seed: t.Seed + 1, Progress: func(tree int, _, _ float64) { t.Progress(what, tree, n) },
	})
}

// judge has a model tell of the blocks of the sites that it has not seen.
func (t *trainer) judge(m *trees.Model, k int) {
	for i, x := range t.all {
		if round(x.Fold) == k {
			rows := t.views[i].Rows(x.Signals)
			t.blank(rows)
			copy(t.p[t.from[i]:], blend.Judge(m, t.views[i], rows))
		}
	}
}

// voices say how much a page counts when kinds are learned. Corpora of articles
// alone say little of how those differ from other pages.
func (t *trainer) voices() []float32 {
	mixed := map[string]bool{}
	for _, x := range t.all {
		if x.Kind != "" && x.Kind != article.TypeArticle {
			mixed[x.Corpus] = true
		}
	}
	const faint = 0.5
	out := make([]float32, len(t.all))
	for i, x := range t.all {
		if out[i] = 1; !mixed[x.Corpus] {
			out[i] = faint
		}
	}
	return out
}

// kind grows the trees that tell what kind of page it is, without the sites of
// round k.
func (t *trainer) kind(ctx context.Context, k int) (*trees.Model, error) {
	data := trees.Data{Features: blocks.PageFeatures}
	voice := t.voices()
	for i, x := range t.all {
		if x.part || round(x.Fold) == k {
			continue
		}
		// Who collects stories and says nothing of their kind has collected
		// articles.
		class := max(slices.Index(blend.Kinds[:], x.Kind), 0)
		p := t.p[t.from[i]:t.from[i+1]]
		kept := blend.Choose(t.views[i], p, 0)
		data.X = append(data.X, t.views[i].PageRow(x.Gold.URL, t.tables[x.Fold], p, kept)...)
		data.Y = append(data.Y, float32(class))
		data.Weight = append(data.Weight, voice[i])
	}
	bins, err := trees.NewBins(data, 64)
	if err != nil {
		return nil, err
	}
	return trees.Train(ctx, bins, trees.Options{
		Trees: 400, Depth: 4, LearningRate: 0.025, L2: 5, MinWeight: 2, RowShare: 0.7, FeatureShare: 0.25, Symmetric: true, Seed: t.Seed + 2, Classes: len(blend.Kinds),
	})
}

// tally is what the pages of one fold say of the words of a table, a site a voice.
type tally struct {
	sum   [blocks.TableSize]float32 // of the steps in log-odds
	sites [blocks.TableSize]float32
}

// said is how much of what stands with a word is story, and how much there is.
type said map[uint32][2]float64

func (s said) add(place uint32, story, all float64) {
	x := s[place]
	s[place] = [2]float64{x[0] + story, x[1] + all}
}

// tables learns the tables of words. The one of a fold was learned from the
// sites of all other folds, and the last from all.
func tables(all []*Example) []*blocks.Tables {
	names, openings, kinds := make([]tally, Folds), make([]tally, Folds), make([]tally, Folds)
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
		n, o, k := said{}, said{}, said{}
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
			blocks.EachKind(x.Doc, x.Gold.URL, func(place uint32) { k.add(place, isArticle, 1) })
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

// add gives a site its voice.
func (t *tally) add(seen said) {
	for place, s := range seen {
		p := (s[0] + 0.5) / (s[1] + 1)
		t.sum[place] += float32(math.Log(p / (1 - p)))
		t.sites[place]++
	}
}

// fill makes a table of all folds but one. A word that few sites know says
// little.
func fill(table *[blocks.TableSize]int8, folds []tally, without int) {
	const doubt = 3 // sites
	for place := range table {
		var sum, sites float64
		for f := range folds {
			if f != without {
				sum += float64(folds[f].sum[place])
				sites += float64(folds[f].sites[place])
			}
		}
		if sites < 2 {
			continue
		}
		x := sum / (sites + doubt) * blocks.Unit
		table[place] = int8(math.Round(max(-127, min(127, x))))
	}
}
