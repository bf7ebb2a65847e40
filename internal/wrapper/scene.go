package wrapper

import (
	"math"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/layout"
	"github.com/lede-news/lede/method"
)

// Scene is a page with its layout, as candidates and features see it. It is
// only read once it is made.
type Scene struct {
	Doc    *dom.Document
	Screen method.Screen

	url      string
	types    []method.Font
	rects    []method.Box // by node: the bounding rectangle of its subtree
	screens  []int32      // by node: the screen that its top border is in, from 0
	minArea  float64
	formats  formats
	prose    []int32   // characters before every node
	links    []int32   // to other pages, before every node
	headFont []float64 // by screen: the largest font size up to its end

	said []wordSet // the titles that the page claims to have
}

// NewScene looks at a page through its layout. A layout that is not of this
// page counts as none, and is estimated.
func NewScene(d *dom.Document, url string, l *method.Layout, c Config) *Scene {
	if l == nil || len(l.Boxes) != d.Len() || len(l.Fonts) != d.Len() {
		l = layout.Estimate(d, c.screen())
	}
	s := &Scene{Doc: d, url: url, types: l.Fonts, Screen: l.Screen}
	if !isScreen(s.Screen) {
		s.Screen = c.screen()
	}
	s.minArea = c.MinArea * s.Screen.Width * s.Screen.Height
	s.rects = boundingRects(d, l.Boxes)
	s.screens = s.screensOf()
	s.formats = countFormats(d)
	s.prose = proseBefore(d)
	s.links = s.linksBefore()
	s.headFont = s.largestFonts()
	s.said = saidTitles(d)
	return s
}

// farthest is the most that a page measures, in pixels: browsers end their
// pages at some 33 million.
const farthest = 1 << 25

// boundingRects gives every node its box and, where it has none of its own (a
// parent of floats has no height), the box around all that its children show.
func boundingRects(d *dom.Document, boxes []method.Box) []method.Box {
	rects := make([]method.Box, d.Len())
	for n := d.Len() - 1; n >= 0; n-- { // children before their parents
		id := dom.Node(n)
		if own := sane(boxes[n]); isShown(own) || d.IsText(id) {
			rects[n] = own // what the children show is inside, or sticks out
		}
		if p := d.Parent(id); p != dom.None && isShown(rects[n]) && !isShown(sane(boxes[p])) {
			rects[p] = around(rects[p], rects[n])
		}
	}
	return rects
}

// sane is the box without what stands left of the page or above it, so that
// features stay numbers whatever a page says of itself.
func sane(b method.Box) method.Box {
	x, y, right, bottom := b.X, b.Y, b.Right(), b.Bottom()
	for _, edge := range []*float64{&x, &y, &right, &bottom} {
		if math.IsNaN(*edge) {
			return method.Box{}
		}
		*edge = min(max(*edge, 0), farthest)
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

// lastScreen holds what is further down too: no reader goes there for a story.
const lastScreen = 63

// screensOf says in which screen the traversals of Figures 11 and 12 come upon
// a node: that of its top border, but not before that of its parent, since
// "if the top border of T is outside the first screen … there is no need for
// further traversal on T".
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

// screenTop is where a screen begins on the page.
func (s *Scene) screenTop(screen int32) float64 { return float64(screen) * s.Screen.Height }

// ScreenOf is the screen that a candidate is met in: 0 for the first.
func (s *Scene) ScreenOf(n dom.Node) int { return int(s.screens[n]) }

// Rect is the bounding rectangle of a subtree.
func (s *Scene) Rect(n dom.Node) method.Box { return s.rects[n] }

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
