package blocks

import (
	"math"
	"unicode/utf8"

	"github.com/lede-news/lede/dom"
)

// group is all blocks that stand alike: the same path of tags, the same name
// of the nearest element.
type group struct {
	blocks, prose, links    int32
	words, linkWords, stops int32
	first, last             int32
}

// stand is what blocks that stand alike have in common.
type stand struct {
	path dom.Path
	key  uint32
}

// group sorts the blocks by how they stand.
func (v *View) group() {
	v.kin, v.same, v.groups = room(v.kin, len(v.Blocks)), room(v.same, len(v.Blocks)), v.groups[:0]
	if v.stands == nil {
		v.stands, v.texts = make(map[stand]int32, 64), make(map[string]int32, len(v.Blocks))
	}
	clear(v.stands)
	clear(v.texts)
	known, texts := v.stands, v.texts
	for i := range v.Blocks {
		b := &v.Blocks[i]
		s := stand{v.Doc.Path(b.Owner), v.ground[b.Owner].key}
		k, ok := known[s]
		if !ok {
			k = int32(len(v.groups))
			known[s] = k
			v.groups = append(v.groups, group{first: int32(i)})
		}
		v.kin[i] = k
		g := &v.groups[k]
		g.blocks++
		g.words += b.Counts.Words
		g.linkWords += b.Counts.LinkWords
		g.stops += b.Counts.Stops
		g.last = int32(i)
		if b.IsProse() {
			g.prose++
		}
		if b.Counts.LinkDensity() > 0.5 {
			g.links++
		}
		texts[v.opening(i)]++
	}
	for i := range v.Blocks {
		v.same[i] = texts[v.opening(i)]
	}
}

// opening is as much of a block as is looked at.
func (v *View) opening(i int) string {
	text := v.Text(i)
	end := min(len(text), far+1)
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return text[:end]
}

// Together moves the log-odds of blocks that stand alike towards their mean, by a
// share of the way. Two blocks are no group yet.
func (v *View) Together(odds []float32, share float32) {
	const few = 3
	sums := make([]struct{ odds, weight float32 }, len(v.groups))
	for i, x := range odds {
		if i == v.Headline {
			continue
		}
		w := float32(math.Sqrt(float64(v.Blocks[i].Words() + 1)))
		g := &sums[v.kin[i]]
		g.odds += w * max(-sure, min(sure, x))
		g.weight += w
	}
	for i := range odds {
		k := v.kin[i]
		if v.groups[k].blocks >= few && sums[k].weight > 0 {
			odds[i] += share * (sums[k].odds/sums[k].weight - max(-sure, min(sure, odds[i])))
		}
	}
}

// sure is where log-odds are as good as certain.
const sure = 5
