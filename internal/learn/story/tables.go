package story

import (
	"math"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/blend/blocks"
)

// tally is what the pages of one fold say of the words of a table, a site a voice.
type tally struct {
	sum   [blocks.TableSize]float32 // of the steps in log-odds
	sites [blocks.TableSize]float32
}

// said is how much of what stands with a word is story, and how much there is.
type said map[uint32][2]float64

func (s said) add(place uint32, story, all float64) {
	x := s[place]
	s[place] = [2]float64{x[0] + story, x[1] + all}
}

// tables learns the tables of words. The one of a fold was learned from the
// sites of all other folds, and the last from all.
func tables(all []*Example) []*blocks.Tables {
	names, openings, kinds := make([]tally, Folds), make([]tally, Folds), make([]tally, Folds)
	sites := map[string][]*Example{}
	var order []string
	for _, x := range all {
		if sites[x.Site] == nil {
			order = append(order, x.Site)
		}
		sites[x.Site] = append(sites[x.Site], x)
	}
	for _, site := range order {
		pages := sites[site]
		n, o, k := said{}, said{}, said{}
		for _, x := range pages {
			blocks.EachName(x.Doc, n.add, x.Story)
			blocks.EachOpening(x.Doc, o.add, x.Story)
			if x.Kind == "" {
				continue
			}
			isArticle := 0.0
			if x.Kind == article.TypeArticle {
				isArticle = 1
			}
			blocks.EachKind(x.Doc, x.Gold.URL, func(place uint32) { k.add(place, isArticle, 1) })
		}
		f := pages[0].Fold
		names[f].add(n)
		openings[f].add(o)
		kinds[f].add(k)
	}
	out := make([]*blocks.Tables, Folds+1)
	for k := range out {
		out[k] = new(blocks.Tables)
		fill(&out[k].Names, names, k)
		fill(&out[k].Openings, openings, k)
		fill(&out[k].Kinds, kinds, k)
	}
	return out
}

// add gives a site its voice.
func (t *tally) add(seen said) {
	for place, s := range seen {
		p := (s[0] + 0.5) / (s[1] + 1)
		t.sum[place] += float32(math.Log(p / (1 - p)))
		t.sites[place]++
	}
}

// fill makes a table of all folds but one. A word that few sites know says
// little.
func fill(table *[blocks.TableSize]int8, folds []tally, without int) {
	const doubt = 3 // sites
	for place := range table {
		var sum, sites float64
		for f := range folds {
			if f != without {
				sum += float64(folds[f].sum[place])
				sites += float64(folds[f].sites[place])
			}
		}
		if sites < 2 {
			continue
		}
		x := sum / (sites + doubt) * blocks.Unit
		table[place] = int8(math.Round(max(-127, min(127, x))))
	}
}
