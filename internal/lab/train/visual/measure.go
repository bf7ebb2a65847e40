package visual

import (
	"context"
	"math"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/lab/eval/measure"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/internal/story/compose"
	"github.com/lede-news/lede/method"
)

// Accuracy has the shares of pages whose title, body and both are correct: the
// paper's title, body and news accuracy.
type Accuracy struct {
	Pages             int
	Title, Body, Both float64
}

// Figures returns the accuracy for the card of a model.
func (a *Accuracy) Figures() map[string]float64 {
	round := func(x float64) float64 { return math.Round(1000*x) / 1000 }
	return map[string]float64{"title": round(a.Title), "body": round(a.Body), "news": round(a.Both)}
}

// MinF1 is the F1 of words from which on Measure takes a body for correct.
const MinF1 = 0.9

// outcome tells what was correct on a page.
type outcome struct{ title, body bool }

// Measure extracts the pages and compares the text with their gold or, if they have
// none, with their labels. Pages without a known title count for their body alone.
func Measure(ctx context.Context, m method.Method, pages []*Example) (Accuracy, error) {
	all, err := extractAll(ctx, m, pages, byText)
	return accuracyOf(all), err
}

// MeasureSubtrees is Measure by the definition of the paper (section 2), in place of
// its judges: title and body are correct if the chosen subtrees are T_TITLE and
// T_BODY, or others with nearly the same words. Other text inside T_BODY is no
// mistake: the paper extracts subtrees as they are.
func MeasureSubtrees(ctx context.Context, m method.Method, pages []*Example) (Accuracy, error) {
	all, err := extractAll(ctx, m, pages, bySubtrees)
	return accuracyOf(all), err
}

// compareFunc tells what is correct in a selection. It is nil if there is none.
type compareFunc func(x *Example, s *method.Selection) outcome

func extractAll(ctx context.Context, m method.Method, pages []*Example, compare compareFunc) ([]outcome, error) {
	return parallel.Map(ctx, len(pages), 0, nil, func(i int) (outcome, error) {
		x := pages[i]
		s, err := m.Select(ctx, &method.Page{Doc: x.Doc, URL: x.URL, Layout: x.Layout})
		if err == method.ErrNoContent {
			s, err = nil, nil
		}
		if err != nil {
			return outcome{}, err
		}
		return compare(x, s), nil
	})
}

func bySubtrees(x *Example, s *method.Selection) (o outcome) {
	if s == nil {
		return o
	}
	want := x.Subtrees
	if want.Title == dom.None {
		o.title = x.Gold == nil || x.Gold.Title == ""
	} else {
		o.title = measure.Letters(s.TitleText(x.Doc)) == measure.Letters(x.Doc.Text(want.Title))
	}
	o.body = want.Body != dom.None && len(s.Keep) == 1 && isNear(x.Doc, s.Keep[0], want.Body)
	return o
}

func byText(x *Example, s *method.Selection) (o outcome) {
	if s == nil {
		return o
	}
	found := s.TitleText(x.Doc)
	if x.Gold == nil {
		o.title = x.Title == dom.None || measure.Letters(found) == measure.Letters(x.Doc.Text(x.Title))
		o.body = x.Body != dom.None && isNear(x.Doc, s.Keep[0], x.Body)
		return o
	}
	text := article.Text(compose.DropHeadline(compose.Blocks(x.Doc, s.Mask(x.Doc), compose.Options{URL: x.URL}), found))
	o.title = x.Gold.Title == "" || measure.Letters(found) == measure.Letters(x.Gold.Title)
	o.body = measure.Score(x.Gold, found, text).F1 >= MinF1
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
