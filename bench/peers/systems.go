package main

import (
	"context"
	"runtime"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/lab/eval/measure"
)

// methods returns systems for lede's methods.
func methods(names []string) ([]eval.System, error) {
	var list []eval.System
	for _, name := range names {
		if name == "none" {
			continue
		}
		x, err := lede.New(lede.WithMethod(name))
		if err != nil {
			return nil, err
		}
		list = append(list, fresh{parsing{eval.Method("lede "+name, func(ctx context.Context, in *eval.Input) (*article.Article, string, error) {
			a, err := x.ExtractDocument(ctx, in.Doc, lede.WithURL(in.URL))
			return a, "", err
		})}})
	}
	return list, nil
}

// parsing is a method of lede that parses each page itself, as the rivals do,
// instead of using the shared document. It does what lede.Extract does, in two steps
// that are timed apart.
type parsing struct{ eval.System }

func (p parsing) Extract(ctx context.Context, in *eval.Input) *measure.Output {
	own := *in
	start := time.Now()
	own.Doc, own.DocErr = dom.Parse(ctx, in.HTML, dom.Options{Charset: in.Charset, NoCopy: true, Reuse: true})
	own.DocTime = time.Since(start)
	out := p.System.Extract(ctx, &own)
	if own.DocErr == nil {
		own.Doc.Release()
	}
	return out
}

// fresh is a system that runs the garbage collector before each page, so that it
// does not pay for the garbage of others.
type fresh struct{ eval.System }

func (f fresh) Extract(ctx context.Context, in *eval.Input) *measure.Output {
	runtime.GC()
	return f.System.Extract(ctx, in)
}

// warmUp runs every system on a few pages that do not count, because just-in-time
// compilers and lazy initialization would distort short runs.
func warmUp(ctx context.Context, c *corpus.Corpus, systems []eval.System) {
	const pages = 3
	for i := range min(pages, len(c.Gold)) {
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
