package visual

import (
	"context"

	"github.com/lede-news/lede/internal/eval/corpus"
	"github.com/lede-news/lede/internal/wrapper"
)

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
