package markup

import (
	"strings"

	"golang.org/x/net/html"
)

// slabs hand out memory for the tree in large pieces.
type slabs struct {
	nodes []html.Node
	attrs []html.Attribute // the used part of a piece
	text  strings.Builder  // strings that differ from the page
	made  int              // nodes handed out
	next  int              // size of the next piece of nodes
	wide  int              // and of the next one of attributes
}

const (
	smallestSlab = 16
	largestSlab  = 256 // some 26 KB: larger ones are slower to get and leave more unused
	textSlab     = 4 << 10
)

func (s *slabs) node() *html.Node {
	if len(s.nodes) == 0 {
		s.nodes = make([]html.Node, s.next)
		s.next = min(2*s.next, largestSlab)
	}
	s.made++
	n := &s.nodes[0]
	s.nodes = s.nodes[1:]
	return n
}

// attr puts an attribute behind those of the same tag, which begin at mark. It
// gives back where they begin now.
func (s *slabs) attr(mark int, a html.Attribute) int {
	if len(s.attrs) == cap(s.attrs) {
		tag := s.attrs[mark:]
		s.moreAttrs(2 * len(tag))
		s.attrs = append(s.attrs, tag...)
		mark = 0
	}
	s.attrs = append(s.attrs, a)
	return mark
}

// moreAttrs begins a new piece with room for n attributes.
func (s *slabs) moreAttrs(n int) {
	s.attrs = make([]html.Attribute, 0, max(s.wide, n))
	s.wide = min(2*s.wide, largestSlab)
}

// cloneAttrs copies attributes, so that two nodes never share them.
func (s *slabs) cloneAttrs(attrs []html.Attribute) []html.Attribute {
	if len(attrs) == 0 {
		return nil
	}
	if cap(s.attrs)-len(s.attrs) < len(attrs) {
		s.moreAttrs(len(attrs))
	}
	mark := len(s.attrs)
	s.attrs = append(s.attrs, attrs...)
	return s.attrs[mark:len(s.attrs):len(s.attrs)]
}

// beginText makes room for a string of up to n bytes, and endText gives back
// what was written since.
func (s *slabs) beginText(n int) (mark int) {
	if s.text.Cap()-s.text.Len() < n {
		s.text = strings.Builder{}
		s.text.Grow(max(textSlab, n))
	}
	return s.text.Len()
}

func (s *slabs) endText(mark int) string { return s.text.String()[mark:] }
