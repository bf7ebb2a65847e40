package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strings"
)

// The size of the chart and the margins around its plot.
const (
	chartWidth, chartHeight = 760, 460
	marginLeft, marginRight = 64, 24
	marginTop, marginBottom = 56, 56
	radius                  = 5
	textHeight              = 14
	letterWidth             = 6.9 // at 12 pixels, for the widest of usual fonts
)

// box is a rectangle of the chart.
type box struct{ left, top, right, bottom float64 }

func (b box) overlaps(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

// plot is where points may be.
var plot = box{marginLeft, marginTop, chartWidth - marginRight, chartHeight - marginBottom}

// scale maps figures to places on the chart. Speed has a logarithmic axis.
type scale struct{ slowest, fastest, worst, best float64 }

func newScale(points []point) scale {
	s := scale{points[0].speed, points[0].speed, points[0].f1, points[0].f1}
	for _, p := range points {
		s.slowest, s.fastest = min(s.slowest, p.speed), max(s.fastest, p.speed)
		s.worst, s.best = min(s.worst, p.f1), max(s.best, p.f1)
	}
	s.slowest, s.fastest = niceBelow(s.slowest), niceAbove(s.fastest)
	const step = .05
	s.worst = max(0, math.Floor((s.worst-.005)/step)*step)
	s.best = min(1, math.Ceil((s.best+.005)/step)*step)
	return s
}

// niceBelow returns the largest of … 1, 2, 5, 10 … below x, and niceAbove the smallest above.
func niceBelow(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{5, 2, 1} {
		if m*power < x*.95 {
			return m * power
		}
	}
	return power / 2
}

func niceAbove(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5, 10} {
		if m*power > x*1.05 {
			return m * power
		}
	}
	return 20 * power
}

func (s scale) x(speed float64) float64 {
	share := math.Log(speed/s.slowest) / math.Log(s.fastest/s.slowest)
	return plot.left + share*(plot.right-plot.left)
}

func (s scale) y(f1 float64) float64 {
	return plot.bottom - (f1-s.worst)/(s.best-s.worst)*(plot.bottom-plot.top)
}

// label is the text of a point.
type label struct {
	point
	cx, cy  float64 // of the point
	box     box
	leading bool // a line leads from the point to it
}

// place places the labels so that they cover neither one another nor a point.
func place(points []point, s scale) []label {
	var taken []box
	for _, p := range points {
		x, y := s.x(p.speed), s.y(p.f1)
		taken = append(taken, box{x - radius - 1, y - radius - 1, x + radius + 1, y + radius + 1})
	}
	labels := make([]label, len(points))
	for i, p := range points {
		l := label{point: p, cx: s.x(p.speed), cy: s.y(p.f1)}
		width := letterWidth * float64(len([]rune(p.name)))
		if p.own {
			width *= 1.1 // bold
		}
		for _, c := range places(width) {
			left, top := l.cx+c.dx, l.cy+c.dy
			l.box = box{left, top, left + width, top + textHeight}
			l.leading = c.far
			if l.box.left >= plot.left && l.box.right <= chartWidth-4 && l.box.top >= plot.top-textHeight && l.box.bottom <= plot.bottom && !overlapsAny(l.box, taken) {
				break
			}
		}
		taken = append(taken, l.box)
		labels[i] = l
	}
	return labels
}

// offset is where a label may be, from its point to its upper left corner.
type offset struct {
	dx, dy float64
	far    bool
}

// places returns where a label of some width may be, the best place first: beside the
// point, above and below it, and on circles around it.
func places(width float64) []offset {
	const gap = radius + 3
	middle := -textHeight / 2.0
	list := []offset{
		{gap, middle, false}, {-gap - width, middle, false}, {-width / 2, -gap - textHeight, false}, {-width / 2, gap, false},
		{gap, -textHeight, false}, {gap, 0, false}, {-gap - width, -textHeight, false}, {-gap - width, 0, false},
	}
	for distance := 20.0; distance <= 400; distance += 8 {
		for angle := range 16 {
			sin, cos := math.Sincos(float64(angle) * math.Pi / 8)
			dx, dy := cos*distance, sin*distance+middle
			if cos < -.1 {
				dx -= width
			} else if cos < .1 {
				dx -= width / 2
			}
			list = append(list, offset{dx, dy, true})
		}
	}
	return list
}

