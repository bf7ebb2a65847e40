package trees_test

import (
	"context"
	"fmt"

	"github.com/lede-news/lede/internal/learn/trees"
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
	row := make([]uint8, m.Width())
	m.Bin([]float32{75, 0.03}, row)
	fmt.Println("prose:", m.Score(row) > 0)
	m.Bin([]float32{6, 0.95}, row)
	fmt.Println("menu: ", m.Score(row) > 0)
	// Output:
	// prose: true
	// menu:  false
}
