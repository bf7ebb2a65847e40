package lede_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/newsroom"
)

// parsePages returns the first pages of a made-up site.
func parsePages(t *testing.T, s *newsroom.Site, pages int) []*dom.Document {
	t.Helper()
	var docs []*dom.Document
	for i := range pages {
		d, err := dom.Parse(t.Context(), s.Page(i).HTML, dom.Options{})
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	return docs
}

// TestNeighbours checks that methods of both kinds drop what the neighbours have,
// whether the page is among them or not.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	const imprint = "The Quay is published by Quay Papers and Daughters, 1 Harbour Lane, at the end of the pier."
	page := func(headline, story string) string {
		return "<title>" + headline + " | The Quay</title><h1>" + headline + "</h1><p>" + strings.Repeat(story+" ", 8) + "</p><p>That was all.</p><div>" + imprint + "</div>"
	}
	var docs []*dom.Document
	for i, story := range []string{
		"The ferry is back in service after a winter in the dock.", "The council has bought a bell for the town hall.", "Nobody has seen the gulls since Monday.",
		"A bakery opens on the market square in spring.", "The lighthouse gets a new coat of paint.", "Snow closed the road to the moor for a day.",
	} {
		d, err := dom.Parse(t.Context(), []byte(page("Story "+strings.Repeat("I", i+1), story)), dom.Options{})
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	for name, method := range map[string]lede.Option{
		"stadynot": lede.WithMethod("stadynot"), "stadynot:paper": lede.WithMethod("stadynot:paper"), "everything": lede.WithCustomMethod(everything{}),
	} {
		x, err := lede.New(method)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := x.ExtractDocument(t.Context(), docs[0])
		if err != nil || !strings.Contains(alone.Text(), imprint) {
			t.Fatalf("%s without neighbours: %v, %v", name, alone, err)
		}
		for _, around := range [][]*dom.Document{docs[1:], docs} {
			a, err := x.ExtractDocument(t.Context(), docs[0], lede.WithNeighbours(around...))
			if err != nil {
				t.Fatal(err)
			}
			if got := a.Text(); strings.Contains(got, imprint) || strings.Count(got, "The ferry is back") != 8 {
				t.Errorf("%s with %d neighbours:\n%s", name, len(around), got)
			}
		}
	}
}

// TestNeighboursAreShared checks that an Extractor may use its neighbours for many
// pages at once, and that a cancelled page does not spoil them.
func TestNeighboursAreShared(t *testing.T) {
	t.Parallel()
	docs := parsePages(t, firstSite(t), 6)
	x, err := lede.New(lede.WithNeighbours(docs...))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.ExtractDocument(ctx, docs[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	texts := make([]string, 2*len(docs))
	var wg sync.WaitGroup
	for i := range texts {
		wg.Go(func() {
			a, err := x.ExtractDocument(t.Context(), docs[i/2], lede.WithMethod([]string{"nce", "stadynot"}[i%2]))
			if err != nil {
				t.Error(err)
				return
			}
			texts[i] = a.Text()
		})
	}
	wg.Wait()
	for i, d := range docs {
		a, err := lede.New(lede.WithNeighbours(docs...), lede.WithMethod("stadynot"))
		if err != nil {
			t.Fatal(err)
		}
		if one, err := a.ExtractDocument(t.Context(), d); err != nil || one.Text() != texts[2*i+1] {
			t.Errorf("page %d: alone another text (%v)", i, err)
		}
	}
}
