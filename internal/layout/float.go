package layout

import (
	"math"

	"github.com/lede-news/lede/dom"
)

// floats are the floats of a block formatting context, by side.
type floats struct{ left, right []floated }

// floated is where a float ends: its edge towards the text, and its top and
// bottom, margins included.
type floated struct{ edge, top, bottom float64 }

// maxFloats is how many floats stand beside one another on a side at most;
// of more, the topmost no longer keeps text away.
const maxFloats = 32

// band is the room between the floats at y.
func (fs *floats) band(y, lo, hi float64) (float64, float64) {
	for _, f := range fs.left {
		if f.top <= y+0.5 && y < f.bottom-0.5 {
			lo = max(lo, f.edge)
		}
	}
	for _, f := range fs.right {
		if f.top <= y+0.5 && y < f.bottom-0.5 {
			hi = min(hi, f.edge)
		}
	}
	return lo, hi
}

// fit is the first place from y on down where w fits between the floats, or
// where there are none (CSS 2.2 §9.5.1).
func (fs *floats) fit(y, w, lo, hi float64) float64 {
	for range 2 * maxFloats {
		l, r := fs.band(y, lo, hi)
		if r-l >= w-0.5 || l == lo && r == hi {
			return y
		}
		next := math.Inf(1)
		for _, side := range [...][]floated{fs.left, fs.right} {
			for _, f := range side {
				if f.bottom > y+0.5 {
					next = min(next, f.bottom)
				}
			}
		}
		if math.IsInf(next, 1) {
			return y
		}
		y = next
	}
	return y
}

func lowest(side []floated) float64 {
	y := math.Inf(-1)
	for _, f := range side {
		y = max(y, f.bottom)
	}
	return y
}

func (fs *floats) bottom() float64 { return max(lowest(fs.left), lowest(fs.right)) }

// add keeps the lowest of the floats when there are too many.
func add(side []floated, f floated) []floated {
	if len(side) < maxFloats {
		return append(side, f)
	}
	gone := 0
	for i := range side {
		if side[i].bottom < side[gone].bottom {
			gone = i
		}
	}
	side[gone] = f
	return side
}

// floatBox places a float: as high as it may stand, as far out as there is room.
func (e *estimator) floatBox(f *flow, n dom.Node, s *style) {
	base := f.cur.w
	m := s.margins(base)
	w := e.shrinkWidth(n, s, base, base)
	outer := max(0, w+m.across())
	y := f.y + f.margin.sum()
	if f.line.open {
		y = f.line.y
		if f.line.used+f.line.space+outer > f.line.right-f.line.left {
			y += f.line.above + f.line.below // below the line that is being set
		}
	}
	for _, side := range [...][]floated{f.left, f.right} { // not above an earlier float
		if k := len(side); k > 0 {
			y = max(y, side[k-1].top)
		}
	}
	if c := s.word(clear); c == left || c == both {
		y = max(y, lowest(f.left))
	}
	if c := s.word(clear); c == right || c == both {
		y = max(y, lowest(f.right))
	}
	y = f.fit(y, outer, f.cur.x, f.cur.x+base)
	lo, hi := f.band(y, f.cur.x, f.cur.x+base)
	toLeft := s.word(float) == left
	x := lo + m.left
	if !toLeft {
		x = hi - outer + m.left
	}
	h := max(0, e.box(n, x, y+m.top, w)+m.down())
	if toLeft {
		f.left = add(f.left, floated{lo + outer, y, y + h})
	} else {
		f.right = add(f.right, floated{hi - outer, y, y + h})
	}
	if f.line.open && y <= f.line.y {
		f.line.left, f.line.right = f.band(f.line.y, f.cur.x, f.cur.x+base)
	}
}
