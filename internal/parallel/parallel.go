// Package parallel spreads the calls of a function over several goroutines.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// For calls do for every number from 0 to n-1 on up to workers goroutines, and
// returns when all calls have. With fewer than 1 worker it uses GOMAXPROCS.
func For(n, workers int, do func(i int)) {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

// Do is For for calls that can fail. It returns the error with the lowest
// number. When ctx ends, Do starts no more
// calls and returns its cause. If progress is not nil, it is called after each
// call, one call at a time, with how many are done.
func Do(ctx context.Context, n, workers int, progress func(done int), do func(i int) error) error {
	errs := make([]error, n)
	var mu sync.Mutex
	done := 0
	For(n, workers, func(i int) {
		if ctx.Err() != nil {
			return
		}
		errs[i] = do(i)
		if progress != nil {
			mu.Lock()
			defer mu.Unlock()
			done++
			progress(done)
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Map is Do for calls with results. It returns them in the order of their
// numbers.
func Map[T any](ctx context.Context, n, workers int, progress func(done int), do func(i int) (T, error)) ([]T, error) {
	out := make([]T, n)
	err := Do(ctx, n, workers, progress, func(i int) (err error) {
		out[i], err = do(i)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
