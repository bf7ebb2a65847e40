package polite

import (
	"context"
	"sync"
)

// turns has a value for each key, and gives it to one caller at a time, in the order
// in which they ask. Values that are not waited for are forgotten when there are too many.
type turns[T any] struct {
	most, mostBytes int // that are kept; the bytes are those that leave was told

	mu      sync.Mutex
	entries map[string]*turn[T]
	bytes   int
}

// turn is the value of a key. Who has the turn may use the value.
type turn[T any] struct {
	key   string
	value T

	free  chan struct{}
	users int // waiting for their turn or having it; guarded by turns.mu
	bytes int // likewise
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
			t.forget()
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

// leave ends a turn. The value takes a number of bytes.
func (t *turns[T]) leave(e *turn[T], bytes int) {
	<-e.free
	t.mu.Lock()
	defer t.mu.Unlock()
	e.users--
	t.bytes += bytes - e.bytes
	e.bytes = bytes
	if t.bytes > t.mostBytes {
		t.forget()
	}
}

// forget makes room for other values.
func (t *turns[T]) forget() {
	for key, e := range t.entries {
		if e.users == 0 {
			t.bytes -= e.bytes
			delete(t.entries, key)
		}
	}
}
