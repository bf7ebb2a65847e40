// Package links trains the model of internal/crawl/storylinks, which tells links to
// stories from others.
package links

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lede-news/lede/internal/crawl/storylinks"
	"github.com/lede-news/lede/internal/lab/train/trees"
)

// Label is a link that somebody judged.
type Label struct {
	Site  string `json:"site"`
	URL   string `json:"url"`
	Text  string `json:"text"`
	Story bool   `json:"story"`
}

// ReadLabels reads labels, a JSON object in each line.
func ReadLabels(r io.Reader) (labels []Label, err error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for number := 1; in.Scan(); number++ {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		var l Label
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if l.Site == "" || l.URL == "" {
			return nil, fmt.Errorf("line %d: a label needs the fields site and url", number)
		}
		labels = append(labels, l)
	}
	if in.Err() == nil && len(labels) == 0 {
		return nil, errors.New("no labels: each line is a JSON object with site, url, text and story")
	}
	return labels, in.Err()
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
	var ls lesson
	sites := map[string]int{}
	var lists [][]storylinks.Address
	for _, l := range labels {
		s, ok := sites[l.Site]
		if !ok {
			s = len(lists)
			sites[l.Site] = s
			lists = append(lists, nil)
		}
		ls.examples = append(ls.examples, example{page: s, at: len(lists[s]), story: l.Story})
		lists[s] = append(lists[s], storylinks.Address{URL: l.URL, Text: l.Text})
	}
	for _, list := range lists {
		ls.pages = append(ls.pages, storylinks.NewPage(labelBase, list))
	}
	for i := range ls.examples {
		x := &ls.examples[i]
		x.row, x.address, x.text = ls.pages[x.page].Features(x.at)
	}
	return &ls
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

// innerFolds is the number of folds by which the scores of words are made for the
// training of the trees: a table that has seen a site is trusted too much on it.
const innerFolds = 8

// train learns from some examples.
func (ls *lesson) train(ctx context.Context, of []int, seed uint64) ([]byte, error) {
	folds := ls.folds(of, innerFolds, seed^0x5eed)
	n := len(storylinks.FeatureNames)
	rows := make([]float32, len(of)*n)
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
				row := rows[k*n : (k+1)*n]
				copy(row, x.row)
				row[storylinks.AddressScore] = address.score(x.address)
				row[storylinks.TextScore] = text.score(x.text)
			}
		}
	}
	data := trees.Data{Features: storylinks.FeatureNames}
	add := func(row []float32, x *example, weight float32) {
		data.X = append(data.X, row...)
		data.Y = append(data.Y, classOf(x))
		data.Weight = append(data.Weight, weight)
		data.Groups = append(data.Groups, int32(x.page))
	}
	for k, i := range of {
		row := rows[k*n : (k+1)*n]
		add(row, &ls.examples[i], 1)
		bare := slices.Clone(row) // sitemaps have no texts
		for t := storylinks.TextFeatures; t < n; t++ {
			bare[t] = float32(math.NaN())
		}
		add(bare, &ls.examples[i], bareWeight)
	}
	bins, err := trees.NewBins(data, 0)
	if err != nil {
		return nil, err
	}
	opts := treeOptions
	opts.Seed = seed
	grown, err := trees.Train(ctx, bins, opts)
	if err != nil {
		return nil, err
	}
	forest, err := grown.MarshalBinary()
	file := ls.table(of, false).append([]byte(storylinks.ModelMagic))
	return append(ls.table(of, true).append(file), forest...), err
}

// classOf returns 1 for a link to a story and else 0.
func classOf(x *example) float32 {
	if x.story {
		return 1
	}
	return 0
}

// bareWeight is the weight of an example without its text.
const bareWeight = 0.3

// treeOptions are the settings of the trees, chosen by cross-validation.
var treeOptions = trees.Options{Trees: 300, Depth: 4, LearningRate: 0.05, L2: 3, MinWeight: 2, RowShare: 0.7, FeatureShare: 0.4}

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
func (ls *lesson) table(of []int, text bool) *table {
	weights, squares := make([]float64, storylinks.TableSize), make([]float64, storylinks.TableSize)
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
			g := 1/(1+math.Exp(-sum)) - float64(classOf(x))
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
	t := &table{unit: float32(cmp.Or(most, 1) / 127), bias: float32(bias)}
	for i, w := range weights {
		t.weights[i] = int8(math.Round(w / float64(t.unit)))
	}
	return t
}

// table is a logistic regression over hashed words.
type table struct {
	weights    [storylinks.TableSize]int8 // in units
	unit, bias float32
}

// score returns the log-odds for words.
func (t *table) score(words []uint16) float32 {
	sum := int32(0)
	for _, k := range words {
		sum += int32(t.weights[k])
	}
	return t.bias + t.unit*float32(sum)
}

// append appends the table to a file. Only the weights of words that occur are written,
// and the lengths of the runs between them.
func (t *table) append(file []byte) []byte {
	file = binary.LittleEndian.AppendUint32(file, math.Float32bits(t.unit))
	file = binary.LittleEndian.AppendUint32(file, math.Float32bits(t.bias))
	for i := 0; i < len(t.weights); i++ {
		if t.weights[i] != 0 {
			file = append(file, byte(t.weights[i]))
			continue
		}
		run := 1
		for run < 256 && i+run < len(t.weights) && t.weights[i+run] == 0 {
			run++
		}
		file = append(file, 0, byte(run-1))
		i += run - 1
	}
	return file
}
