package svm_test

import (
	"fmt"

	"github.com/lede-news/lede/internal/learn/svm"
)

func Example() {
	// The number of words and the share of them in links, of blocks of text.
	x := [][]float64{{80, 0.02}, {65, 0}, {90, 0.1}, {70, 0.05}, {5, 0.9}, {8, 1}, {12, 0.8}, {3, 1}}
	y := []bool{true, true, true, true, false, false, false, false}
	m, err := svm.Train(x, y, svm.Options{Scale: svm.Range, Features: []string{"words", "links"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("prose:", m.Decision([]float64{75, 0.03}) > 0)
	fmt.Println("menu: ", m.Decision([]float64{6, 0.95}) > 0)
	// Output:
	// prose: true
	// menu:  false
}
