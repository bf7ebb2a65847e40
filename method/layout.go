package method

import "github.com/lede-news/lede/dom"

// Layout is the place, size and font of every node of a page, measured by a
// browser or estimated from the markup. It must not be changed.
type Layout struct {
	Screen        Screen
	Width, Height float64 // of the whole page, in CSS pixels
	Boxes         []Box   // indexed by node; empty for a node that shows nothing
	Fonts         []Font  // indexed by node
	Measured      bool    // whether a browser measured it
}

// Box returns the place of a node.
func (l *Layout) Box(n dom.Node) Box { return l.Boxes[n] }

// Shown reports whether a node takes up any space.
func (l *Layout) Shown(n dom.Node) bool { b := l.Boxes[n]; return b.W > 0 && b.H > 0 }

// Screen is the size of the browser window, in CSS pixels.
type Screen struct{ Width, Height float64 }

// Box is a rectangle in CSS pixels, measured from the top left corner of the
// page.
type Box struct{ X, Y, W, H float64 }

// Right returns the x coordinate of the right edge.
func (b Box) Right() float64 { return b.X + b.W }

// Bottom returns the y coordinate of the bottom edge.
func (b Box) Bottom() float64 { return b.Y + b.H }

// Font is the font that the text of a node is shown in.
type Font struct {
	Size   float64 // in CSS pixels
	Weight int     // 400 is normal, 700 is bold
}
