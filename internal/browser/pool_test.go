package browser

import (
	"fmt"
	"sync"
	"testing"
)

// TestManyAtOnce has more pages than tabs, each with a box of its own size.
func TestManyAtOnce(t *testing.T) {
	const tabs, pages = 3, 24
	b := open(t, Options{Tabs: tabs})
	var all sync.WaitGroup
	for i := range pages {
		doc := parse(t, fmt.Sprintf(`<!doctype html><div id=x style="width:%dpx">page %[1]d</div>`, 100+i))
		all.Go(func() {
			p, err := b.Layout(t.Context(), doc, "")
			if err != nil {
				t.Error(err)
				return
			}
			if got := p.Layout.Box(find(t, doc, "x")).W; got != float64(100+i) {
				t.Errorf("page %d is %v wide", i, got)
			}
		})
	}
	all.Wait()
	if n := len(b.idle); n == 0 || n > tabs {
		t.Errorf("%d tabs are kept, of %d", n, tabs)
	}
}
