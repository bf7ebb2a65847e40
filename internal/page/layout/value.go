package layout

import (
	"math"

	"github.com/lede-news/lede/internal/page/css"
)

// declaration is one property set to a value.
type declaration struct {
	property property
	value    value
}

// value is the value of one property. A keyword has its word.
type value struct {
	css.Value
	word word
}

func pixels(px float32) value {
	return value{Value: css.Value{Kind: css.Size, Length: css.Length{Px: px}}}
}

func number(f float32) value {
	return value{Value: css.Value{Kind: css.Number, Length: css.Length{Px: f}}}
}

func text(s string) value { return value{Value: css.Value{Kind: css.Text, Text: s}} }

// isLength takes any number for a length, as pages without a doctype do (the
// "unitless length quirk").
func (v *value) isLength() bool { return v.Kind == css.Size || v.Kind == css.Number }

// viewport is the screen, on which values depend.
type viewport struct{ css.Screen }

// component reads the first component of s and returns the rest.
func (c viewport) component(s string) (v value, rest string, ok bool) {
	v.Value, rest, ok = c.Component(s)
	if v.Kind == css.Word {
		v.word = wordOf(v.Text)
	}
	return v, rest, ok
}

// maxValue is the longest value that is read; longer ones are data URLs.
const maxValue = 1000

// knows reports whether a property affects the layout.
func knows(name string) bool { return readers()[name] != nil }

// read reads the value of a property, a shorthand into its parts.
func (c viewport) read(out []declaration, name, val string) []declaration {
	if len(val) > maxValue {
		return out
	}
	return readers()[name](c, val, out)
}

// wideWord returns inherit, initial, unset or revert, which every property takes.
func wideWord(val string) word {
	if w := wordOf(val); w >= inherit && w <= revert {
		return w
	}
	return noWord
}

// length is pixels and a share of a size that is known during layout, such as
// calc(100% - 20px).
type length struct{ px, pct float32 }

// Two lengths are keywords: auto (and none, for max-width) and fit, the width of
// the content. Other lengths never have these shares.
const (
	autoMark = math.MaxFloat32
	fitMark  = -math.MaxFloat32
)

var (
	auto = length{pct: autoMark}
	fit  = length{pct: fitMark}
)

func (l length) isAuto() bool { return l.pct == autoMark }

// isSet reports whether l is not a keyword.
func (l length) isSet() bool { return l.pct != autoMark && l.pct != fitMark }

// of resolves l against its base; keywords are 0.
func (l length) of(base float64) float64 {
	if !l.isSet() {
		return 0
	}
	return float64(l.px) + float64(l.pct)*base
}

// maxPage bounds the size of a page, in pixels, as css.MaxLength does lengths.
const maxPage = 1e9

// resolve computes a length for an element with the font size em.
func resolve(l css.Length, em, rem float32) length {
	return length{
		px:  css.Bound(float64(l.Px + l.Em*em + l.Rem*rem)),
		pct: css.Bound(float64(l.Percent)),
	}
}
