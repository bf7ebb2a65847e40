package links

import (
	"context"

	"github.com/lede-news/lede/internal/crawl/storylinks"
)

// Figures are the quality of verdicts.
type Figures struct {
	Links, Right, Found, Stories int // all links, those rightly called stories, those called stories, stories
}

// Precision is the share of stories among the links called stories.
func (f Figures) Precision() float64 { return float64(f.Right) / float64(max(1, f.Found)) }

// Recall is the share of the stories that were found.
func (f Figures) Recall() float64 { return float64(f.Right) / float64(max(1, f.Stories)) }

// F1 is the harmonic mean of precision and recall.
func (f Figures) F1() float64 { return 2 * float64(f.Right) / float64(max(1, f.Found+f.Stories)) }

func (f *Figures) add(score float32, story bool) {
	f.Links++
	if score > 0 {
		f.Found++
	}
	if story {
		f.Stories++
	}
	if score > 0 && story {
		f.Right++
	}
}

// Cross is the result of a cross-validation.
type Cross struct {
	Folds   []Figures // with texts, the links of a site on one page
	All     Figures   // sum of the folds
	Alone   Figures   // each link on a page of its own
	Bare    Figures   // URLs only
	Foreign Figures   // each link alone, of an unknown site unless it is relative
}

// CrossValidate trains on the labels of most sites and judges those of the others, in
// n folds.
func CrossValidate(ctx context.Context, labels []Label, n int, seed uint64) (*Cross, error) {
	ls := newLesson(labels)
	folds := ls.folds(ls.all(), n, seed)
	result := &Cross{Folds: make([]Figures, n)}
	for f := range n {
		var learn []int
		for i := range folds {
			if folds[i] != f {
				learn = append(learn, i)
			}
		}
		file, err := ls.train(ctx, learn, seed)
		if err != nil {
			return nil, err
		}
		var m storylinks.Model
		if err := m.UnmarshalBinary(file); err != nil {
			return nil, err
		}
		scores := map[int]storylinks.Scores{} // by page
		for i, x := range ls.examples {
			if folds[i] != f {
				continue
			}
			s, ok := scores[x.page]
			if !ok {
				s = m.Score(ls.pages[x.page])
				scores[x.page] = s
			}
			result.Folds[f].add(s.Together[x.at], x.story)
			result.All.add(s.Together[x.at], x.story)
			result.Alone.add(s.Alone[x.at], x.story)
			result.Bare.add(s.Bare[x.at], x.story)
			result.Foreign.add(s.Foreign[x.at], x.story)
		}
	}
	return result, nil
}
