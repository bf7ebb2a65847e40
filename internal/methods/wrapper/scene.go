package wrapper

import (
	"math"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/layout"
	"github.com/lede-news/lede/method"
)

// Scene is a page with its layout, from which candidates and features are
// computed. It is read-only.
type Scene struct {
	Doc    *dom.Document
	Screen method.Screen

	paper bool // to the letter of the paper

	url      string
	fonts    []method.Font
	rects    []method.Box // by node: the bounding rectangle of its subtree
	screens  []int32      // by node: the screen of its top border, from 0
	formats  formats
	prose    []int32   // by node: characters of prose before it
	links    []int32   // by node: links to other pages before it
	headFont []float64 // by screen: the largest font size up to its end

	titles []wordSet // in the head of the page
}

// NewScene returns the scene of a page. If the layout is nil or of another page, it
// is estimated.
func NewScene(d *dom.Document, url string, l *method.Layout, c Config) *Scene {
	estimated := method.Screen{Width: ScreenWidth, Height: ScreenHeight}
	if l == nil || len(l.Boxes) != d.Len() || len(l.Fonts) != d.Len() {
		l = layout.Estimate(d, estimated)
	}
	s := &Scene{Doc: d, url: url, fonts: l.Fonts, Screen: l.Screen, paper: c.paper}
	if !isScreen(s.Screen) {
		s.Screen = estimated
	}
	s.rects = boundingRects(d, l.Boxes)
	s.screens = s.screensOf()
	s.formats = s.countFormats()
	s.prose = proseBefore(d)
	s.links = s.linksBefore()
	s.headFont = s.largestFonts()
	s.titles = headTitles(d)
	return s
}

// maxSize is the maximum width and height of a page in pixels, as in browsers.
const maxSize = 1 << 25

// boundingRects returns the box of every node or, if it is empty (a parent of
// floats has no height), the box around its visible children.
func boundingRects(d *dom.Document, boxes []method.Box) []method.Box {
	rects := make([]method.Box, d.Len())
	for n := d.Len() - 1; n >= 0; n-- { // children before their parents
		id := dom.Node(n)
		if own := clip(boxes[n]); isShown(own) || d.IsText(id) {
			rects[n] = own // children are inside, or overflow
		}
		if p := d.Parent(id); p != dom.None && isShown(rects[n]) && !isShown(clip(boxes[p])) {
			rects[p] = around(rects[p], rects[n])
		}
	}
	return rects
}

// clip clips a box to the page, so that features stay finite.
func clip(b method.Box) method.Box {
	x, y, right, bottom := b.X, b.Y, b.Right(), b.Bottom()
	for _, edge := range []*float64{&x, &y, &right, &bottom} {
		if math.IsNaN(*edge) {
			return method.Box{}
		}
		*edge = min(max(*edge, 0), maxSize)
	}
	return method.Box{X: x, Y: y, W: max(right-x, 0), H: max(bottom-y, 0)}
}

func isShown(b method.Box) bool { return b.W > 0 && b.H > 0 }

func around(a, b method.Box) method.Box {
	if !isShown(a) {
		return b
	}
	x, y := min(a.X, b.X), min(a.Y, b.Y)
	return method.Box{X: x, Y: y, W: max(a.Right(), b.Right()) - x, H: max(a.Bottom(), b.Bottom()) - y}
}

// lastScreen includes everything further down: no reader goes there for an article.
const lastScreen = 63

// screensOf returns the screen in which the traversals of Figures 11 and 12 visit a
// node: that of its top border, but not before that of its parent, since "if the
// top border of T is outside the first screen … there is no need for further
// traversal on T".
func (s *Scene) screensOf() []int32 {
	screens := make([]int32, s.Doc.Len())
	for n := range screens {
		if isShown(s.rects[n]) {
			screens[n] = int32(min(s.rects[n].Y/s.Screen.Height, lastScreen))
		}
		if p := s.Doc.Parent(dom.Node(n)); p != dom.None {
			screens[n] = max(screens[n], screens[p])
		}
	}
	return screens
}

