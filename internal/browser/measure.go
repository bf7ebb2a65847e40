package browser

import (
	"strconv"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// measure turns a snapshot into a layout by the numbers of the document.
func measure(doc *dom.Document, t *tree, s *snapshot, screen method.Screen) (*method.Layout, *Styles, error) {
	places, err := t.match(s)
	if err != nil {
		return nil, nil, err
	}
	page := s.Documents[0]
	l := &method.Layout{
		Screen: screen, Width: page.Width, Height: page.Height, Measured: true,
		Boxes: make([]method.Box, doc.Len()), Fonts: make([]method.Font, doc.Len()),
	}
	w := newWardrobe(doc.Len())
	for i, at := range page.Layout.Node {
		if at < 0 || int(at) >= len(places) || places[at] < 0 {
			continue
		}
		n := t.nodes[places[at]].id
		if n == dom.None {
			continue
		}
		if i < len(page.Layout.Bounds) {
			l.Boxes[n] = union(l.Boxes[n], boxOf(page.Layout.Bounds[i]))
		}
		if i < len(page.Layout.Styles) && !doc.IsText(n) {
			w.hang(n, page.Layout.Styles[i], s)
		}
	}
	inherit(doc, l, w)
	return l, &w.Styles, nil
}

// inherit gives texts the style of their elements, elements without a box of
// their own (display: contents) that of what they hold, and the document all of
// the page.
func inherit(doc *dom.Document, l *method.Layout, w *wardrobe) {
	types := make([]method.Font, len(w.sets))
	for i := range w.sets {
		types[i] = typeOf(&w.sets[i])
	}
	for n := dom.Node(1); int(n) < doc.Len(); n++ {
		if doc.IsText(n) {
			w.of[n] = w.of[doc.Parent(n)]
		}
		if at := w.of[n]; at >= 0 {
			l.Fonts[n] = types[at]
		}
	}
	for n := dom.Node(doc.Len() - 1); n > 0; n-- {
		if p := doc.Parent(n); p > 0 && w.of[p] < 0 {
			l.Boxes[p] = union(l.Boxes[p], l.Boxes[n])
		}
	}
	l.Boxes[0] = method.Box{W: l.Width, H: l.Height}
}

// typeOf reads "16px" and "700".
func typeOf(s *set) method.Font {
	size, _ := strconv.ParseFloat(strings.TrimSuffix(s[FontSize], "px"), 64)
	weight, _ := strconv.ParseFloat(s[FontWeight], 64)
	return method.Font{Size: size, Weight: int(weight)}
}

func boxOf(b []float64) method.Box {
	if len(b) != 4 {
		return method.Box{}
	}
	return method.Box{X: b[0], Y: b[1], W: b[2], H: b[3]}
}

// union is the smallest box around both. A box without room counts for nothing.
func union(a, b method.Box) method.Box {
	switch {
	case a.W <= 0 && a.H <= 0:
		return b
	case b.W <= 0 && b.H <= 0:
		return a
	}
	x, y := min(a.X, b.X), min(a.Y, b.Y)
	return method.Box{X: x, Y: y, W: max(a.Right(), b.Right()) - x, H: max(a.Bottom(), b.Bottom()) - y}
}