func overlapsAny(b box, taken []box) bool {
	for _, t := range taken {
		if b.overlaps(t) {
			return true
		}
	}
	return false
}

const chartStyle = `
  .back { fill: #ffffff; }
  text { font: 12px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #3d4450; }
  .head { font-size: 16px; font-weight: 600; fill: #16181d; }
  .own { font-weight: 600; fill: #a3230f; }
  line { stroke: #d9dce1; stroke-width: 1; }
  .lead { stroke: #9aa1ac; }
  circle { fill: #4a6fa5; }
  circle.own { fill: #c8321a; }
  @media (prefers-color-scheme: dark) {
    .back { fill: #14171c; }
    text { fill: #c3c8d1; }
    .head { fill: #f1f3f6; }
    .own { fill: #ff9a85; }
    line { stroke: #333944; }
    .lead { stroke: #6d7583; }
    circle { fill: #86aee8; }
    circle.own { fill: #ff7a5f; }
  }
`

// svg draws the chart.
func (c *chart) svg() []byte {
	var b bytes.Buffer
	s := newScale(c.points)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" role="img" aria-labelledby="title desc">`+"\n", chartWidth, chartHeight)
	fmt.Fprintf(&b, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n<style>%s</style>\n", escape(chartTitle), escape(c.describe()), chartStyle)
	fmt.Fprintf(&b, "<rect class=\"back\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", chartWidth, chartHeight)
	text := func(class, anchor string, x, y float64, s string) {
		fmt.Fprintf(&b, "<text%s text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", class, anchor, x, y, escape(s))
	}
	line := func(class string, x1, y1, x2, y2 float64) {
		fmt.Fprintf(&b, "<line%s x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", class, x1, y1, x2, y2)
	}
	text(` class="head"`, "start", marginLeft, 30, chartTitle)
	for x := s.slowest; x <= s.fastest*1.001; x = niceAbove(x * 1.01) {
		line("", s.x(x), plot.top, s.x(x), plot.bottom)
		text("", "middle", s.x(x), plot.bottom+18, fmt.Sprintf("%g", math.Round(x*1000)/1000))
	}
	step := .05
	if s.best-s.worst > .5 {
		step = .1
	}
	for n := math.Ceil(s.worst/step - .001); n*step <= s.best+.001; n++ {
		line("", plot.left, s.y(n*step), plot.right, s.y(n*step))
		text("", "end", plot.left-8, s.y(n*step)+4, fmt.Sprintf("%.2f", n*step))
	}
	text("", "middle", (plot.left+plot.right)/2, chartHeight-14, "pages per second on one core, logarithmic")
	fmt.Fprintf(&b, "<text text-anchor=\"middle\" transform=\"translate(18 %.1f) rotate(-90)\">F1 of the words</text>\n", (plot.top+plot.bottom)/2)
	for _, l := range place(c.points, s) {
		class := ""
		if l.own {
			class = ` class="own"`
		}
		if l.leading {
			line(` class="lead"`, l.cx, l.cy, max(l.box.left, min(l.cx, l.box.right)), max(l.box.top, min(l.cy, l.box.bottom)))
		}
		fmt.Fprintf(&b, "<circle%s cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/>\n", class, l.cx, l.cy, radius)
		switch y := l.box.bottom - 3; { // the text may be shorter than its box
		case l.box.left > l.cx:
			text(class, "start", l.box.left, y, l.name)
		case l.box.right < l.cx:
			text(class, "end", l.box.right, y, l.name)
		default:
			text(class, "middle", (l.box.left+l.box.right)/2, y, l.name)
		}
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

const chartTitle = "Quality and speed of article extractors"

// describe says in words what the chart shows.
func (c *chart) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "F1 and pages per second, means over %d pages of %d corpora.", c.pages, c.corpora)
	for _, p := range c.points {
		fmt.Fprintf(&b, " %s: %.3f, %s.", p.name, p.f1, roundSpeed(p.speed))
	}
	return b.String()
}

// roundSpeed writes a speed with two or three digits.
func roundSpeed(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // writing to memory cannot fail
	return b.String()
}
