package wrapper

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// explain says why the body and the title were taken and what came close, and
// drops what is no part of the story inside the body.
func (w *Wrapper) explain(s *method.Selection, d *dom.Document, body choice, bodies []choice, title choice, titles []choice) {
	s.Reasons = append(s.Reasons, method.Reason{
		Node: body.node, Kept: true, Score: body.posterior,
		Why: fmt.Sprintf("body, posterior %.3f: %s", body.posterior, w.body.strongest(body, bodies)),
	})
	for _, c := range closest(d, bodies, body.node) {
		s.Reasons = append(s.Reasons, method.Reason{Node: c.node, Score: c.posterior, Why: fmt.Sprintf("less like a body, posterior %.3f", c.posterior)})
	}
	if w.cfg.Clean {
		clean(d, body.node, title.node, s)
	}
	if title.node != dom.None {
		if d.Contains(body.node, title.node) && title.node != body.node {
			s.Drop = append(s.Drop, title.node)
		}
		s.Reasons = append(s.Reasons, method.Reason{
			Node: title.node, Kept: title.node == body.node, Score: title.posterior,
			Why: fmt.Sprintf("title, posterior %.3f: %s", title.posterior, w.title.strongest(title, titles)),
		})
	}
	slices.Sort(s.Drop)
	slices.SortStableFunc(s.Reasons, func(a, b method.Reason) int { return int(a.Node - b.Node) })
	s.Reasons = slices.CompactFunc(s.Reasons, func(a, b method.Reason) bool { return a.Node == b.Node })
}

// closest are the few candidates outside the body that it had to beat.
func closest(d *dom.Document, all []choice, body dom.Node) []choice {
	const few = 3
	var out []choice
	for _, c := range all {
		if !d.Contains(body, c.node) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b choice) int { return cmp.Compare(b.posterior, a.posterior) })
	return out[:min(few, len(out))]
}

// strongest names the features that speak most for a candidate: those without
// which, with the mean of all candidates in their place, it would lose most.
func (c *classifier) strongest(best choice, all []choice) string {
	const few = 3
	x := c.pick(best.x)
	score := c.svm.Decision(x)
	type part struct {
		loss float64
		text string
	}
	var parts []part
	for i, k := range c.columns {
		mean := 0.0
		for _, o := range all {
			mean += o.x[k] / float64(len(all))
		}
		own := x[i]
		x[i] = mean
		parts = append(parts, part{score - c.svm.Decision(x), fmt.Sprintf("%s %.2f", c.names[i], own)})
		x[i] = own
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.loss, a.loss) })
	var texts []string
	for _, p := range parts[:min(few, len(parts))] {
		texts = append(texts, p.text)
	}
	return strings.Join(texts, ", ")
}
