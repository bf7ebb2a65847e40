package parallel

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
)

func TestFor(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 100} {
		for _, n := range []int{0, 1, 2, 50} {
			calls := make([]int, n)
			For(n, workers, func(i int) { calls[i]++ })
			if slices.ContainsFunc(calls, func(k int) bool { return k != 1 }) {
				t.Errorf("%d workers: calls %v", workers, calls)
			}
		}
	}
}

func TestMap(t *testing.T) {
	last := 0
	got, err := Map(t.Context(), 20, 4, func(done int) {
		if done != last+1 {
			t.Errorf("progress %d after %d", done, last)
		}
		last = done
	}, func(i int) (int, error) { return i * i, nil })
	if err != nil || last != 20 || len(got) != 20 || got[7] != 49 {
		t.Errorf("%v, %v, progress %d", got, err, last)
	}
}

func TestErrors(t *testing.T) {
	odd := errors.New("odd")
	_, err := Map(t.Context(), 6, 2, nil, func(i int) (int, error) {
		if i%2 == 1 {
			return 0, odd
		}
		return i, nil
	})
	if !errors.Is(err, odd) {
		t.Errorf("got %v", err)
	}
}

func TestCancel(t *testing.T) {
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	var calls, late atomic.Int32
	var cancelled atomic.Bool
	err := Do(ctx, 1000, 2, nil, func(int) error {
		if cancelled.Load() {
			late.Add(1)
		}
		if calls.Add(1) == 10 {
			cancel(enough)
			cancelled.Store(true)
		}
		return nil
	})
	// The other worker may have found the context alive just before.
	if !errors.Is(err, enough) || late.Load() > 1 {
		t.Errorf("%v, and %d calls after that", err, late.Load())
	}
}
