package trees

import (
	"math"
	"math/rand/v2"

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
func forChunks(n, workers int, do func(chunk, from, to int)) {
	parallel.For((n+chunkRows-1)/chunkRows, workers, func(i int) { do(i, i*chunkRows, min(n, (i+1)*chunkRows)) })
}

// add adds the leaves of a tree to all rows.
func (s *rowScores) add(t tree, o Options) {
	forChunks(s.b.Len(), o.Workers, func(_, from, to int) {
		var numbers [chunkRows]uint8
		leaf := numbers[:to-from]
		for level := range t.depth {
			s.descend(leaf, t, level, from, o.Symmetric)
		}
		for i, p := range leaf {
			for k := range s.outputs {
				s.sums[(from+i)*s.outputs+k] += int32(t.leaves[k<<t.depth+int(p)])
			}
		}
	})
}

// descend sets the bit of a level in the numbers of the leaves.
func (s *rowScores) descend(leaf []uint8, t tree, level, from int, symmetric bool) {
	if symmetric {
		n := t.nodes[level]
		column, shift := s.b.octets[n.feature/8][from:], 8*(n.feature%8)
		column = column[:len(leaf)]
		for i, b := range column {
			leaf[i] |= uint8(above(uint8(b>>shift), n.bin)) << level
		}
		return
	}
	for i, p := range leaf {
		if n := t.nodes[nodeAt(false, level, int(p))]; n.gain > 0 {
			b := s.b.octets[n.feature/8][from+i] >> (8 * (n.feature % 8))
			leaf[i] |= uint8(above(uint8(b), n.bin)) << level
		}
	}
}

// probabilities computes the probabilities of a row's outputs.
func (s *rowScores) probabilities(row int, into []float64) {
	for k := range into {
		into[k] = s.bias[k] + float64(s.sums[row*s.outputs+k])*s.unit
	}
	Probabilities(into)
}

// Probabilities turns the scores of a row into probabilities, in place: that of
// class 1 if there is one score, or else one for each class.
func Probabilities[T float32 | float64](scores []T) {
	if len(scores) == 1 {
		scores[0] = T(1 / (1 + math.Exp(-float64(scores[0]))))
		return
	}
	most, sum := T(math.Inf(-1)), T(0)
	for _, v := range scores {
		most = max(most, v)
	}
	for k, v := range scores {
		scores[k] = T(math.Exp(float64(v - most)))
		sum += scores[k]
	}
	for k := range scores {
		scores[k] /= sum
	}
}

// derive returns the mean loss and, unless packed is nil, computes the derivatives
// of the loss for each output of each row. Weights are relative to maxWeight.
// Chunks are summed in order, so that the mean does not depend on the workers.
func (s *rowScores) derive(packed [][]uint64, maxWeight float64, workers int) (loss float64) {
	n := s.b.Len()
	losses, weights := make([]float64, n/chunkRows+1), make([]float64, n/chunkRows+1)
	forChunks(n, workers, func(chunk, from, to int) {
		p := make([]float64, s.outputs)
		for row := from; row < to; row++ {
			s.probabilities(row, p)
			weight, class := float64(s.b.weightOf(row)), int(s.b.y[row])
			losses[chunk] -= weight * math.Log(max(probabilityOf(p, class), 1e-15))
			weights[chunk] += weight
			if len(p) == 1 {
				class-- // the one output is that of class 1
			}
			w := weight / maxWeight
			for k := range packed {
				g := p[k]
				if class == k {
					g--
				}
				packed[k][row] = pack(w*g, w*p[k]*(1-p[k])*4)
			}
		}
	})
	weight := 0.0
	for i := range losses {
		loss += losses[i]
		weight += weights[i]
	}
	return loss / weight
}

// probabilityOf returns the probability of a class from those of the outputs.
func probabilityOf(p []float64, class int) float64 {
	if len(p) > 1 {
		return p[class]
	}
	if class == 1 {
		return p[0]
	}
	return 1 - p[0]
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
