package svm

import (
	"cmp"
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// ErrOneGroup means that there is nothing to hold out.
var ErrOneGroup = errors.New("all rows are of one group: none can be held out")

// split gives every row a fold, so that groups stay whole and folds are of like
// sizes: groups go, each into the fold with the fewest rows, in random order but
// large before small. Sizes count by powers of two for that, since the seed would
// have nothing to decide otherwise. There are no more folds than groups.
func split(rows int, groups []int, folds int, seed uint64) (fold []int, used int, err error) {
	members := byGroup(rows, groups)
	folds = min(folds, len(members))
	if folds < 2 {
		return nil, 0, ErrOneGroup
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	slices.SortStableFunc(members, func(a, b []int) int { return cmp.Compare(bits.Len(uint(len(b))), bits.Len(uint(len(a)))) })
	fold, sizes := make([]int, rows), make([]int, folds)
	for _, m := range members {
		least := slices.Index(sizes, slices.Min(sizes))
		sizes[least] += len(m)
		for _, i := range m {
			fold[i] = least
		}
	}
	return fold, folds, nil
}

// byGroup lists the rows of each group, in the order of their first rows.
func byGroup(rows int, groups []int) [][]int {
	var members [][]int
	number := map[int]int{}
	for i := range rows {
		g := i
		if groups != nil {
			g = groups[i]
		}
		n, known := number[g]
		if !known {
			n = len(members)
			number[g] = n
			members = append(members, nil)
		}
		members[n] = append(members[n], i)
	}
	return members
}

// heldOut are the decision values of all rows, each from a model that was
// trained without its fold. Where only one class is left to train on, they are 1
// or -1, as in LIBSVM.
func heldOut(x [][]float64, y []bool, fold []int, folds int, o Options) ([]float64, error) {
	values := make([]float64, len(x))
	for f := range folds {
		var restX [][]float64
		var restY []bool
		for i := range x {
			if fold[i] != f {
				restX, restY = append(restX, x[i]), append(restY, y[i])
			}
		}
		decide, err := decider(restX, restY, o)
		if err != nil {
			return nil, err
		}
		for i := range x {
			if fold[i] == f {
				values[i] = decide(x[i])
			}
		}
	}
	return values, nil
}

func decider(x [][]float64, y []bool, o Options) (func([]float64) float64, error) {
	if oneClass(y) {
		value := -1.0
		if y[0] {
			value = 1
		}
		return func([]float64) float64 { return value }, nil
	}
	m, err := fit(x, y, o)
	if err != nil {
		return nil, err
	}
	return m.Decision, nil
}
