package storylinks

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lede-news/lede/internal/methods/trees"
	"github.com/lede-news/lede/internal/page/lines"
	"github.com/lede-news/lede/internal/page/links"
)

// Label is a link that somebody judged.
type Label struct {
	Site  string `json:"site"`
	URL   string `json:"url"`
	Text  string `json:"text"`
	Story bool   `json:"story"`
}

// ReadLabels reads labels, a JSON object in each line.
func ReadLabels(r io.Reader) ([]Label, error) {
	const most = 1 << 20
	in := bufio.NewReaderSize(r, 64<<10)
	var labels []Label
	for number := 1; ; number++ {
		line, _, err := lines.Read(in, most)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var l Label
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if l.Site == "" || l.URL == "" {
			return nil, fmt.Errorf("line %d: a label needs the fields site and url", number)
		}
		labels = append(labels, l)
	}
	if len(labels) == 0 {
		return nil, errors.New("no labels: each line is a JSON object with site, url, text and story")
	}
	return labels, nil
}

// example is a labelled link in its page.
type example struct {
	candidate
	address, textual []uint16
	row              []float32
	site             int
	page, at         int
	story            bool
}

// lesson is what a model learns from.
type lesson struct {
	pages    []page
	examples []example
	sites    int
}

// newLesson makes a page of the labels of each site.
func newLesson(labels []Label) *lesson {
	var ls lesson
	sites := map[string]int{}
	for _, l := range labels {
		s, ok := sites[l.Site]
		if !ok {
			s = len(ls.pages)
			sites[l.Site] = s
			ls.pages = append(ls.pages, page{base: parseTarget(labelBase)})
		}
		c := newCandidate(resolveLabel(labelBase, l.URL), cleanText(l.Text))
		p := &ls.pages[s]
		ls.examples = append(ls.examples, example{site: s, page: s, at: len(p.links), story: l.Story})
		p.links = append(p.links, c)
	}
	ls.sites = len(ls.pages)
	for i := range ls.pages {
		ls.pages[i].markSite()
	}
	words := loadWords()
	for i := range ls.examples {
		x := &ls.examples[i]
		x.candidate = ls.pages[x.page].links[x.at]
		x.row = make([]float32, len(featureNames))
		x.fill(x.row, words)
		x.address, x.textual = x.addressTokens(), x.textTokens()
	}
	return &ls
}

// labelBase stands for the address of a site whose labels are relative.
const labelBase = "https://paper.invalid/"

func resolveLabel(base, address string) string {
	b, err := links.Parse(base)
	if err != nil {
		return address
	}
	return links.ResolveWeb(b, address)
}

// TrainOptions are the settings of training.
type TrainOptions struct {
	Folds int    // of the cross-validation (default: 10)
	Seed  uint64 // of folds and trees
}

// Train learns a model from labels.
func Train(ctx context.Context, labels []Label, o TrainOptions) (*Model, error) {
	ls := newLesson(labels)
	all := make([]int, len(ls.examples))
	for i := range all {
		all[i] = i
	}
	return ls.train(ctx, all, o.Seed)
}

// innerFolds is the number of folds by which the scores of words are made for the
// training of the trees: a table that has seen a site is trusted too much on it.
const innerFolds = 8

// train learns from some examples.
func (ls *lesson) train(ctx context.Context, of []int, seed uint64) (*Model, error) {
	m := new(Model)
	folds := ls.folds(of, innerFolds, seed^0x5eed)
	n := len(featureNames)
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
				row[addressScore] = address.score(x.address)
				row[textScore] = text.score(x.textual)
			}
		}
	}
	m.address, m.text = *ls.table(of, false), *ls.table(of, true)
	var data rowData
	data.Features = featureNames
	for k, i := range of {
		x := &ls.examples[i]
		row := rows[k*n : (k+1)*n]
		data.X = append(data.X, row...)
		data.add(x.story, 1, x.site)
		// Sitemaps have no texts.
		bare := slices.Clone(row)
		for t := textFeatures; t < n; t++ {
			bare[t] = nan
		}
		data.X = append(data.X, bare...)
		data.add(x.story, bareWeight, x.site)
	}
	bins, err := trees.NewBins(data.Data, 0)
	if err != nil {
		return nil, err
	}
	opts := treeOptions
	opts.Seed = seed
	if m.trees, err = trees.Train(ctx, bins, opts); err != nil {
		return nil, err
	}
	return m, nil
}

// bareWeight is the weight of an example without its text.
const bareWeight = 0.3

// treeOptions are the settings of the trees, chosen by cross-validation.
var treeOptions = trees.Options{Trees: 300, Depth: 4, LearningRate: 0.05, L2: 3, MinWeight: 2, RowShare: 0.7, FeatureShare: 0.4, Symmetric: true}

// rowData collects rows for the trees.
type rowData struct{ trees.Data }

func (d *rowData) add(story bool, weight float32, group int) {
	d.Y = append(d.Y, toFloat(story))
	d.Weight = append(d.Weight, weight)
	d.Groups = append(d.Groups, int32(group))
}

// folds returns the fold of each of some examples. Those of a site are in one fold.
func (ls *lesson) folds(of []int, n int, seed uint64) []int {
	order := rand.New(rand.NewPCG(seed, 17)).Perm(ls.sites)
	folds := make([]int, len(of))
	for k, i := range of {
		folds[k] = order[ls.examples[i].site] % n
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
	const size = 1 << tableBits
	weights, squares := make([]float64, size), make([]float64, size)
	bias, biasSquare := 0.0, 0.0
	order := slices.Clone(of)
	rng := rand.New(rand.NewPCG(1, 2))
	for range wordPasses {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			x := &ls.examples[i]
			tokens := x.address
			if text {
				tokens = x.textual
			}
			sum := bias
			for _, t := range tokens {
				sum += weights[t]
			}
			g := 1/(1+math.Exp(-sum)) - float64(toFloat(x.story))
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
