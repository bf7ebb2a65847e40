package main

import (
	"context"
	"runtime"

	"github.com/lede-news/lede/internal/eval"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
)

// fresh is a system that begins every page with a clean heap, so that none pays
// for what the one before it has left lying about.
type fresh struct{ eval.System }

func (f fresh) Extract(ctx context.Context, in *eval.Input) *measure.Output {
	runtime.GC()
	return f.System.Extract(ctx, in)
}

// warm has every system do a few pages that do not count: compilers that
// compile while they run, and tables that are made when they are first asked
// for, would count for short runs only.
func warm(ctx context.Context, c *corpus.Corpus, systems []eval.System) {
	const enough = 3
	for i := range min(enough, len(c.Gold)) {
		g := &c.Gold[i]
		page, err := c.Page(g)
		if err != nil {
			continue
		}
		in := &eval.Input{Corpus: c.Name, ID: g.ID, URL: g.URL, Charset: c.Charset, HTML: page}
		for _, s := range systems {
			if ctx.Err() == nil {
				s.Extract(ctx, in)
			}
		}
	}
}
