// Package links trains the model of internal/crawl/storylinks, which tells links to
// stories from others.
package links

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lede-news/lede/internal/crawl/storylinks"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/train/trees"
)

// Label is a link that somebody judged.
type Label struct {
	Site  string `json:"site"`
	URL   string `json:"url"`
	Text  string `json:"text"`
	Story bool   `json:"story"`
}

// ReadLabels reads a file of labels, a JSON object in each line.
func ReadLabels(file string) (labels []Label, err error) {
	problems, err := corpus.ReadLines(file, func(_ string, row []byte) error {
		var l Label
		if err := json.Unmarshal(row, &l); err != nil {
			return err
		}
		if l.Site == "" || l.URL == "" {
			return errors.New("a label needs the fields site and url")
		}
		labels = append(labels, l)
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(problems) > 0:
		return nil, problems[0]
	case len(labels) == 0:
		return nil, fmt.Errorf("%s: no labels: each line is a JSON object with site, url, text and story", file)
	}
	return labels, nil
}

// example is a labelled link in its page.
type example struct {
	address, text []uint16
	row           []float32
	page, at      int
	story         bool
}

// lesson is what a model learns from: a page for each site.
type lesson struct {
	pages    []*storylinks.Page
	examples []example
}

// labelBase stands for the URL of a site whose labels are relative.
const labelBase = "https://paper.invalid/"

// newLesson makes a page of the labels of each site.
func newLesson(labels []Label) *lesson {
	ls := &lesson{examples: make([]example, len(labels))}
	for page, members := range corpus.GroupBy(ls.all(), func(i int) string { return labels[i].Site }) {
		var list []storylinks.Address
		for _, i := range members {
			list = append(list, storylinks.Address{URL: labels[i].URL, Text: labels[i].Text})
		}
		p := storylinks.NewPage(labelBase, list)
		for at, i := range members {
			x := &ls.examples[i]
			x.page, x.at, x.story = page, at, labels[i].Story
			x.row, x.address, x.text = p.Features(at)
		}
		ls.pages = append(ls.pages, p)
	}
	return ls
}

// all returns the numbers of all examples.
func (ls *lesson) all() []int {
	all := make([]int, len(ls.examples))
	for i := range all {
		all[i] = i
	}
	return all
}

// Train learns from labels and returns the file of the model.
func Train(ctx context.Context, labels []Label, seed uint64) ([]byte, error) {
	ls := newLesson(labels)
	return ls.train(ctx, ls.all(), seed)
}

// Figures are the quality of verdicts.
type Figures struct {
	Right, Found, Stories int // links rightly called stories, links called stories, stories
}

// Precision is the share of stories among the links called stories.
func (f Figures) Precision() float64 { return float64(f.Right) / float64(max(1, f.Found)) }

// Recall is the share of the stories that were found.
func (f Figures) Recall() float64 { return float64(f.Right) / float64(max(1, f.Stories)) }

// F1 is the harmonic mean of precision and recall.
func (f Figures) F1() float64 { return 2 * float64(f.Right) / float64(max(1, f.Found+f.Stories)) }

func (f *Figures) add(score float32, story bool) {
	if score > 0 {
		f.Found++
	}
	if story {
		f.Stories++
	}
	if score > 0 && story {
		f.Right++
	}
}

// CrossValidate trains on the labels of most sites and judges those of the others, in
// n folds. The links of a site are on one page, for bare without their texts.
func CrossValidate(ctx context.Context, labels []Label, n int, seed uint64) (all, bare Figures, err error) {
	ls := newLesson(labels)
	folds := ls.folds(ls.all(), n, seed)
	for f := range n {
		file, err := ls.train(ctx, slices.DeleteFunc(ls.all(), func(i int) bool { return folds[i] == f }), seed)
		if err != nil {
			return all, bare, err
		}
		var m storylinks.Model
		if err := m.UnmarshalBinary(file); err != nil {
			return all, bare, err
		}
		together, without := make([][]float32, len(ls.pages)), make([][]float32, len(ls.pages))
		for i, x := range ls.examples {
			if folds[i] != f {
				continue
			}
			if together[x.page] == nil {
				together[x.page], without[x.page] = m.Score(ls.pages[x.page])
			}
			all.add(together[x.page][x.at], x.story)
			bare.add(without[x.page][x.at], x.story)
		}
	}
	return all, bare, nil
}

// innerFolds is the number of folds by which the scores of words are made for the
// training of the trees: a table that has seen a site is trusted too much on it.
const innerFolds = 8

// train learns from some examples.
func (ls *lesson) train(ctx context.Context, of []int, seed uint64) ([]byte, error) {
	folds := ls.folds(of, innerFolds, seed^0x5eed)
	n := len(storylinks.FeatureNames)
	rows := make([][]float32, len(of))
	for f := range innerFolds {
		var learn []int
		for k, i := range of {
			if folds[k] != f {
				learn = append(learn, i)
			}
		}
		address, text := ls.table(learn, false), ls.table(learn, true)
		for k, i := range of {
			if folds[k] == f {
				x := &ls.examples[i]
				rows[k] = slices.Clone(x.row)
				rows[k][storylinks.AddressScore] = address.Score(x.address)
				rows[k][storylinks.TextScore] = text.Score(x.text)
			}
		}
	}
	data := trees.Data{Features: storylinks.FeatureNames}
	for k, i := range of {
		x := &ls.examples[i]
		data.X = append(data.X, rows[k]...)
		for t := storylinks.TextFeatures; t < n; t++ {
			rows[k][t] = float32(math.NaN()) // sitemaps have no texts
		}
		data.X = append(data.X, rows[k]...)
		data.Y = append(data.Y, float32(x.class()), float32(x.class()))
		data.Weight = append(data.Weight, 1, bareWeight)
		data.Groups = append(data.Groups, int32(x.page), int32(x.page))
	}
	opts := treeOptions
	opts.Seed = seed
	grown, err := trees.Train(ctx, trees.NewBins(data, trees.MaxBins), opts)
	if err != nil {
		return nil, err
	}
	forest, err := grown.MarshalBinary()
	file := ls.table(of, false).Append([]byte(storylinks.ModelMagic))
	return append(ls.table(of, true).Append(file), forest...), err
}

// class returns 1 for a link to a story and else 0.
func (x *example) class() float64 {
	if x.story {
		return 1
	}
	return 0
}

// bareWeight is the weight of an example without its text.
const bareWeight = 0.3

// treeOptions are the settings of the trees, chosen by cross-validation.
var treeOptions = trees.Options{Trees: 300, Depth: 4, LearningRate: 0.05, L2: 3, MinWeight: 2, RowShare: 0.7, FeatureShare: 0.4, Classes: 2}

// folds returns the fold of each of some examples. Those of a site are in one fold.
func (ls *lesson) folds(of []int, n int, seed uint64) []int {
	order := rand.New(rand.NewPCG(seed, 17)).Perm(len(ls.pages))
	folds := make([]int, len(of))
	for k, i := range of {
		folds[k] = order[ls.examples[i].page] % n
	}
	return folds
}

// The settings of the logistic regressions.
const (
	wordPasses  = 30
	wordRate    = 0.3
	wordPenalty = 0.02
)

// table learns the weights of words from some examples: logistic regression with
// AdaGrad (J. Duchi et al., 2011) and an L2 penalty.
func (ls *lesson) table(of []int, text bool) *storylinks.Table {
	var weights, squares [storylinks.TableSize]float64
	bias, biasSquare := 0.0, 0.0
	order := slices.Clone(of)
	rng := rand.New(rand.NewPCG(1, 2))
	for range wordPasses {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			x := &ls.examples[i]
			tokens := x.address
			if text {
				tokens = x.text
			}
			sum := bias
			for _, t := range tokens {
				sum += weights[t]
			}
			g := 1/(1+math.Exp(-sum)) - x.class()
			biasSquare += g * g
			bias -= wordRate * g / math.Sqrt(biasSquare+1e-6)
			for _, t := range tokens {
				d := g + wordPenalty*weights[t]
				squares[t] += d * d
				weights[t] -= wordRate * d / math.Sqrt(squares[t]+1e-6)
			}
		}
	}
	most := 0.0
	for _, w := range weights {
		most = max(most, math.Abs(w))
	}
	t := &storylinks.Table{Unit: float32(cmp.Or(most, 1) / 127), Bias: float32(bias)}
	for i, w := range weights {
		t.Weights[i] = int8(math.Round(w / float64(t.Unit)))
	}
	return t
}
