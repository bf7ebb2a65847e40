package trees

import (
	"math/rand/v2"

	"github.com/lede-news/lede/internal/methods/trees"
	"github.com/lede-news/lede/internal/parallel"
)

// rowScores has the scores of rows while trees are added: row after row, all
// outputs of each, in units of the model.
type rowScores struct {
	b       *Bins
	outputs int
	bias    []float64
	unit    float64
	sums    []int32
}

func newRowScores(b *Bins, bias []float64, unit float64) *rowScores {
	return &rowScores{b: b, outputs: len(bias), bias: bias, unit: unit, sums: make([]int32, b.Len()*len(bias))}
}

// chunkRows is the number of rows that a worker handles at a time.
const chunkRows = 8192

// forChunks calls do for chunks of n rows, on several workers.
func forChunks(n int, do func(chunk, from, to int)) {
	parallel.For((n+chunkRows-1)/chunkRows, 0, func(i int) { do(i, i*chunkRows, min(n, (i+1)*chunkRows)) })
}

// add adds the leaves of a tree to all rows.
func (s *rowScores) add(t tree) {
	forChunks(s.b.Len(), func(_, from, to int) {
		var numbers [chunkRows]uint8
		leaf := numbers[:to-from]
		for level, n := range t.nodes {
			column, shift := s.b.octets[n.feature/8][from:to], 8*(n.feature%8)
			for i, b := range column {
				leaf[i] |= uint8(above(uint8(b>>shift), n.bin)) << level
			}
		}
		for i, p := range leaf {
			for k := range s.outputs {
				s.sums[(from+i)*s.outputs+k] += int32(t.leaves[k<<len(t.nodes)+int(p)])
			}
		}
	})
}

// probabilities computes the probabilities of a row's outputs.
func (s *rowScores) probabilities(row int, into []float64) {
	for k := range into {
		into[k] = s.bias[k] + float64(s.sums[row*s.outputs+k])*s.unit
	}
	trees.Probabilities(into)
}

// derive computes the derivatives of the loss for each output of each row. Weights
// are relative to maxWeight.
func (s *rowScores) derive(packed [][]uint64, maxWeight float64) {
	forChunks(s.b.Len(), func(_, from, to int) {
		p := make([]float64, s.outputs)
		for row := from; row < to; row++ {
			s.probabilities(row, p)
			class := int(s.b.y[row])
			if len(p) == 1 {
				class-- // the one output is that of class 1
			}
			w := float64(s.b.weightOf(row)) / maxWeight
			for k := range packed {
				g := p[k]
				if class == k {
					g--
				}
				packed[k][row] = pack(w*g, w*p[k]*(1-p[k])*4)
			}
		}
	})
}

// sampler draws random rows, by group if there are groups.
type sampler struct {
	group []int32 // of each row; nil if each row is its own group
	taken []bool  // by group
	rows  int
}

func newSampler(b *Bins) sampler {
	if b.groups == nil {
		return sampler{taken: make([]bool, b.Len()), rows: b.Len()}
	}
	numbers := map[int32]int32{}
	s := sampler{group: make([]int32, b.Len()), rows: b.Len()}
	for i, g := range b.groups {
		n, known := numbers[g]
		if !known {
			n = int32(len(numbers))
			numbers[g] = n
		}
		s.group[i] = n
	}
	s.taken = make([]bool, len(numbers))
	return s
}

// sample appends the rows of a share of the groups, in ascending order.
func (s sampler) sample(rows []int32, share float64, rng *rand.Rand) []int32 {
	setRandom(s.taken, share, rng)
	for i := range s.rows {
		group := i
		if s.group != nil {
			group = int(s.group[i])
		}
		if s.taken[group] {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// setRandom sets a random share of the flags, at least one, and clears the others.
func setRandom(flags []bool, share float64, rng *rand.Rand) {
	wanted := max(1, int(share*float64(len(flags))+0.5))
	for i := range flags {
		left := len(flags) - i
		flags[i] = wanted == left || rng.IntN(left) < wanted
		if flags[i] {
			wanted--
		}
	}
}
