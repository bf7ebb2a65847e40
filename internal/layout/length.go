package layout

import (
	"math"

	"github.com/lede-news/lede/method"
)

// length is a used-value-to-be: pixels plus a share of a base that only the
// layout knows, so that calc(100% - 20px) needs nothing special.
type length struct{ px, pct float32 }

// Two lengths are words: auto (and none, for max-width) and fit, the
// content's own width. Shares of real lengths never reach these numbers.
const (
	autoMark = math.MaxFloat32
	fitMark  = -math.MaxFloat32
)

var (
	auto = length{pct: autoMark}
	fit  = length{pct: fitMark}
)

func (l length) isAuto() bool { return l.pct == autoMark }
func (l length) isFit() bool  { return l.pct == fitMark }

// set reports whether l says how long it is.
func (l length) set() bool { return l.pct != autoMark && l.pct != fitMark }

// of resolves l against its base; words are 0.
func (l length) of(base float64) float64 {
	if !l.set() {
		return 0
	}
	return float64(l.px) + float64(l.pct)*base
}

// Everything on a page is kept within these bounds, so that sums of them stay
// exact enough and never become infinite.
const (
	maxLength = 1e6 // of one length, in pixels
	maxPage   = 1e9 // of the whole page
)

// bound makes any number a length of a sane size; NaN is 0.
func bound(v float64) float32 {
	switch {
	case v != v:
		return 0
	case v > maxLength:
		return maxLength
	case v < -maxLength:
		return -maxLength
	}
	return float32(v)
}

// relative is a length as a style sheet says it, before the font sizes that
// it depends on are known.
type relative struct{ px, pct, em, rem float32 }

func (r relative) resolve(em, rem float32) length {
	return length{
		px:  bound(float64(r.px + r.em*em + r.rem*rem)),
		pct: bound(float64(r.pct)),
	}
}

// nominal is what r comes to on a usual page, to choose between the arguments
// of min(), max() and clamp() while the sheet is read.
func (r relative) nominal(screen method.Screen) float64 {
	const usual = 16
	return float64(r.px) + usual*float64(r.em+r.rem) + float64(r.pct)*screen.Width
}

func (r relative) add(s relative, sign float32) relative {
	return relative{r.px + sign*s.px, r.pct + sign*s.pct, r.em + sign*s.em, r.rem + sign*s.rem}
}

func (r relative) times(f float32) relative {
	return relative{r.px * f, r.pct * f, r.em * f, r.rem * f}
}
