package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"math"
	"os"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// drawChart draws F1 of the words against pages per second, means over all pages of all
// corpora, one point for each system.
func drawChart(figures, file string) error {
	data, err := os.ReadFile(figures)
	if err != nil {
		return err
	}
	c, err := readChart(data)
	if err != nil {
		return fmt.Errorf("%s: %w", figures, err)
	}
	return c.save(file)
}

// chart has the points of a chart: pages per second and F1.
type chart struct {
	pages, corpora int
	own, others    plotter.XYLabels
}

// readChart reads the figures of a run. Systems without quality or time are left out.
func readChart(figures []byte) (*chart, error) {
	var run struct {
		Systems []string
		Corpora []struct {
			Pages   int
			Figures map[string]map[string]struct {
				Pages  int
				Values map[string]float64
			}
		}
	}
	if err := json.Unmarshal(figures, &run); err != nil {
		return nil, err
	}
	c := &chart{corpora: len(run.Corpora)}
	for _, g := range run.Corpora {
		c.pages += g.Pages
	}
	for _, system := range run.Systems {
		mean := func(measure, figure string) float64 {
			sum, pages := 0.0, 0
			for _, g := range run.Corpora {
				f := g.Figures[system][measure]
				sum += f.Values[figure] * float64(f.Pages)
				pages += f.Pages
			}
			return sum / float64(max(pages, 1))
		}
		f1, ms := mean("bag", "F1"), mean("time", "ms")
		if f1 <= 0 || ms <= 0 {
			continue
		}
		to, name := &c.others, system
		if system == "lede-news" {
			name = "lede from Python"
		}
		if strings.HasPrefix(system, "lede") {
			to = &c.own
		}
		to.XYs, to.Labels = append(to.XYs, plotter.XY{X: 1000 / ms, Y: f1}), append(to.Labels, name)
	}
	if len(c.own.XYs)+len(c.others.XYs) == 0 {
		return nil, errors.New("no system has both F1 and time; measure bag and time")
	}
	return c, nil
}

// save draws the chart into a file.
func (c *chart) save(file string) error {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	p := plot.New()
	p.BackgroundColor = color.White
	p.Title.Text = "Quality and speed of article extractors"
	p.X.Label.Text = fmt.Sprintf("pages per second on one core, mean over %d pages of %d corpora", c.pages, c.corpora)
	p.Y.Label.Text = "F1 of the words"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Add(plotter.NewGrid())
	all := append(append(plotter.XYs{}, c.others.XYs...), c.own.XYs...)
	for _, points := range []struct {
		plotter.XYLabels
		color color.Color
	}{{c.others, color.RGBA{0x4a, 0x6f, 0xa5, 0xff}}, {c.own, color.RGBA{0xc8, 0x32, 0x1a, 0xff}}} {
		dots, err := plotter.NewScatter(points)
		if err != nil {
			return err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: points.color, Radius: vg.Points(3.5), Shape: draw.CircleGlyph{}}
		labels, err := plotter.NewLabels(points)
		if err != nil {
			return err
		}
		for i := range labels.TextStyle {
			style := &labels.TextStyle[i]
			style.Color, style.Font, style.YAlign = points.color, font.From(plot.DefaultFont, 9), draw.YCenter
			labels.Labels[i] = "   " + labels.Labels[i]
			if crowded(points.XYs[i], all) {
				labels.Labels[i], style.XAlign = points.Labels[i]+"   ", draw.XRight
			}
		}
		p.Add(dots, labels)
	}
	p.X.Min, p.X.Max, p.Y.Max = p.X.Min/3, p.X.Max*2, 1 // leaves room for the labels
	return p.Save(20*vg.Centimeter, 12*vg.Centimeter, file)
}

// crowded reports whether there is a point so close on the right that a label would
// cover it.
func crowded(at plotter.XY, all plotter.XYs) bool {
	return slices.ContainsFunc(all, func(p plotter.XY) bool { return p.X > at.X && p.X < 2.5*at.X && math.Abs(p.Y-at.Y) < 0.01 })
}