// screenTop returns the y coordinate of the top of a screen.
func (s *Scene) screenTop(screen int32) float64 { return float64(screen) * s.Screen.Height }

// ScreenOf returns the screen of a candidate, from 0.
func (s *Scene) ScreenOf(n dom.Node) int { return int(s.screens[n]) }

// Rect returns the bounding rectangle of a subtree.
func (s *Scene) Rect(n dom.Node) method.Box { return s.rects[n] }

// isFormat reports whether a tag is a formatting element: "HTML elements mainly used
// for formatting texts, including" <p>, <b>, <br>, <i> and <strong> (section 3.1.1;
// our copy of the paper has lost two of the five names, here <b> and <strong>), and
// their newer or older equivalents.
func (s *Scene) isFormat(t dom.Tag) bool {
	switch t {
	case dom.P, dom.Br, dom.B, dom.Strong, dom.I:
		return true
	case dom.Em, dom.Font, dom.U:
		return !s.paper
	}
	return false
}

// formats holds the sums for the content features of section 3.1.1.
type formats struct {
	num              []int32 // by node: formatting elements among its children
	chars            []int32 // by node: characters in them
	allNum, allChars int32   // of the whole page
}

// countFormats counts formatting elements. A <br> has no text: it formats the text
// nodes under the same parent. Text in several nested formatting elements is counted
// once for the page, so that the lengths of disjoint subtrees add up to the page's.
// The paper has neither rule: only the text "contained in" a formatting element
// counts, and that of every one is in the sum.
func (s *Scene) countFormats() formats {
	d := s.Doc
	f := formats{num: make([]int32, d.Len()), chars: make([]int32, d.Len())}
	breaks := make([]bool, d.Len()) // by node: has a <br> as a child
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		if !d.Hidden(n) && s.isFormat(d.Tag(n)) {
			f.num[d.Parent(n)]++
			f.allNum++
			breaks[d.Parent(n)] = breaks[d.Parent(n)] || d.Tag(n) == dom.Br && !s.paper
		}
	}
	counted := dom.Node(0) // everything before it is counted
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		p := d.Parent(n)
		if d.Hidden(n) || !s.isFormat(d.Tag(n)) && !(d.IsText(n) && breaks[p]) {
			continue
		}
		chars := int32(d.Chars(n))
		f.chars[p] += chars
		if n >= counted || s.paper {
			f.allChars += chars
			counted = d.End(n)
		}
	}
	return f
}

// proseBefore returns the number of characters of prose before every node: text
// outside links in a block with the words of a sentence and few links. On the pages
// of the paper the paragraphs of an article had one parent; on newer ones they are in
// sections and wrappers of their own, where FormattedContentLen finds none of them.
func proseBefore(d *dom.Document) []int32 {
	const minWords, maxLinks = 10, 0.5
	blocks := make([]dom.Node, d.Len()) // by node: the closest block
	counts := make([]struct{ words, links int }, d.Len())
	for n := dom.Node(1); int(n) < d.Len(); n++ {
		if blocks[n] = n; d.IsText(n) || !d.Tag(n).IsBlock() {
			blocks[n] = blocks[d.Parent(n)]
		}
		if d.IsText(n) {
			c := &counts[blocks[n]]
			c.words += d.Words(n)
			if d.InLink(n) {
				c.links += d.Words(n)
			}
		}
	}
	sums := make([]int32, d.Len()+1)
	for n := range dom.Node(d.Len()) {
		sums[n+1] = sums[n]
		c := &counts[blocks[n]]
		if d.IsText(n) && !d.InLink(n) && c.words >= minWords && float64(c.links) < maxLinks*float64(c.words) {
			sums[n+1] += int32(d.Chars(n))
		}
	}
	return sums
}
