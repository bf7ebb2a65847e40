// Package layout is a page as a reader sees it: where every node stands, how
// large, and in what type. A browser measures it; Estimate guesses it from the
// markup alone.
package layout

import "github.com/lede-news/lede/dom"

// Screen is the part of a page that a reader sees at first, in CSS pixels.
type Screen struct{ Width, Height float64 }

// Box is a rectangle in CSS pixels from the top left corner of the page.
type Box struct{ X, Y, W, H float64 }

// Right and Bottom are the far edges.
func (b Box) Right() float64  { return b.X + b.W }
func (b Box) Bottom() float64 { return b.Y + b.H }

// Type is how the text of a node is set.
type Type struct {
	Size   float64 // of the font, in CSS pixels
	Weight int     // 400 is normal, 700 bold
}

// Layout is where the nodes of a document stand. Nodes that show nothing have
// an empty box. It is never changed once it is made.
type Layout struct {
	Screen        Screen
	Width, Height float64 // of the whole page
	Boxes         []Box   // by node
	Types         []Type  // by node
	// Measured says that a browser has measured it; else it is an estimate.
	Measured bool
}

// Box is where a node stands.
func (l *Layout) Box(n dom.Node) Box { return l.Boxes[n] }

// Shown reports whether a node takes any room.
func (l *Layout) Shown(n dom.Node) bool { b := l.Boxes[n]; return b.W > 0 && b.H > 0 }
