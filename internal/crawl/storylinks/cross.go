package storylinks

import (
	"context"
	"math"
)

// Figures are the quality of verdicts.
type Figures struct {
	Links, Right, Found, Stories int // all links, those rightly called stories, those called stories, stories
}

// Precision is the share of stories among the links called stories.
func (f Figures) Precision() float64 { return float64(f.Right) / math.Max(1, float64(f.Found)) }

// Recall is the share of the stories that were found.
func (f Figures) Recall() float64 { return float64(f.Right) / math.Max(1, float64(f.Stories)) }

// F1 is the harmonic mean of precision and recall.
func (f Figures) F1() float64 { return 2 * float64(f.Right) / math.Max(1, float64(f.Found+f.Stories)) }

func (f *Figures) add(found, story bool) {
	f.Links++
	if found {
		f.Found++
	}
	if story {
		f.Stories++
	}
	if found && story {
		f.Right++
	}
}

// Sum adds figures.
func (f Figures) Sum(g Figures) Figures {
	return Figures{f.Links + g.Links, f.Right + g.Right, f.Found + g.Found, f.Stories + g.Stories}
}

// Cross is the result of a cross-validation.
type Cross struct {
	Folds   []Figures // with texts, the links of a site on one page
	Alone   Figures   // each link on a page of its own
	Bare    Figures   // addresses only
	Foreign Figures   // each link alone, of an unknown site unless it is relative
	Scores  []float64 // of each label
}

// All returns the figures of all folds together.
func (c *Cross) All() (all Figures) {
	for _, f := range c.Folds {
		all = all.Sum(f)
	}
	return all
}

// CrossValidate trains on the labels of most sites and judges those of the others.
func CrossValidate(ctx context.Context, labels []Label, o TrainOptions) (*Cross, error) {
	n := o.Folds
	if n == 0 {
		n = 10
	}
	ls := newLesson(labels)
	all := make([]int, len(labels))
	for i := range all {
		all[i] = i
	}
	folds := ls.folds(all, n, o.Seed)
	result := &Cross{Folds: make([]Figures, n), Scores: make([]float64, len(labels))}
	for f := range n {
		var learn []int
		for i := range all {
			if folds[i] != f {
				learn = append(learn, i)
			}
		}
		m, err := ls.train(ctx, learn, o.Seed)
		if err != nil {
			return nil, err
		}
		for i := range ls.examples {
			if folds[i] != f || ls.examples[i].at != 0 {
				continue
			}
			ls.judgeSite(m, ls.examples[i].page, &result.Folds[f], result)
		}
	}
	return result, nil
}

// judgeSite judges the links of a site by a model.
func (ls *lesson) judgeSite(m *Model, site int, figures *Figures, result *Cross) {
	p := &ls.pages[site]
	scores := m.scoreLinks(p.links)
	bare := make([]candidate, len(p.links))
	for i, l := range p.links {
		bare[i] = l
		bare[i].text, bare[i].words = "", nil
	}
	noText := m.scoreLinks(bare)
	foreign := make([]candidate, len(p.links))
	for i, l := range p.links {
		foreign[i] = l
		if l.host != p.base.host {
			foreign[i].same = 0
		}
	}
	unknown := m.scoreLinks(foreign)
	alone := append([]float32(nil), scores...)
	p.spread(scores)
	p.spread(noText)
	for i := range ls.examples {
		x := &ls.examples[i]
		if x.page != site {
			continue
		}
		figures.add(scores[x.at] > 0, x.story)
		result.Alone.add(alone[x.at] > 0, x.story)
		result.Foreign.add(unknown[x.at] > 0, x.story)
		result.Bare.add(noText[x.at] > 0, x.story)
		result.Scores[i] = float64(scores[x.at])
	}
}
