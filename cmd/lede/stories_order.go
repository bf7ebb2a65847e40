package main

import (
	"context"
	"runtime"
	"sync"
)

// inOrder calls prepare with every value that read yields, on several goroutines, and
// take with the results, in the order of the values, on the caller's goroutine. A few
// values for each worker are in memory at a time. It returns the first error of read or
// take. When it returns, read and prepare have returned.
func inOrder[T, P any](ctx context.Context, workers int, read func(yield func(T) error) error, prepare func(T) P, take func(P) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var running sync.WaitGroup
	defer running.Wait()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	waiting, slots := make(chan chan P, 4*workers), make(chan struct{}, workers)
	running.Go(func() {
		defer close(waiting)
		err := read(func(value T) error {
			done := make(chan P, 1)
			select {
			case waiting <- done:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			slots <- struct{}{}
			running.Go(func() {
				done <- prepare(value)
				<-slots
			})
			return nil
		})
		if err != nil {
			stop(err)
		}
	})
	for done := range waiting {
		if err := take(<-done); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}
