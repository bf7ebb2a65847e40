package blocks

import "github.com/lede-news/lede/dom"

// Block is a run of text between two block boundaries: a paragraph, a heading,
// a menu entry, a line of a text that is broken by empty lines.
type Block struct {
	First, Last dom.Node // text nodes
	Owner       dom.Node // the nearest block element around
	Counts      dom.Counts
}

// Words is how many there are.
func (b *Block) Words() int { return int(b.Counts.Words) }

// IsProse reports whether a block has the length, the marks and the few links
// of a sentence.
func (b *Block) IsProse() bool {
	const long = 8
	return int(b.Counts.Words-b.Counts.LinkWords) >= long && b.Counts.LinkDensity() < 0.4 && (b.Counts.Stops > 0 || b.Counts.Punct > 1)
}

// cut takes the text of the page apart.
func (v *View) cut() {
	d := v.Doc
	list := v.Blocks[:0]
	if list == nil {
		list = make([]Block, 0, d.Counts(0).Texts/2+1)
	}
	v.owners = room(v.owners, d.Len())
	owners := v.owners
	breaks := 0 // line breaks since the last text; an element that breaks the text counts as two
	for k := range owners {
		n := dom.Node(k)
		tag := d.Tag(n)
		switch {
		case tag == dom.Br:
			breaks++
			continue
		case tag.IsBlock():
			owners[n] = n
			if !d.Hidden(n) {
				breaks = 2
			}
			continue
		case n > 0:
			owners[n] = owners[d.Parent(n)]
		}
		if tag != dom.Text || d.Hidden(n) || d.Chars(n) == 0 {
			continue
		}
		if i := len(list) - 1; i >= 0 && list[i].Owner == owners[n] && breaks < 2 {
			list[i].Last = n
		} else {
			list = append(list, Block{First: n, Last: n, Owner: owners[n]})
		}
		breaks = 0
	}
	for i := range list {
		b := &list[i]
		b.Counts = d.Between(b.First, b.Last+1)
	}
	v.Blocks = list
}
