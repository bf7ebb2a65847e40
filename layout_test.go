package lede_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/layout"
	"github.com/lede-news/lede/method"
)

// A layout that the caller gives is what a method sees; one that fails is the
// page's error.
func TestWithLayout(t *testing.T) {
	page := examplePage
	asked := 0
	lay := func(_ context.Context, d *dom.Document, url string) (*method.Layout, error) {
		if asked++; url != "https://quay-courier.example/lighthouse" {
			t.Errorf("asked for %q", url)
		}
		return layout.Estimate(d, method.Screen{Width: 1280, Height: 1024}), nil
	}
	a, err := lede.Extract(t.Context(), strings.NewReader(page), lede.WithURL("https://quay-courier.example/lighthouse"), lede.WithMethod("wrapper"), lede.WithLayout(lay))
	if err != nil || asked != 1 || a.Title != "Lighthouse sold" {
		t.Errorf("got %+v, %v, asked %d times", a, err, asked)
	}
	broken := errors.New("no browser today")
	_, err = lede.Extract(t.Context(), strings.NewReader(page), lede.WithLayout(func(context.Context, *dom.Document, string) (*method.Layout, error) {
		return nil, broken
	}))
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
