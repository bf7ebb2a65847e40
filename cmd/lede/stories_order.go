package main

import (
	"cmp"
	"context"
	"runtime"
	"sync"
)

// inOrder calls prepare with every value that read yields, on several goroutines, and
// take with the results, in the order of the values, on the caller's goroutine. A few
// values for each worker are in memory at a time. It returns the first error of read or
// take, or the cause of the end of ctx. When it returns, no prepare is running.
func inOrder[T, P any](ctx context.Context, workers int, read func(yield func(T) error) error, prepare func(T) P, take func(P) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var running sync.WaitGroup
	defer running.Wait()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	type job struct {
		value T
		done  chan P
	}
	const ahead = 4 // values for each worker
	waiting, work := make(chan job, ahead*workers), make(chan job)
	failed := make(chan error, 1)
	go func() {
		defer close(waiting)
		defer close(work)
		failed <- read(func(value T) error {
			j := job{value, make(chan P, 1)}
			for _, queue := range []chan job{waiting, work} {
				select {
				case queue <- j:
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			return nil
		})
	}()
	for range workers {
		running.Go(func() {
			for {
				select {
				case j, ok := <-work:
					if !ok {
						return
					}
					j.done <- prepare(j.value)
				case <-ctx.Done():
					return
				}
			}
		})
	}
	// A reader of a pipe may block forever: if ctx ends, it is not waited for.
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case j, ok := <-waiting:
			if !ok {
				return cmp.Or(context.Cause(ctx), <-failed)
			}
			select {
			case <-ctx.Done():
			case p := <-j.done:
				if err := take(p); err != nil {
					return err
				}
			}
		}
	}
}
