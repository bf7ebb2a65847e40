package story

import (
	"context"

	"github.com/lede-news/lede/internal/lab/train/trees"
	"github.com/lede-news/lede/internal/methods/blend"
)

// others grows the trees that score the blocks of pages that are no articles, for
// the models of all rounds and the final one. If there are hardly any such pages,
// the models have none.
func (t *trainer) others(ctx context.Context, models []*blend.Model) error {
	var pages []int
	others := 0
	for i, x := range t.all {
		switch {
		case x.isFragment || x.mismatched:
		case x.isOther():
			pages = append(pages, i)
			others++
		default:
			// Articles that are taken for other pages must lose little.
			if _, chance := blend.PageType(models[round(x.Fold)].Kind, t.pageRow(i)); blend.IsSurelyOther(chance) {
				pages = append(pages, i)
			}
		}
	}
	const minOthers = 50
	if others < minOthers {
		return nil
	}
	for k, m := range models {
		var rows []int32
		for _, i := range pages {
			if round(t.all[i].Fold) != k {
				rows = t.appendRows(rows, i)
			}
		}
		var err error
		m.Other, err = trees.Train(ctx, t.bins.Rows(rows), trees.Options{
			Trees: 200, LearningRate: 0.1, L2: 10, MinWeight: 5, RowShare: 0.7, FeatureShare: 0.3, Seed: t.Seed + 3,
		})
		if err != nil {
			return err
		}
		t.Progress("blocks of other pages", k+1, len(models))
	}
	return nil
}
