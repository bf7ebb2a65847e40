package label

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

const (
	maxRows    = 100_000 // elements of a page that its tree shows
	maxName    = 40      // characters that name an element
	maxSnippet = 60      // characters of its text
)

// row is an element as the tree beside the page shows it.
type row struct {
	Node  dom.Node `json:"n"`
	Depth int      `json:"d"`
	Name  string   `json:"l"`
	Text  string   `json:"t,omitempty"`
	Words int      `json:"w,omitempty"`
}

// rows are the elements of which a reader sees text or a picture, in the order of the page. Left
// is how many there are beyond those.
func rows(d *dom.Document) (list []row, left int) {
	top := d.First(dom.Body)
	if top == dom.None {
		return []row{}, 0
	}
	list = []row{}
	depth := d.Depth(top)
	for n := top; n < d.End(top); n++ {
		if d.IsText(n) || d.Hidden(n) && n != top {
			continue
		}
		c := d.Counts(n)
		if c.Chars == 0 && c.Images == 0 && n != top {
			continue
		}
		if len(list) == maxRows {
			left++
			continue
		}
		list = append(list, row{n, d.Depth(n) - depth, nameOf(d, n), snippet(d.Text(n), maxSnippet), int(c.Words)})
	}
	return list, left
}

// nameOf names an element as a style sheet would.
func nameOf(d *dom.Document, n dom.Node) string {
	s := d.Name(n)
	if id := strings.TrimSpace(d.AttrOr(n, "id")); id != "" {
		s += "#" + id
	}
	for i, class := range strings.Fields(d.AttrOr(n, "class")) {
		if i == 2 {
			break
		}
		s += "." + class
	}
	return snippet(s, maxName)
}
