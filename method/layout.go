package method

import "github.com/lede-news/lede/dom"

// Layout is a page as a reader sees it: the place, size and font of every
// node. A browser measures it, or lede estimates it from the markup. A Layout
// does not change once it is made.
type Layout struct {
	Screen        Screen
	Width, Height float64 // of the whole page, in CSS pixels
	Boxes         []Box   // by node; a node that shows nothing has an empty box
	Fonts         []Font  // by node
	Measured      bool    // measured by a browser, not estimated
}

// Box returns the place of a node.
func (l *Layout) Box(n dom.Node) Box { return l.Boxes[n] }

// Shown reports whether a node takes up any space.
func (l *Layout) Shown(n dom.Node) bool { b := l.Boxes[n]; return b.W > 0 && b.H > 0 }

// Screen is the size of the window that a page is shown in, in CSS pixels.
type Screen struct{ Width, Height float64 }

// Box is a rectangle in CSS pixels, measured from the top left corner of the
// page.
type Box struct{ X, Y, W, H float64 }

// Right returns the x coordinate of the right edge.
func (b Box) Right() float64 { return b.X + b.W }

// Bottom returns the y coordinate of the bottom edge.
func (b Box) Bottom() float64 { return b.Y + b.H }

// Font is the type in which the text of a node is set.
type Font struct {
	Size   float64 // in CSS pixels
	Weight int     // 400 is normal, 700 is bold
}
