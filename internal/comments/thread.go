package comments

import "github.com/lede-news/lede/dom"

// IsThread reports whether of the place of comments n there are at least two in
// it, or beside it where each has a place of its own. A story in a box that is
// called "comment", as columns are, is no thread.
func IsThread(d *dom.Document, n dom.Node) bool {
	f := finder{doc: d} // nothing of the story is asked for
	items, _ := f.items(n)
	return len(items) > 1 || hasTwin(d, n)
}

// hasTwin reports whether n has a sibling that is called a comment too.
func hasTwin(d *dom.Document, n dom.Node) bool {
	const far = 8 // siblings: between two comments stand names and rules
	back, ahead := n, n
	for range far {
		if back != dom.None {
			back = d.Prev(back)
		}
		if ahead != dom.None {
			ahead = d.Next(ahead)
		}
		for _, m := range [...]dom.Node{back, ahead} {
			if m != dom.None && d.Tag(m) == d.Tag(n) && d.Words(m) > 0 && IsNamed(d, m) {
				return true
			}
		}
	}
	return false
}
