package main

import (
	"context"
	"time"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/eval"
	"github.com/lede-news/lede/internal/eval/measure"
)

// methods makes systems of lede's own methods.
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
		list = append(list, fresh{parsing{eval.Method("lede "+name, func(ctx context.Context, in *eval.Input) (*article.Article, error) {
			return x.ExtractDocument(ctx, in.Doc, lede.WithURL(in.URL))
		})}})
	}
	return list, nil
}

// parsing has a method of lede parse the page for itself, as the rivals do. The
// document that methods share is made under other conditions.
type parsing struct{ eval.System }

func (p parsing) Extract(ctx context.Context, in *eval.Input) *measure.Output {
	own := *in
	start := time.Now()
	own.Doc, own.DocErr = dom.Parse(ctx, in.HTML, dom.Options{Charset: in.Charset})
	own.DocTime = time.Since(start)
	return p.System.Extract(ctx, &own)
}
