package visual

import (
	"context"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/compose"
	"github.com/lede-news/lede/internal/eval/measure"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
)

// Accuracy has the shares of pages whose title, body and both are correct: the
// paper's title, body and news accuracy.
type Accuracy struct {
	Pages             int
	Title, Body, Both float64
	// Shown is Title among the pages that show the gold's headline. Often the
	// gold has the headline that a page gives to search engines.
	Shown float64
}

// minF1 is the F1 of words from which on a body counts as correct. The paper's
// judges were people.
const minF1 = 0.9

// outcome tells what was correct on a page.
type outcome struct{ title, body, shown bool }

// Measure extracts the pages and compares them with their gold or, if they have
// none, with their labels. Pages without a known title count for their body alone.
func Measure(ctx context.Context, m method.Method, pages []*Example) (Accuracy, error) {
	all, err := extractAll(ctx, m, pages)
	if err != nil {
		return Accuracy{}, err
	}
	return accuracyOf(all), nil
}

func extractAll(ctx context.Context, m method.Method, pages []*Example) ([]outcome, error) {
	return parallel.Map(ctx, len(pages), 0, nil, func(i int) (outcome, error) { return extract(ctx, m, pages[i]) })
}

func accuracyOf(all []outcome) Accuracy {
	share := func(of, is func(outcome) bool) float64 {
		total, count := 0, 0
		for _, o := range all {
			if of(o) {
				total++
				if is(o) {
					count++
				}
			}
		}
		return float64(count) / float64(max(total, 1))
	}
	every := func(outcome) bool { return true }
	title := func(o outcome) bool { return o.title }
	return Accuracy{
		Pages: len(all),
		Title: share(every, title),
		Body:  share(every, func(o outcome) bool { return o.body }),
		Both:  share(every, func(o outcome) bool { return o.title && o.body }),
		Shown: share(func(o outcome) bool { return o.shown }, title),
	}
}

// extract compares the text of the article with that of the gold.
func extract(ctx context.Context, m method.Method, x *Example) (outcome, error) {
	shown := x.Title != dom.None
	s, err := m.Select(ctx, &method.Page{Doc: x.Doc, URL: x.URL, Layout: x.Layout})
	if err == method.ErrNoContent {
		return outcome{shown: shown}, nil
	}
	if err != nil {
		return outcome{}, err
	}
	title := ""
	if s.Title != dom.None {
		title = x.Doc.Text(s.Title)
	}
	if x.Gold == nil {
		return outcome{
			title: !shown || measure.Letters(title) == measure.Letters(x.Doc.Text(x.Title)),
			body:  x.Body != dom.None && isNear(x.Doc, s.Keep[0], x.Body),
			shown: shown,
		}, nil
	}
	body := compose.Blocks(x.Doc, s.Mask(x.Doc), compose.Options{URL: x.URL})
	text := article.Text(compose.DropHeadline(body, title))
	return outcome{
		title: x.Gold.Title == "" || measure.Letters(title) == measure.Letters(x.Gold.Title),
		body:  measure.Score(x.Gold, title, text).F1 >= minF1,
		shown: shown,
	}, nil
}
