package visual

import (
	"context"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/compose"
	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/eval/measure"
	"github.com/lede-news/lede/internal/wrapper"
	"github.com/lede-news/lede/method"
)

// Accuracy is the share of pages whose title, body and both were right: the
// paper's title, body and news accuracy.
type Accuracy struct {
	Pages             int
	Title, Body, Both float64
	// Shown is Title for the pages alone that show the gold's headline: often
	// the gold has the one that a page gives to search engines.
	Shown float64
}

// right is the F1 of the words of a body from which on it counts as extracted
// correctly. The paper's judges were people.
const right = 0.9

// outcome is what became of a page.
type outcome struct{ title, body, shown bool }

// Measure extracts the pages and counts those that are right: by their gold or,
// where they have none, by their labels. A page without a title that is known
// counts for its body alone.
func Measure(ctx context.Context, m method.Method, pages []*Example) (Accuracy, error) {
	all, err := makeAll(ctx, len(pages), nil, "", func(i int) (outcome, error) { return extract(ctx, m, pages[i]) })
	if err != nil {
		return Accuracy{}, err
	}
	return sum(all), nil
}

func sum(all []outcome) Accuracy {
	a := Accuracy{Pages: len(all)}
	shown := 0
	for _, o := range all {
		if o.shown {
			shown++
		}
		if o.shown && o.title {
			a.Shown++
		}
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
	for _, f := range []*float64{&a.Title, &a.Body, &a.Both} {
		*f /= float64(max(len(all), 1))
	}
	a.Shown /= float64(max(shown, 1))
	return a
}

// extract judges a page by the text that a reader would get.
func extract(ctx context.Context, m method.Method, x *Example) (outcome, error) {
	s, err := m.Select(ctx, &method.Page{Doc: x.Doc, URL: x.URL, Layout: x.Layout})
	if err == method.ErrNoContent {
		return outcome{shown: x.isShown()}, nil
	}
	if err != nil {
		return outcome{}, err
	}
	title := ""
	if s.Title != dom.None {
		title = x.Doc.Text(s.Title)
	}
	if x.Gold == nil {
		return x.byLabels(title, s.Keep[0]), nil
	}
	body := compose.Blocks(x.Doc, s.Mask(x.Doc), compose.Options{URL: x.URL})
	text := article.Text(compose.DropHeadline(body, title))
	return outcome{
		title: x.Gold.Title == "" || letters(title) == letters(x.Gold.Title),
		body:  measure.Score(x.Gold, title, text).F1 >= right,
		shown: x.isShown(),
	}, nil
}

// byLabels judges a page that has labels and no gold.
func (x *Example) byLabels(title string, body dom.Node) outcome {
	return outcome{
		title: x.Title == dom.None || letters(title) == letters(x.Doc.Text(x.Title)),
		body:  x.Body != dom.None && isNear(x.Doc, body, x.Body),
		shown: x.isShown(),
	}
}

// isShown tells whether the gold's title can be found on the page at all.
func (x *Example) isShown() bool { return x.Title != dom.None }

// CrossValidate trains k times, each time without the sites of one fold, and
// measures on those.
func CrossValidate(ctx context.Context, examples []*Example, k int, o Options, progress Progress) (Accuracy, error) {
	var all []outcome
	for fold := range k {
		var train, test []*Example
		for _, x := range examples {
			if corpus.Fold(x.Site, k) == fold {
				test = append(test, x)
			} else {
				train = append(train, x)
			}
		}
		m, err := Train(ctx, train, o)
		if err != nil {
			return Accuracy{}, err
		}
		c := o.Config
		c.Model = m
		w := wrapper.New(c)
		found, err := makeAll(ctx, len(test), nil, "", func(i int) (outcome, error) { return extract(ctx, w, test[i]) })
		if err != nil {
			return Accuracy{}, err
		}
		all = append(all, found...)
		if progress != nil {
			progress("cross-validating", fold+1, k)
		}
	}
	return sum(all), nil
}
