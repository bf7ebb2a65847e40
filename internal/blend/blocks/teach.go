package blocks

import "github.com/lede-news/lede/dom"

// EachName goes through the words of the names on a page with what there is to
// learn of each: how much of the text under such a name is story, the share of
// which is told by block.
func EachName(d *dom.Document, do func(place uint32, story, all float64), share []float32) {
	v := &View{Doc: d}
	v.cut()
	list := v.Blocks
	sums := make([][2]float64, d.Len()+1)
	i := 0
	for n := range sums[1:] {
		sums[n+1] = sums[n]
		if i < len(list) && dom.Node(n) == list[i].First {
			w := float64(list[i].Words())
			sums[n+1][0] += w * float64(share[i])
			sums[n+1][1] += w
			i++
		}
	}
	total := sums[d.Len()]
	if total[0] == 0 {
		return
	}
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		if d.IsText(n) || d.Hidden(n) || d.Chars(n) == 0 || d.Tag(n) == dom.Body || d.Tag(n) == dom.HTML {
			continue
		}
		in, all := sums[d.End(n)][0]-sums[n][0], sums[d.End(n)][1]-sums[n][1]
		if all == 0 {
			continue
		}
		// In the units of a tenth of a page, so that a long element is no
		// louder than it should be.
		scale := min(all/total[1]*10, 1) / all
		say := func(place uint32) { do(place, in*scale, all*scale) }
		eachName(d.AttrOr(n, "class"), say)
		eachName(d.AttrOr(n, "id"), say)
	}
}

// EachOpening is EachName for the words that blocks begin and end with.
func EachOpening(d *dom.Document, do func(place uint32, story, all float64), share []float32) {
	v := &View{Doc: d}
	v.cut()
	for i := range v.Blocks {
		for _, place := range appendOpenings(nil, v.Text(i)) {
			do(place, float64(share[i]), 1)
		}
	}
}
