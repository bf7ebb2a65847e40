package wrapper

import "github.com/lede-news/lede/dom"

// isFormat tells formatting elements: "HTML elements mainly used for
// formatting texts, including" <p>, <b>, <br>, <i> and <strong> (section 3.1.1),
// and those that say the same in newer or older pages.
func isFormat(t dom.Tag) bool {
	switch t {
	case dom.P, dom.Br, dom.B, dom.Strong, dom.I, dom.Em, dom.Font, dom.U:
		return true
	}
	return false
}

// formats are the sums behind the content features of section 3.1.1.
type formats struct {
	num   []int32 // by node: formatting elements among its children
	chars []int32 // by node: characters in them
	// Of the whole page. What stands in several formatting elements is counted
	// once, so that the lengths of apart subtrees add up to the page's.
	allNum, allChars int32
}

// countFormats goes through the page once. A <br> holds no text: it formats the
// text nodes that it parts, those beside it under the same parent.
func countFormats(d *dom.Document) formats {
	f := formats{num: make([]int32, d.Len()), chars: make([]int32, d.Len())}
	breaks := make([]bool, d.Len()) // by node: a <br> is among the children
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		if !d.Hidden(n) && isFormat(d.Tag(n)) {
			f.num[d.Parent(n)]++
			f.allNum++
			breaks[d.Parent(n)] = breaks[d.Parent(n)] || d.Tag(n) == dom.Br
		}
	}
	counted := dom.Node(0) // everything before it
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		p := d.Parent(n)
		if d.Hidden(n) || !isFormat(d.Tag(n)) && !(d.IsText(n) && breaks[p]) {
			continue
		}
		chars := int32(d.Chars(n))
		f.chars[p] += chars
		if n >= counted {
			f.allChars += chars
			counted = d.End(n)
		}
	}
	return f
}

// share is a part of a whole, 0 for a whole of nothing.
func share(part, whole int32) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
