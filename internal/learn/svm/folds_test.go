package svm

import (
	"errors"
	"slices"
	"testing"
)

func TestSplit(t *testing.T) {
	var groups []int // of one row, of two …
	for g := range 20 {
		groups = append(groups, slices.Repeat([]int{g}, g+1)...)
	}
	fold, folds, err := split(len(groups), groups, 4, 1)
	if err != nil || folds != 4 {
		t.Fatal(folds, err)
	}
	home, sizes := map[int]int{}, make([]int, folds)
	for i, f := range fold {
		if h, known := home[groups[i]]; known && h != f {
			t.Errorf("group %d is in folds %d and %d", groups[i], h, f)
		}
		home[groups[i]] = f
		sizes[f]++
	}
	if slices.Max(sizes)-slices.Min(sizes) > 6 {
		t.Errorf("folds of %v rows", sizes)
	}
	again, _, _ := split(len(groups), groups, 4, 1)
	other, _, _ := split(len(groups), groups, 4, 2)
	if !slices.Equal(fold, again) || slices.Equal(fold, other) {
		t.Error("folds do not follow from the seed")
	}
}

func TestSplitFew(t *testing.T) {
	if _, folds, err := split(6, []int{1, 1, 2, 2, 3, 3}, 5, 0); folds != 3 || err != nil {
		t.Errorf("%d folds of three groups, %v", folds, err)
	}
	if _, _, err := split(3, []int{1, 1, 1}, 5, 0); !errors.Is(err, ErrOneGroup) {
		t.Errorf("one group: %v", err)
	}
}

// TestHeldOutOneClass: a fold may leave only one class to learn from.
func TestHeldOutOneClass(t *testing.T) {
	x, y := [][]float64{{0}, {1}, {2}}, []bool{true, false, false}
	values, err := heldOut(x, y, []int{0, 1, 1}, 2, Options{}.filled(3, 1))
	if err != nil || !slices.Equal(values, []float64{-1, 1, 1}) {
		t.Errorf("%v, %v", values, err)
	}
}
