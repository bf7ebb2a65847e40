package compose

import (
	"testing"

	"github.com/lede-news/lede/dom"
)

func TestTally(t *testing.T) {
	for _, size := range []int{0, 1, 63, 64, 65, 127, 128, 200} {
		mask := make([]bool, size)
		for n := range mask {
			mask[n] = n%3 == 0 || n%64 == 63
		}
		kept := count(mask)
		want := 0
		for n := range size + 1 {
			if got := kept.before(dom.Node(n)); got != want {
				t.Fatalf("of %d nodes %d are kept before %d, want %d", size, got, n, want)
			}
			if n < size && mask[n] {
				want++
			}
		}
	}
}
