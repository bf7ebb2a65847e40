package wrapper

import (
	"context"

	"github.com/lede-news/lede/dom"
)

// choice is a candidate with its posterior probability.
type choice struct {
	node      dom.Node
	posterior float64
	x         []float64 // its features, all of them
}

// likely is the posterior from which on a subtree is rather what it is taken
// for than not.
const likely = 0.5

// chooseBody is BodySubtreeExtraction (Figure 11): the candidate with the
// highest posterior. Observation 1 does not hold on pages that open with a
// screen or more of menus, as all do without their style sheets: where nothing
// in the first screen is likely to be the body, the reader scrolls down a
// screen at a time until something is.
func (w *Wrapper) chooseBody(ctx context.Context, s *Scene) (best choice, others []choice) {
	best.node = dom.None
	for _, candidates := range s.Bodies() {
		for _, n := range candidates {
			if ctx.Err() != nil {
				return best, others
			}
			c := choice{node: n, x: s.Body(n)}
			c.posterior = w.body.posterior(c.x)
			if c.posterior > best.posterior {
				best = c
			}
			others = append(others, c)
		}
		if best.posterior >= likely || !w.cfg.Scroll {
			break
		}
	}
	return best, others
}

// chooseTitle is TitleSubtreeExtraction (Figure 12).
func (w *Wrapper) chooseTitle(ctx context.Context, s *Scene, body dom.Node) (best choice, others []choice) {
	best.node = dom.None
	for _, far := range []bool{false, true} {
		others = others[:0]
		for _, n := range s.Titles(body, far) {
			if ctx.Err() != nil {
				return best, others
			}
			c := choice{node: n, x: s.Title(n, body)}
			c.posterior = w.title.posterior(c.x)
			if c.posterior > best.posterior {
				best = c
			}
			others = append(others, c)
		}
		if best.posterior >= likely || !w.cfg.Scroll {
			break
		}
	}
	return best, others
}
