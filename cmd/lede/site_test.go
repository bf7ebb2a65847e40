package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/sites"
	"github.com/lede-news/lede/site"
	"github.com/lede-news/lede/site/store"
)

// stuckStore is a store that never answers.
type stuckStore struct{ store.Store }

func (stuckStore) View(ctx context.Context, _ string, _ func(*site.Profile)) error {
	<-ctx.Done()
	return ctx.Err()
}

func (stuckStore) Add(ctx context.Context, _ string, _ *site.Observation) (site.Event, error) {
	<-ctx.Done()
	return site.Ignored, ctx.Err()
}

func (stuckStore) Close() error { return nil }

// TestStuckStore checks that a page is extracted without a store that does not
// answer, and that the store is blamed for it.
func TestStuckStore(t *testing.T) {
	ex, err := lede.New()
	if err != nil {
		t.Fatal(err)
	}
	page := "<title>Harbour reopens</title><h1>Harbour reopens</h1>" +
		strings.Repeat("<p>The harbour reopened on Monday after a week of storms, and the first boats left before dawn, the port said.</p>", 5)
	s := &sites.Sites{Store: stuckStore{}, LookupTime: time.Millisecond}
	for range 2 {
		// There is no limit of time but that of the calls.
		x, err := s.Extract(context.WithoutCancel(t.Context()), ex, strings.NewReader(page), "https://paper.example/1", "")
		if err != nil || x.Article.Title != "Harbour reopens" {
			t.Fatal(x, err)
		}
	}
	if err := s.Close(); err == nil || !strings.Contains(err.Error(), "2 pages") {
		t.Errorf("the error is %v", err)
	}
}
