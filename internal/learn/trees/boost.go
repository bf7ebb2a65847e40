package trees

import (
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
)

// sums are the scores of rows while trees are added: row after row, all outputs of
// each, in units of the model.
type sums struct {
	b       *Bins
	outputs int
	bias    []float64
	unit    float64
	at      []int32
}

func newSums(b *Bins, bias []float64, unit float64) *sums {
	return &sums{b: b, outputs: len(bias), bias: bias, unit: unit, at: make([]int32, b.Len()*len(bias))}
}

// fresh are the same rows before the first tree.
func (s *sums) fresh() *sums { return newSums(s.b, s.bias, s.unit) }

// add adds a tree's leaves to all rows.
func (s *sums) add(t tree, o Options) {
	eachStretch(s.b.Len(), o.Workers, func(_, from, to int) {
		var numbers [stretch]uint8
		leaf := numbers[:to-from]
		for level := range t.depth {
			s.answer(leaf, t, level, from, o.Symmetric)
		}
		for i, p := range leaf {
			for k := range s.outputs {
				s.at[(from+i)*s.outputs+k] += int32(t.leaves[k<<t.depth+int(p)])
			}
		}
	})
}

// answer sets the bit of a level in the numbers of the leaves.
func (s *sums) answer(leaf []uint8, t tree, level, from int, symmetric bool) {
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

// chances are the probabilities of a row's outputs.
func (s *sums) chances(row int, into []float64) {
	for k := range into {
		into[k] = s.bias[k] + float64(s.at[row*s.outputs+k])*s.unit
	}
	Chances(into)
}

// Chances turns the scores of one row into probabilities, in place: that of class 1
// where there is one score, or else one a class.
func Chances[T float32 | float64](scores []T) {
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

// step finds the derivatives of the loss for each output of each row, and the mean
// loss. Stretches are summed in order, so that the mean does not depend on workers.
// With words nil it finds the loss alone. Weights count by the largest.
func (s *sums) step(words [][]uint64, largest float64, workers int) (loss float64) {
	n := s.b.Len()
	losses, weights := make([]float64, n/stretch+1), make([]float64, n/stretch+1)
	eachStretch(n, workers, func(part, from, to int) {
		p := make([]float64, s.outputs)
		for row := from; row < to; row++ {
			s.chances(row, p)
			weight, class := float64(s.b.weightOf(row)), int(s.b.y[row])
			losses[part] -= weight * math.Log(max(chanceOf(p, class), 1e-15))
			weights[part] += weight
			if len(p) == 1 {
				class-- // the one output is that of class 1
			}
			w := weight / largest
			for k := range words {
				g := p[k]
				if class == k {
					g--
				}
				words[k][row] = pack(w*g, w*p[k]*(1-p[k])*4)
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

// chanceOf is the probability of a class, of which the outputs may tell one of two.
func chanceOf(p []float64, class int) float64 {
	if len(p) > 1 {
		return p[class]
	}
	if class == 1 {
		return p[0]
	}
	return 1 - p[0]
}

// lots are what rows are drawn by: their groups, or each on its own.
type lots struct {
	of    []int32 // the lot of each row; nil when each is its own
	taken []bool  // by lot
	rows  int
}

func newLots(b *Bins) lots {
	if b.groups == nil {
		return lots{taken: make([]bool, b.Len()), rows: b.Len()}
	}
	numbers := map[int32]int32{}
	l := lots{of: make([]int32, b.Len()), rows: b.Len()}
	for i, g := range b.groups {
		n, known := numbers[g]
		if !known {
			n = int32(len(numbers))
			numbers[g] = n
		}
		l.of[i] = n
	}
	l.taken = make([]bool, len(numbers))
	return l
}

// draw appends the rows of a share of the lots, in their order.
func (l lots) draw(rows []int32, share float64, rng *rand.Rand) []int32 {
	choose(l.taken, share, rng)
	for i := range l.rows {
		lot := i
		if l.of != nil {
			lot = int(l.of[i])
		}
		if l.taken[lot] {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// choose sets a share of the flags, one at least, at random.
func choose(flags []bool, share float64, rng *rand.Rand) {
	wanted := max(1, int(share*float64(len(flags))+0.5))
	for i := range flags {
		left := len(flags) - i
		flags[i] = wanted == left || rng.IntN(left) < wanted
		if flags[i] {
			wanted--
		}
	}
}

// each calls do for 0 to n-1, on several cores. What is done for one number must
// not depend on another.
func each(n, workers int, do func(i int)) {
	if workers = min(workers, n); workers <= 1 {
		for i := range n {
			do(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

// stretch is how many rows are done at a time.
const stretch = 8192

// eachStretch calls do for stretches of n rows, on several cores.
func eachStretch(n, workers int, do func(stretch, from, to int)) {
	each((n+stretch-1)/stretch, workers, func(i int) { do(i, i*stretch, min(n, (i+1)*stretch)) })
}
