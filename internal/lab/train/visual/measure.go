package visual

import (
	"context"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
)

// Accuracy has the shares of pages whose title, body and both are correct: the
// paper's title, body and news accuracy.
type Accuracy struct {
	Pages             int
	Title, Body, Both float64
}

// outcome tells what was correct on a page.
type outcome struct{ title, body bool }

// MeasureSubtrees extracts the pages and compares by the definition of the paper (section
// 2), in place of its judges: title and body are correct if the chosen subtrees are T_TITLE
// and T_BODY, or others with nearly the same words. Other text inside T_BODY is not a mistake:
// the paper extracts subtrees as they are.
func MeasureSubtrees(ctx context.Context, m method.Method, pages []*Example) (Accuracy, error) {
	all, err := parallel.Map(ctx, len(pages), 0, nil, func(i int) (outcome, error) {
		x := pages[i]
		s, err := m.Select(ctx, &method.Page{Doc: x.Doc, URL: x.URL, Layout: x.Layout})
		if err == method.ErrNoContent {
			return outcome{}, nil
		}
		if err != nil {
			return outcome{}, err
		}
		return compare(x, s), nil
	})
	return accuracyOf(all), err
}

// compare tells what is correct in a selection.
func compare(x *Example, s *method.Selection) (o outcome) {
	want := x.Subtrees
	if want.Title == dom.None {
		o.title = x.Gold == nil || x.Gold.Title == ""
	} else {
		o.title = measure.Letters(s.TitleText(x.Doc)) == measure.Letters(x.Doc.Text(want.Title))
	}
	o.body = want.Body != dom.None && len(s.Keep) == 1 && isNear(x.Doc, s.Keep[0], want.Body)
	return o
}

func accuracyOf(all []outcome) (a Accuracy) {
	for _, o := range all {
		if o.title {
			a.Title++
		}
		if o.body {
			a.Body++
		}
		if o.title && o.body {
			a.Both++
		}
	}
	n := float64(max(len(all), 1))
	return Accuracy{len(all), a.Title / n, a.Body / n, a.Both / n}
}
