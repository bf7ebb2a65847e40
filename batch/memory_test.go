package batch

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/lede-news/lede/article"
)

// TestAdmission checks that pages in progress never take more memory than allowed,
// by what they can take at worst, that a page too large for the limit fails and says
// so, and that all others are extracted.
func TestAdmission(t *testing.T) {
	plan, err := planMemory(256<<20, 30<<20, 8)
	if err != nil {
		t.Fatal(err)
	}
	small := []byte("<p>" + strings.Repeat("The bridge stays closed. ", 100))
	large := []byte(strings.Repeat("<p>a", int(plan.pages/2/(4*costByte+costBlock))))
	huge := []byte(strings.Repeat("<p>a", int(2*plan.pages/(4*costByte+costBlock))))
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
	var inUse, most atomic.Int64
	var mu sync.Mutex
	extract := func(_ context.Context, in Input, r io.Reader) (*article.Article, error) {
		cost := pageCost(in.Body)
		mu.Lock()
		most.Store(max(most.Load(), inUse.Add(cost)))
		mu.Unlock()
		_, err := io.Copy(io.Discard, r)
		inUse.Add(-cost)
		return &article.Article{}, err
	}
	var failed []string
	done := 0
	take := func(r *Result) error {
		if done++; r.Err != nil {
			failed = append(failed, r.Line.Kind+": "+r.Line.Error)
		}
		return nil
	}
	p := pipeline{extract: extract, opts: Options{Workers: 8}, admission: newAdmission(plan)}
	if err := p.run(t.Context(), slices.Values(pages), take); err != nil || done != len(pages) {
		t.Fatal(done, err)
	}
	if most.Load() > plan.pages || most.Load() < pageCost(large) {
		t.Errorf("pages that can take %d MB were in progress at once, %d MB allowed", most.Load()>>20, plan.pages>>20)
	}
	if len(failed) != 1 || !strings.HasPrefix(failed[0], "memory: ") || !strings.Contains(failed[0], "allow more memory") {
		t.Errorf("%q, want one page that takes too much memory", failed)
	}
}

// TestTooLittleMemory checks that a run says when its memory is too small for any
// page, and how much it needs.
func TestTooLittleMemory(t *testing.T) {
	pages := []Input{{ID: "page", Body: []byte("<p>Text")}}
	_, err := Run(t.Context(), slices.Values(pages), nil, nil, Options{MaxMemory: 8 << 20})
	if !errors.Is(err, ErrMemory) || !strings.Contains(err.Error(), "allow at least") {
		t.Errorf("%v", err)
	}
	for _, workers := range []int{1, 2, 64} {
		for mb := int64(100); mb < 10_000; mb += 100 {
			plan, err := planMemory(mb<<20, 30<<20, workers)
			if sum := plan.pages + int64(plan.readers)*20<<20 + 2*int64(plan.waiting) + 30<<20; err == nil && sum > mb<<20 {
				t.Errorf("%d MB, %d workers: %d MB planned", mb, workers, sum>>20)
			}
			if err != nil && mb >= 200 {
				t.Errorf("%d MB: %v", mb, err)
			}
		}
	}
}

// TestAdmissionInOrder checks that a page which needs much memory is not overtaken
// forever by small ones.
func TestAdmissionInOrder(t *testing.T) {
	a := newAdmission(memoryPlan{readers: 1, pages: 10})
	a.acquire(4)
	started := make(chan int64, 3)
	for i, cost := range []int64{8, 1, 1} {
		go func() {
			a.acquire(cost)
			started <- cost
		}()
		for waiting := 0; waiting <= i; {
			a.mu.Lock()
			waiting = len(a.waiting)
			a.mu.Unlock()
		}
	}
	a.release(4)
	got := []int64{<-started, <-started, <-started}
	slices.Sort(got)
	if a.free != 0 || !slices.Equal(got, []int64{1, 1, 8}) {
		t.Errorf("%d free after %v", a.free, got)
	}
}
