package styled

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Color is an opaque colour. The zero Color is none.
type Color struct {
	R, G, B uint8
	Set     bool
}

// RGB returns the colour of three values from 0 to 255.
func RGB(r, g, b uint8) Color { return Color{r, g, b, true} }

// String returns the colour as #rrggbb, or the empty string for none.
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

// mix returns c mixed with a share of d from 0 to 1.
func (c Color) mix(d Color, share float64) Color {
	m := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*share)) }
	return RGB(m(c.R, d.R), m(c.G, d.G), m(c.B, d.B))
}

// luminance returns the relative luminance of WCAG 2.2.
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

// contrast returns the contrast ratio of WCAG 2.2, from 1 to 21.
func contrast(a, b Color) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// minContrast is what WCAG 2.2 requires of text at level AA.
const minContrast = 4.5

// on returns c if it has enough contrast with a background, and otherwise the
// nearest mixture with black or white that has.
func (c Color) on(background Color) Color {
	ink := black
	if contrast(white, background) > contrast(black, background) {
		ink = white
	}
	for share := 0.0; share < 1; share += 1.0 / 32 {
		if m := c.mix(ink, share); contrast(m, background) >= minContrast {
			return m
		}
	}
	return ink
}

// translucent is a colour with an opacity.
type translucent struct {
	Color
	alpha float64
}

// over returns the colour that p has on a background.
func (p translucent) over(background Color) Color { return background.mix(p.Color, p.alpha) }

// parseColor reads #rgb, #rrggbb, rgb(), rgba(), color(srgb …) or a name.
func parseColor(s string) (translucent, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if len(s) > 64 {
		return translucent{}, false
	}
	switch {
	case strings.HasPrefix(s, "#"):
		return parseHex(s[1:])
	case s == "transparent":
		return translucent{Color: black}, true
	case strings.HasSuffix(s, ")"):
		name, args, _ := strings.Cut(strings.TrimSuffix(s, ")"), "(")
		switch name {
		case "rgb", "rgba":
			return parseChannels(args, 255)
		case "color":
			if rest, ok := strings.CutPrefix(args, "srgb "); ok {
				return parseChannels(rest, 1)
			}
		}
		return translucent{}, false
	}
	hex, ok := namedColors[s]
	if !ok {
		return translucent{}, false
	}
	return translucent{RGB(uint8(hex>>16), uint8(hex>>8), uint8(hex)), 1}, true
}

func parseHex(s string) (translucent, bool) {
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
		return translucent{}, false
	}
	return translucent{RGB(uint8(v>>24), uint8(v>>16), uint8(v>>8)), float64(v&0xFF) / 255}, true
}

// parseChannels reads three channels and an optional opacity. full is the largest
// value of a channel that is not a percentage.
func parseChannels(s string, full float64) (translucent, bool) {
	f := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '/' })
	if len(f) != 3 && len(f) != 4 {
		return translucent{}, false
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
			return translucent{}, false
		}
	}
	var c [3]uint8
	for i := range c {
		v, ok := share(f[i], full)
		if !ok {
			return translucent{}, false
		}
		c[i] = uint8(math.Round(v * 255))
	}
	return translucent{RGB(c[0], c[1], c[2]), alpha}, true
}

