package polite

import (
	"context"
	"maps"
	"sync"
)

// turns has a value for each key, and gives it to one caller at a time, in the order
// in which they ask. Values that are not waited for are forgotten when there are too many.
type turns[T any] struct {
	most int // that are kept

	mu      sync.Mutex
	entries map[string]*turn[T]
}

// turn is the value of a key. Who has the turn may use the value.
type turn[T any] struct {
	key   string
	value T

	free  chan struct{}
	users int // waiting for their turn or having it; guarded by turns.mu
}

// enter waits for the turn of a key. Its value is zero if it is new.
func (t *turns[T]) enter(ctx context.Context, key string) (*turn[T], error) {
	t.mu.Lock()
	if t.entries == nil {
		t.entries = map[string]*turn[T]{}
	}
	e := t.entries[key]
	if e == nil {
		if len(t.entries) >= t.most {
			maps.DeleteFunc(t.entries, func(_ string, e *turn[T]) bool { return e.users == 0 })
		}
		e = &turn[T]{key: key, free: make(chan struct{}, 1)}
		t.entries[key] = e
	}
	e.users++
	t.mu.Unlock()
	select {
	case e.free <- struct{}{}:
		return e, nil
	case <-ctx.Done():
		t.mu.Lock()
		e.users--
		t.mu.Unlock()
		return nil, context.Cause(ctx)
	}
}

// leave ends a turn.
func (t *turns[T]) leave(e *turn[T]) {
	<-e.free
	t.mu.Lock()
	defer t.mu.Unlock()
	e.users--
}
