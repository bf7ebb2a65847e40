package trees_test

import (
	"context"
	"fmt"

	"github.com/lede-news/lede/internal/methods/trees"
)

func Example() {
	// The number of words and the share of them in links, of blocks of text.
	bins, err := trees.NewBins(trees.Data{
		Features: []string{"words", "links"},
		X:        []float32{80, 0.02, 65, 0, 90, 0.1, 70, 0.05, 5, 0.9, 8, 1, 12, 0.8, 3, 1},
		Y:        []float32{1, 1, 1, 1, 0, 0, 0, 0},
	}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := trees.Train(context.Background(), bins, trees.Options{Trees: 20, Depth: 2, MinWeight: 0.1, Symmetric: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	odds := make([]float32, 2)
	m.Scores([]float32{75, 0.03, 6, 0.95}, 2, odds)
	fmt.Println("prose:", odds[0] > 0)
	fmt.Println("menu: ", odds[1] > 0)
	// Output:
	// prose: true
	// menu:  false
}
