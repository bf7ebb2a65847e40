package batch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede/article"
)

// TestMemoryGuard checks that a page that takes ever more memory is cancelled with the
// reason in its line, and that the others are done.
func TestMemoryGuard(t *testing.T) {
	var pages []Input
	for n := range 40 {
		pages = append(pages, Input{ID: storyID(n), Body: []byte(story(n))})
	}
	const hungry, maxMemory = 7, 256 << 20
	stopped := errors.New("stopped")
	extract := func(ctx context.Context, p Input, r io.Reader) (*article.Article, error) {
		if p.ID != storyID(hungry) {
			return echo(ctx, p, r)
		}
		var held [][]byte
		for len(held)<<20 < 8*maxMemory {
			held = append(held, bytes.Repeat([]byte("x"), 1<<20))
			if ctx.Err() != nil {
				return nil, stopped // without the cause
			}
		}
		return nil, errors.New("not cancelled")
	}
	var out bytes.Buffer
	stats, err := Run(t.Context(), slices.Values(pages), extract, writeTo(&out), Options{Workers: 2, MaxMemory: maxMemory, HangTimeout: time.Minute})
	if err != nil || stats.Done != len(pages) || stats.Failed != 1 || stats.Errors["memory"] != 1 {
		t.Errorf("%v, %+v", err, stats)
	}
	if !strings.Contains(out.String(), `"id":"s07","url":"","error":"the page takes too much memory: `) {
		t.Errorf("no reason in its line:\n%s", out.String())
	}
}

// TestMemoryGuardOneAtATime checks that no other page is cancelled while a cancelled
// one may still end.
func TestMemoryGuardOneAtATime(t *testing.T) {
	g := &memoryGuard{limit: 1}
	old, oldDone := g.enter(t.Context())
	young, youngDone := g.enter(t.Context())
	for range 3 {
		g.cancelOldest(2)
	}
	if !errors.Is(context.Cause(old), ErrMemory) || young.Err() != nil {
		t.Errorf("%v, %v", context.Cause(old), young.Err())
	}
	g.pages[0].cancelled = time.Now().Add(-cancelGrace) // it hangs
	g.cancelOldest(2)
	if !errors.Is(context.Cause(young), ErrMemory) {
		t.Error("the next one is not cancelled")
	}
	oldDone()
	youngDone()
	g.cancelOldest(2)
	if len(g.pages) != 0 {
		t.Errorf("%d active pages are left", len(g.pages))
	}
}
