package experiments

import (
	"context"
	"math"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// cetd is a rival of TWCEM: Sun, Song and Liao, DOM Based Content Extraction via Text
// Density, SIGIR 2011, with composite text density and DensitySum.
type cetd struct{}

func (cetd) Name() string { return "CETD" }

// Select takes as threshold the least density on the path from <body> to the node with the
// greatest DensitySum. Of every node that has it, as all nodes around it, the descendant with
// the greatest DensitySum is content.
func (cetd) Select(_ context.Context, p *method.Page) (*method.Selection, error) {
	d, body := p.Doc, p.Doc.First(dom.Body)
	if body == dom.None || d.Chars(body) == 0 {
		return nil, method.ErrNoContent
	}
	linked := max(1, float64(d.LinkChars(body))) / float64(d.Chars(body))
	density, sum := make([]float64, d.Len()), make([]float64, d.Len())
	best := make([]dom.Node, d.Len()) // the node with the greatest DensitySum in each subtree
	for n := d.End(body) - 1; n >= body; n-- {
		best[n], density[n] = n, textDensity(d.Counts(n), linked)
		for c := range d.Children(n) {
			sum[n] += density[c]
		}
		for c := range d.Children(n) {
			if sum[best[c]] > sum[best[n]] {
				best[n] = best[c]
			}
		}
	}
	threshold := density[best[body]]
	for n := range d.Ancestors(best[body]) {
		if n >= body {
			threshold = min(threshold, density[n])
		}
	}
	s := &method.Selection{Title: dom.None}
	dense := make([]bool, d.Len())
	for n := body; n < d.End(body); n++ {
		dense[n] = !d.IsText(n) && d.Chars(n) > 0 && density[n] >= threshold && (n == body || dense[d.Parent(n)])
		if dense[n] {
			s.Keep = append(s.Keep, best[n])
		}
	}
	return s, nil
}

// textDensity is the composite text density of a node: its characters for each tag, weighted
// down if they are in links, which linked says of the page.
func textDensity(c dom.Counts, linked float64) float64 {
	one := func(n int32) float64 { return max(1, float64(n)) } // no division by zero
	chars, tags := float64(c.Chars), one(c.Elements)
	base := math.Log(chars/one(c.Chars-c.LinkChars)*float64(c.LinkChars) + linked*chars + math.E)
	if c.Chars == 0 || base <= 1 {
		return 0
	}
	return max(0, chars/tags*math.Log(chars/one(c.LinkChars)*tags/one(c.Links))/math.Log(base))
}
