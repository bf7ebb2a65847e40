package styled

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
)

// rgb is an opaque colour.
type rgb struct{ r, g, b uint8 }

// String returns the colour as #rrggbb.
func (c rgb) String() string { return fmt.Sprintf("#%02x%02x%02x", c.r, c.g, c.b) }

var black, white = rgb{0, 0, 0}, rgb{255, 255, 255}

// mix returns c mixed with a share of d from 0 to 1.
func (c rgb) mix(d rgb, share float64) rgb {
	m := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (float64(b)-float64(a))*share)) }
	return rgb{m(c.r, d.r), m(c.g, d.g), m(c.b, d.b)}
}

// luminance returns the relative luminance of WCAG 2.2.
func (c rgb) luminance() float64 {
	lin := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(c.r) + 0.7152*lin(c.g) + 0.0722*lin(c.b)
}

// contrast returns the contrast ratio of WCAG 2.2, from 1 to 21.
func contrast(a, b rgb) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// minContrast is what WCAG 2.2 requires of text at level AA.
const minContrast = 4.5

// on returns c if it has enough contrast with a background, and otherwise the
// nearest mixture with black or white that has.
func (c rgb) on(background rgb) rgb {
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
	rgb
	alpha float64
}

// over returns the colour that p has on a background.
func (p translucent) over(background rgb) rgb { return background.mix(p.rgb, p.alpha) }

// parseColor reads #rgb, #rrggbb, rgb(), rgba() or a name. A hash may be missing, as in
// attributes of old pages.
func parseColor(s string) (c translucent, ok bool) {
	if len(s) > 64 {
		return c, false
	}
	s = strings.ToLower(strings.TrimSpace(s))
	if args, isCall := strings.CutSuffix(strings.TrimPrefix(strings.TrimPrefix(s, "rgba("), "rgb("), ")"); isCall {
		return parseChannels(args)
	}
	if c, ok = namedColors()[s]; !ok && (len(s) == 6 || strings.HasPrefix(s, "#")) {
		c, ok = parseHex(strings.TrimPrefix(s, "#"))
	}
	return c, ok
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
	return translucent{rgb{uint8(v >> 24), uint8(v >> 16), uint8(v >> 8)}, float64(v&0xFF) / 255}, true
}

// parseChannels reads three channels and an optional opacity.
func parseChannels(s string) (translucent, bool) {
	f := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '/' })
	if len(f) != 3 && len(f) != 4 {
		return translucent{}, false
	}
	channels := [4]float64{3: 1}
	for i, s := range f {
		full := 255.0
		if i == 3 {
			full = 1
		}
		if n, ok := strings.CutSuffix(s, "%"); ok {
			s, full = n, 100
		}
		v, ok := parseNumber(s)
		if !ok {
			return translucent{}, false
		}
		channels[i] = min(max(v/full, 0), 1)
	}
	c := func(i int) uint8 { return uint8(math.Round(channels[i] * 255)) }
	return translucent{rgb{c(0), c(1), c(2)}, channels[3]}, true
}

//go:embed colors.txt
var colorTable string

// namedColors are those of CSS Color 4, section 6.1, and transparent.
var namedColors = sync.OnceValue(func() map[string]translucent {
	all := map[string]translucent{"transparent": {rgb: black}}
	for line := range strings.Lines(colorTable) {
		name, hex, _ := strings.Cut(strings.TrimSpace(line), " ")
		all[name], _ = parseHex(hex)
	}
	return all
})
