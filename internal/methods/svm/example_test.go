package svm_test

import (
	"fmt"

	"github.com/lede-news/lede/internal/methods/svm"
)

func Example() {
	// Hundreds of words and the share of them in links, of blocks of text.
	x := [][]float64{{0.8, 0.02}, {0.65, 0}, {0.9, 0.1}, {0.7, 0.05}, {0.05, 0.9}, {0.08, 1}, {0.12, 0.8}, {0.03, 1}}
	y := []bool{true, true, true, true, false, false, false, false}
	m, err := svm.Train(x, y, svm.Options{Features: []string{"words", "links"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("prose:", m.Decision([]float64{0.75, 0.03}) > 0)
	fmt.Println("menu: ", m.Decision([]float64{0.06, 0.95}) > 0)
	// Output:
	// prose: true
	// menu:  false
}
