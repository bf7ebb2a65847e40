package wrapper

import "github.com/lede-news/lede/dom"

// proseBefore counts the characters of prose before every node, as a prefix sum:
// text outside links that stands in a block with a sentence's worth of words and
// few links. The pages of the paper had the paragraphs of a story side by side
// under one parent; on newer ones they stand in sections, each in its own
// wrapper, where FormattedContentLen sees none of them.
func proseBefore(d *dom.Document) []int32 {
	sums := make([]int32, d.Len()+1)
	judged := make([]byte, d.Len()) // by block
	const yes, no = 1, 2
	for n := range d.Len() {
		id := dom.Node(n)
		sums[n+1] = sums[n]
		if !d.IsText(id) || d.InLink(id) || d.Chars(id) == 0 {
			continue
		}
		block := d.Parent(id)
		for !d.Tag(block).IsBlock() && d.Parent(block) != dom.None {
			block = d.Parent(block)
		}
		if judged[block] == 0 {
			judged[block] = no
			if isProse(d, block) {
				judged[block] = yes
			}
		}
		if judged[block] == yes {
			sums[n+1] += int32(d.Chars(id))
		}
	}
	return sums
}

// isProse looks at the words of a block itself, without the blocks inside it.
func isProse(d *dom.Document, block dom.Node) bool {
	const sentence, linked = 10, 0.5
	words, links := 0, 0
	for n := block + 1; n < d.End(block); {
		if !d.IsText(n) && (d.Tag(n).IsBlock() || d.Hidden(n)) {
			n = d.End(n)
			continue
		}
		if d.IsText(n) {
			words += d.Words(n)
			if d.InLink(n) {
				links += d.Words(n)
			}
		}
		n++
	}
	return words >= sentence && float64(links) < linked*float64(words)
}
