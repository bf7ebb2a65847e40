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

// TestGuard has a page that takes ever more memory. It is given up, with the
// reason in its line, and the others are done.
func TestGuard(t *testing.T) {
	var pages []Page
	for n := range 40 {
		pages = append(pages, Page{ID: storyID(n), Body: []byte(story(n))})
	}
	const glutton, most = 7, 256 << 20
	stopped := errors.New("stopped")
	extract := func(ctx context.Context, p Page, r io.Reader) (*article.Article, error) {
		if p.ID != storyID(glutton) {
			return echo(ctx, p, r)
		}
		var kept [][]byte
		for len(kept)<<20 < 8*most {
			kept = append(kept, bytes.Repeat([]byte("x"), 1<<20))
			if ctx.Err() != nil {
				return nil, stopped // by a method that does not tell the cause
			}
		}
		return nil, errors.New("nobody stopped it")
	}
	var out bytes.Buffer
	stats, err := Run(t.Context(), slices.Values(pages), extract, &out, Options{Workers: 2, MaxMemory: most, Patience: time.Minute})
	if err != nil || stats.Done != len(pages) || stats.Failed != 1 || stats.Errors[KindMemory] != 1 {
		t.Errorf("%v, %+v", err, stats)
	}
	if !strings.Contains(out.String(), `"id":"s07","url":"","error":"the page takes too much memory: `) {
		t.Errorf("no reason in its line:\n%s", out.String())
	}
}

// A page that was given up and is not gone yet is the only one.
func TestGuardOneAtATime(t *testing.T) {
	g := &guard{limit: 1}
	old, oldDone := g.enter(t.Context())
	young, youngDone := g.enter(t.Context())
	for range 3 {
		g.relieve(2)
	}
	if !errors.Is(context.Cause(old), ErrMemory) || young.Err() != nil {
		t.Errorf("%v, %v", context.Cause(old), young.Err())
	}
	g.pages[0].given = time.Now().Add(-guardPatience) // it hangs
	g.relieve(2)
	if !errors.Is(context.Cause(young), ErrMemory) {
		t.Error("the next one is not given up")
	}
	oldDone()
	youngDone()
	g.relieve(2)
	if len(g.pages) != 0 {
		t.Errorf("%d pages are left under guard", len(g.pages))
	}
}
