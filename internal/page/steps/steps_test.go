package steps

import (
	"context"
	"errors"
	"testing"
)

func TestCounter(t *testing.T) {
	cause := errors.New("no time left")
	ctx, cancel := context.WithCancelCause(t.Context())
	c := New(ctx)
	for range 3 * Interval {
		if c.Done() {
			t.Fatal("done before the context")
		}
	}
	cancel(cause)
	n := 1
	for !c.Done() {
		n++
	}
	if n > Interval || !c.Done() || !errors.Is(c.Err(), cause) {
		t.Errorf("done after %d steps: %v", n, c.Err())
	}
	done := New(ctx)
	if !done.Done() {
		t.Error("the first step does not look at the context")
	}
	if c := New(ctx); !errors.Is(c.Look(), cause) {
		t.Error("Look does not look at the context")
	}
	for _, never := range []*Counter{nil, {}} {
		for range 3 * Interval {
			if never.Done() {
				t.Fatal("the zero value ends")
			}
		}
		if never.Err() != nil || never.Look() != nil {
			t.Error(never.Err())
		}
	}
}

func BenchmarkDone(b *testing.B) {
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	c := New(ctx)
	for b.Loop() {
		c.Done()
	}
}
