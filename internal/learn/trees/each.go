package trees

import (
	"sync"
	"sync/atomic"
)

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