// namedColors are those of CSS Color 4, section 6.1.
var namedColors = map[string]uint32{
	"aliceblue": 0xf0f8ff, "antiquewhite": 0xfaebd7, "aqua": 0x00ffff, "aquamarine": 0x7fffd4, "azure": 0xf0ffff,
	"beige": 0xf5f5dc, "bisque": 0xffe4c4, "black": 0x000000, "blanchedalmond": 0xffebcd, "blue": 0x0000ff,
	"blueviolet": 0x8a2be2, "brown": 0xa52a2a, "burlywood": 0xdeb887, "cadetblue": 0x5f9ea0, "chartreuse": 0x7fff00,
	"chocolate": 0xd2691e, "coral": 0xff7f50, "cornflowerblue": 0x6495ed, "cornsilk": 0xfff8dc, "crimson": 0xdc143c,
	"cyan": 0x00ffff, "darkblue": 0x00008b, "darkcyan": 0x008b8b, "darkgoldenrod": 0xb8860b, "darkgray": 0xa9a9a9,
	"darkgreen": 0x006400, "darkgrey": 0xa9a9a9, "darkkhaki": 0xbdb76b, "darkmagenta": 0x8b008b,
	"darkolivegreen": 0x556b2f, "darkorange": 0xff8c00, "darkorchid": 0x9932cc, "darkred": 0x8b0000,
	"darksalmon": 0xe9967a, "darkseagreen": 0x8fbc8f, "darkslateblue": 0x483d8b, "darkslategray": 0x2f4f4f,
	"darkslategrey": 0x2f4f4f, "darkturquoise": 0x00ced1, "darkviolet": 0x9400d3, "deeppink": 0xff1493,
	"deepskyblue": 0x00bfff, "dimgray": 0x696969, "dimgrey": 0x696969, "dodgerblue": 0x1e90ff, "firebrick": 0xb22222,
	"floralwhite": 0xfffaf0, "forestgreen": 0x228b22, "fuchsia": 0xff00ff, "gainsboro": 0xdcdcdc,
	"ghostwhite": 0xf8f8ff, "gold": 0xffd700, "goldenrod": 0xdaa520, "gray": 0x808080, "green": 0x008000,
	"greenyellow": 0xadff2f, "grey": 0x808080, "honeydew": 0xf0fff0, "hotpink": 0xff69b4, "indianred": 0xcd5c5c,
	"indigo": 0x4b0082, "ivory": 0xfffff0, "khaki": 0xf0e68c, "lavender": 0xe6e6fa, "lavenderblush": 0xfff0f5,
	"lawngreen": 0x7cfc00, "lemonchiffon": 0xfffacd, "lightblue": 0xadd8e6, "lightcoral": 0xf08080,
	"lightcyan": 0xe0ffff, "lightgoldenrodyellow": 0xfafad2, "lightgray": 0xd3d3d3, "lightgreen": 0x90ee90,
	"lightgrey": 0xd3d3d3, "lightpink": 0xffb6c1, "lightsalmon": 0xffa07a, "lightseagreen": 0x20b2aa,
	"lightskyblue": 0x87cefa, "lightslategray": 0x778899, "lightslategrey": 0x778899, "lightsteelblue": 0xb0c4de,
	"lightyellow": 0xffffe0, "lime": 0x00ff00, "limegreen": 0x32cd32, "linen": 0xfaf0e6, "magenta": 0xff00ff,
	"maroon": 0x800000, "mediumaquamarine": 0x66cdaa, "mediumblue": 0x0000cd, "mediumorchid": 0xba55d3,
	"mediumpurple": 0x9370db, "mediumseagreen": 0x3cb371, "mediumslateblue": 0x7b68ee, "mediumspringgreen": 0x00fa9a,
	"mediumturquoise": 0x48d1cc, "mediumvioletred": 0xc71585, "midnightblue": 0x191970, "mintcream": 0xf5fffa,
	"mistyrose": 0xffe4e1, "moccasin": 0xffe4b5, "navajowhite": 0xffdead, "navy": 0x000080, "oldlace": 0xfdf5e6,
	"olive": 0x808000, "olivedrab": 0x6b8e23, "orange": 0xffa500, "orangered": 0xff4500, "orchid": 0xda70d6,
	"palegoldenrod": 0xeee8aa, "palegreen": 0x98fb98, "paleturquoise": 0xafeeee, "palevioletred": 0xdb7093,
	"papayawhip": 0xffefd5, "peachpuff": 0xffdab9, "peru": 0xcd853f, "pink": 0xffc0cb, "plum": 0xdda0dd,
	"powderblue": 0xb0e0e6, "purple": 0x800080, "rebeccapurple": 0x663399, "red": 0xff0000, "rosybrown": 0xbc8f8f,
	"royalblue": 0x4169e1, "saddlebrown": 0x8b4513, "salmon": 0xfa8072, "sandybrown": 0xf4a460, "seagreen": 0x2e8b57,
	"seashell": 0xfff5ee, "sienna": 0xa0522d, "silver": 0xc0c0c0, "skyblue": 0x87ceeb, "slateblue": 0x6a5acd,
	"slategray": 0x708090, "slategrey": 0x708090, "snow": 0xfffafa, "springgreen": 0x00ff7f, "steelblue": 0x4682b4,
	"tan": 0xd2b48c, "teal": 0x008080, "thistle": 0xd8bfd8, "tomato": 0xff6347, "turquoise": 0x40e0d0,
	"violet": 0xee82ee, "wheat": 0xf5deb3, "white": 0xffffff, "whitesmoke": 0xf5f5f5, "yellow": 0xffff00,
	"yellowgreen": 0x9acd32,
}
