package batch

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede/article"
)

// TestMemory checks that pages in progress never take more memory than allowed, by what
// they can take, and that a page that would take more than there is fails.
func TestMemory(t *testing.T) {
	t.Parallel()
	const limit = 64 << 20
	small, large := []byte(strings.Repeat("x", 1000)), []byte(strings.Repeat("x", limit/costByte/2))
	huge := []byte(strings.Repeat("x", 2*limit/costByte))
	var pages []Input
	for i := range 60 {
		body := small
		switch {
		case i%10 == 3:
			body = large
		case i == 15:
			body = huge
		}
		pages = append(pages, Input{ID: "page", Body: body})
	}
	var inUse atomic.Int64
	extract := func(_ context.Context, in Input, r io.Reader) (*article.Article, error) {
		cost := newMemory(limit).cost(&in)
		defer inUse.Add(-cost)
		if used := inUse.Add(cost); used > limit {
			t.Errorf("pages that can take %d MB were in progress at once, %d MB allowed", used>>20, limit>>20)
		}
		_, err := io.Copy(io.Discard, r)
		return &article.Article{}, err
	}
	stats, err := Run(t.Context(), slices.Values(pages), extract, func(*Result) error { return nil }, Options{Workers: 8, MaxMemory: limit})
	if err != nil || stats.Done != len(pages) || stats.Failed != 1 || stats.Errors["memory"] != 1 {
		t.Fatal(stats, err)
	}
}

// TestHangKeepsMemory checks that the memory of a page that hangs is not given to others,
// and that a run ends if such pages hold too much of it.
func TestHangKeepsMemory(t *testing.T) {
	t.Parallel()
	const limit = 64 << 20
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var inUse atomic.Int64
		extract := func(_ context.Context, in Input, _ io.Reader) (*article.Article, error) {
			cost := newMemory(limit).cost(&in)
			defer inUse.Add(-cost)
			if used := inUse.Add(cost); used > limit {
				t.Errorf("%d MB in use, %d MB allowed", used>>20, limit>>20)
			}
			if in.ID == "hangs" {
				<-release
			}
			return &article.Article{}, nil
		}
		run := func(hanging int) (Stats, error) {
			var pages []Input
			for i := range 20 {
				pages = append(pages, Input{ID: "page", Body: make([]byte, limit/costByte)})
				if i < hanging {
					pages[i] = Input{ID: "hangs", Body: make([]byte, limit/8/costByte)}
				}
			}
			return Run(t.Context(), slices.Values(pages), extract, func(*Result) error { return nil },
				Options{Workers: 3, MaxMemory: limit, HangTimeout: time.Minute})
		}
		if stats, err := run(1); err != nil || stats.Done != 20 || stats.Errors["hang"] != 1 {
			t.Errorf("one page hangs: %+v, %v", stats, err)
		}
		if _, err := run(3); err == nil || errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "pages hang") {
			t.Errorf("three pages hang: %v", err)
		}
		close(release)
	})
}
