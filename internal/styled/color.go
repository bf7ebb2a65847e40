package styled

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Color is an opaque colour, or none at all: the zero Color.
type Color struct {
	R, G, B uint8
	Set     bool
}

// RGB is the colour of three shares from 0 to 255.
func RGB(r, g, b uint8) Color { return Color{r, g, b, true} }

// String is the colour as a style sheet has it: #rrggbb, or empty for none.
func (c Color) String() string {
	if !c.Set {
		return ""
	}
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

var (
	black = RGB(0, 0, 0)
	white = RGB(255, 255, 255)
)

// mix is c with a share of d in it, from 0 to 1.
func (c Color) mix(d Color, share float64) Color {
	m := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*share)) }
	return RGB(m(c.R, d.R), m(c.G, d.G), m(c.B, d.B))
}

// luminance is the relative luminance of WCAG 2.2.
func (c Color) luminance() float64 {
	lin := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
}

// contrast is the contrast ratio of WCAG 2.2, from 1 to 21.
func contrast(a, b Color) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// minContrast is what WCAG 2.2 asks of text at level AA.
const minContrast = 4.5

// on is c if it can be read on a ground, and otherwise as little as needed
// nearer to black or white.
func (c Color) on(ground Color) Color {
	ink := black
	if contrast(white, ground) > contrast(black, ground) {
		ink = white
	}
	for share := 0.0; share < 1; share += 1.0 / 32 {
		if m := c.mix(ink, share); contrast(m, ground) >= minContrast {
			return m
		}
	}
	return ink
}

// paint is a colour that lets some of what is under it through.
type paint struct {
	Color
	alpha float64
}

// over is what is seen of p on a ground.
func (p paint) over(ground Color) Color { return ground.mix(p.Color, p.alpha) }

// parsePaint reads a colour: #rgb, #rrggbb, rgb(), rgba(), color(srgb …) or a name.
// Anything else is refused.
func parsePaint(s string) (paint, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if len(s) > 64 {
		return paint{}, false
	}
	switch {
	case strings.HasPrefix(s, "#"):
		return parseHex(s[1:])
	case s == "transparent":
		return paint{Color: black}, true
	case strings.HasSuffix(s, ")"):
		name, args, _ := strings.Cut(strings.TrimSuffix(s, ")"), "(")
		switch name {
		case "rgb", "rgba":
			return parseShares(args, 255)
		case "color":
			if rest, ok := strings.CutPrefix(args, "srgb "); ok {
				return parseShares(rest, 1)
			}
		}
		return paint{}, false
	}
	hex, ok := namedColors[s]
	if !ok {
		return paint{}, false
	}
	return paint{RGB(uint8(hex>>16), uint8(hex>>8), uint8(hex)), 1}, true
}

func parseHex(s string) (paint, bool) {
	if len(s) == 3 || len(s) == 4 {
		var long strings.Builder
		for _, c := range []byte(s) {
			long.Write([]byte{c, c})
		}
		s = long.String()
	}
	if len(s) == 6 {
		s += "ff"
	}
	v, err := strconv.ParseUint(s, 16, 32)
	if err != nil || len(s) != 8 {
		return paint{}, false
	}
	return paint{RGB(uint8(v>>24), uint8(v>>16), uint8(v>>8)), float64(v&0xFF) / 255}, true
}

// parseShares reads three shares and perhaps how much they cover; full is what
// a whole share is when it is no percentage.
func parseShares(s string, full float64) (paint, bool) {
	f := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '/' })
	if len(f) != 3 && len(f) != 4 {
		return paint{}, false
	}
	share := func(s string, full float64) (float64, bool) {
		if n, ok := strings.CutSuffix(s, "%"); ok {
			s, full = n, 100
		}
		v, ok := parseNumber(s)
		return min(max(v/full, 0), 1), ok
	}
	alpha := 1.0
	if len(f) == 4 {
		var ok bool
		if alpha, ok = share(f[3], 1); !ok {
			return paint{}, false
		}
	}
	var c [3]uint8
	for i := range c {
		v, ok := share(f[i], full)
		if !ok {
			return paint{}, false
		}
		c[i] = uint8(math.Round(v * 255))
	}
	return paint{RGB(c[0], c[1], c[2]), alpha}, true
}
