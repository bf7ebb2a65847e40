package wrapper

import (
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// Bodies are the candidates of section 3.3 by screen, the first screen first:
// subtrees whose top border is inside the screen (Observation 1) and that are
// big enough, as is everything around them (Observation 2).
func (s *Scene) Bodies() [][]dom.Node {
	var byScreen [][]dom.Node
	d := s.Doc
	for n := dom.Node(0); int(n) < d.Len(); {
		switch {
		case d.Hidden(n) || d.IsText(n) || !s.mayHold(n):
			n = d.End(n)
			continue
		case isCandidate(d.Tag(n)):
			for len(byScreen) <= int(s.screens[n]) {
				byScreen = append(byScreen, nil)
			}
			byScreen[s.screens[n]] = append(byScreen[s.screens[n]], n)
		}
		n++
	}
	return byScreen
}

// mayHold is BigEnough, and whether there are words at all.
func (s *Scene) mayHold(n dom.Node) bool {
	r := s.rects[n]
	return r.W*r.H >= s.minArea && isShown(r) && s.Doc.Words(n) > 0
}

// isCandidate leaves out what is no element of the page's body.
func isCandidate(t dom.Tag) bool { return t != dom.Root && t != dom.HTML && t != dom.Head }

// Body gives the features of section 3.1 for a subtree.
func (s *Scene) Body(n dom.Node) []float64 {
	r := s.rects[n]
	f := make([]float64, 0, len(BodyFeatures()))
	f = append(f, share(s.formats.num[n], s.formats.allNum), share(s.formats.chars[n], s.formats.allChars))
	f = append(f, s.bodyRect(r, s.screenTop(s.screens[n]))...)
	prose := s.prose[s.Doc.End(n)] - s.prose[n]
	return append(f, share(prose, s.prose[s.Doc.Len()]), share(prose, int32(s.Doc.Chars(n))))
}

// bodyRect normalises a rectangle as in section 3.1.2: by the width of the
// screen and the height of two, and what sticks out of those is cut off. top is
// where the screen begins.
func (s *Scene) bodyRect(r method.Box, top float64) []float64 {
	two := 2 * s.Screen.Height
	y, bottom := max(r.Y-top, 0), max(r.Bottom()-top, 0)
	height := max(min(bottom, two)-y, 0)
	return []float64{r.X / s.Screen.Width, y / two, s.clippedWidth(r), height / two}
}

// clippedWidth is RectWidth for bodies and titles alike. A rectangle right of
// the screen has none.
func (s *Scene) clippedWidth(r method.Box) float64 {
	return max(min(r.Right(), s.Screen.Width)-r.X, 0) / s.Screen.Width
}
