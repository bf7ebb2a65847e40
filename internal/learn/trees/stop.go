package trees

import (
	"errors"
	"math"
	"slices"
)

// ErrStop means that there is no one score to stop by.
var ErrStop = errors.New("only a model of two classes can let rows leave early: set Stop.After to 0")

// Stop lets rows leave early: those whose score after the first trees is so low or
// so high that the rest hardly ever moves it across 0. They keep that score. What is
// low and high is found in the rows to validate by or, without them, to train on;
// [Model.Whole] tells what it costs elsewhere.
type Stop struct {
	After int     // trees; 0, or as many as there are, means that all rows see all
	Loss  float64 // the share of all rows whose side may change at each end; 0 for none that was seen
}

// stop is where rows leave: below low or above high, in units of the model.
type stop struct {
	after     int
	low, high int32
}

// leaves holds for rows that need no more trees.
func (s stop) leaves(sum int32) bool { return sum < s.low || sum > s.high }

// Whole is the model without its stop.
func (m *Model) Whole() *Model {
	whole := *m
	whole.stop = stop{}
	return &whole
}

// findStop finds the widest gates that cost no more than o.Stop.Loss.
func findStop(trees []tree, s *sums, o Options) stop {
	for _, t := range trees[:o.Stop.After] {
		s.add(t, o)
	}
	early := slices.Clone(s.at)
	for _, t := range trees[o.Stop.After:] {
		s.add(t, o)
	}
	zero := -s.bias[0] / s.unit
	allowed := int(o.Stop.Loss * float64(len(early)))
	var ups, downs []int32 // early scores of rows that end on the other side
	for i, e := range early {
		switch was, is := float64(e) > zero, float64(s.at[i]) > zero; {
		case !was && is:
			ups = append(ups, e)
		case was && !is:
			downs = append(downs, -e)
		}
	}
	return stop{
		after: o.Stop.After,
		low:   gate(ups, allowed, int32(math.Ceil(zero))),
		high:  -gate(downs, allowed, int32(math.Ceil(-zero))),
	}
}

// gate is the largest score at or below most that only as many scores as are
// allowed are under.
func gate(scores []int32, allowed int, most int32) int32 {
	slices.Sort(scores)
	if allowed < len(scores) {
		return min(most, scores[allowed])
	}
	return most
}
