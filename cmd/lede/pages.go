package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/cli"
	"github.com/lede-news/lede/internal/page/links"
	"github.com/lede-news/lede/internal/story/parts"
)

// maxParts bounds the pages of an article that are fetched.
const maxParts = 50

// wholeStory appends the following pages of an article that is split over several,
// as far as --pages allows, and reports what is missing.
func (e *extraction) wholeStory(ctx context.Context, arg string, a *article.Article, opts func(source) []lede.Option) {
	if err := e.join(ctx, a, opts); err != nil {
		e.failed = true
		e.note(arg, err)
	} else if a.NextPage != "" {
		hint := "join its pages with --pages N"
		if e.flags.pages > 1 {
			hint = fmt.Sprintf("raise --pages %d to join more", e.flags.pages)
		}
		e.note(arg, fmt.Errorf("the article continues on %s; %s", a.NextPage, hint))
	}
}

// join fetches the pages of an article and appends them. Each is fetched once, from
// the same site. After an error, NextPage is the address that failed.
func (e *extraction) join(ctx context.Context, a *article.Article, opts func(source) []lede.Option) error {
	own := cmp.Or(a.URL, a.Canonical)
	seen := map[string]bool{links.Key(own): true}
	if e.flags.pages > 1 {
		e.polite.Fetched(ctx, own)
	}
	for number := 2; number <= e.flags.pages && a.NextPage != ""; number++ {
		resp, err := e.getSameSite(ctx, a.NextPage, own)
		if err != nil {
			return fmt.Errorf("page %d of the article is missing: %w", number, nameNext(a.NextPage, cli.HintPrivate(err)))
		}
		src := e.fetched(resp)
		asked, got := links.Key(a.NextPage), links.Key(src.url)
		if seen[asked] || seen[got] {
			a.NextPage = "" // a circle
			return nil
		}
		seen[asked], seen[got] = true, true
		x, err := e.sites.Extract(ctx, e.ex, src, src.url, "", opts(src)...)
		if err != nil {
			return fmt.Errorf("page %d of the article is missing: %w", number, nameNext(a.NextPage, err))
		}
		x.Article.SetPartial(src.partial)
		e.web.Forget(x.Document())
		if !parts.Join(a, x.Article) {
			a.NextPage = "" // the site shows the same for every number
			return nil
		}
		if a.NextPage = x.Article.NextPage; seen[links.Key(a.NextPage)] {
			a.NextPage = ""
		}
	}
	return nil
}

// nameNext adds the address of a page to an error that lacks it.
func nameNext(address string, err error) error {
	if msg := nameError(address, err); msg != cli.OneLine(err) {
		return fmt.Errorf("%s: %w", address, err)
	}
	return err
}
