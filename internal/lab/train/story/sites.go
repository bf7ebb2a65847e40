package story

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/methods/blend"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// siteLearner fits the weights that judge blocks again by what is known about
// the site. A page is judged by a model that has not seen its site, and its profile
// is learned from other pages as that model judged them: this is how far both can
// be trusted on a new site.
type siteLearner struct {
	seed  uint64
	sites [][]*sitePage // sites with several pages
}

// sitePage is a page of a site with several.
type sitePage struct {
	*Example
	view     *blocks.View
	prob     []float32 // without the site
	print    *site.Fingerprint
	observed *site.Observation
}

const (
	minSitePages   = 4  // that a site must have
	maxKnownPages  = 20 // that a profile is learned from
	fullSitePages  = 12 // sites with more weigh no more
	profilesByPage = 2
)

// learnSites fits the weights of a model and those of the cross-validation.
func learnSites(ctx context.Context, model *blend.Model, cross *Cross, all []*Example, o Options) error {
	l, err := newSiteLearner(ctx, all, cross, o)
	if err != nil {
		return err
	}
	for k, m := range append(slices.Clone(cross.models), model) {
		m.Site = l.train(k)
		o.Progress("profiles of sites", k+1, rounds+1)
	}
	return nil
}

func newSiteLearner(ctx context.Context, all []*Example, cross *Cross, o Options) (*siteLearner, error) {
	l := &siteLearner{seed: o.Seed}
	type name struct{ corpus, site string }
	bySite := map[name][]*sitePage{}
	var order []name
	for _, x := range all {
		if x.isFragment || x.isMadeUp || x.mismatched || x.Site == x.Gold.ID {
			continue
		}
		k := name{x.Corpus, x.Site}
		if bySite[k] == nil {
			order = append(order, k)
		}
		bySite[k] = append(bySite[k], &sitePage{Example: x})
	}
	var pages []*sitePage
	for _, k := range order {
		if s := bySite[k]; len(s) >= minSitePages {
			l.sites = append(l.sites, s)
			pages = append(pages, s...)
		}
	}
	report := func(done int) { o.Progress("pages of sites", done, len(pages)) }
	_, err := parallel.Map(ctx, len(pages), 0, report, func(i int) (struct{}, error) {
		return struct{}{}, pages[i].read(ctx, cross.For(pages[i].Fold))
	})
	return l, err
}

// read judges a page without its site.
func (p *sitePage) read(ctx context.Context, m *blend.Model) error {
	p.view = blocks.Read(p.Doc, m.Tables)
	p.prob = blend.Probabilities(m.Story, p.view, p.view.Rows(p.Signals))
	p.print = site.NewFingerprint(p.Doc)
	page := &method.Page{Doc: p.Doc, URL: p.Gold.URL, NoReasons: true}
	sel, err := blend.New(blend.Config{Model: m}).Select(ctx, page)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	a := &article.Article{}
	if err == nil {
		a.Type, a.Confidence = sel.Type, sel.Confidence
	}
	p.observed = p.print.Observe(p.Gold.URL, sel, a)
	return nil
}

// train fits the weights without the sites of round k.
func (l *siteLearner) train(k int) *blend.SiteWeights {
	var data siteData
	rng := rand.New(rand.NewPCG(l.seed, uint64(k)))
	for _, s := range l.sites {
		if round(s[0].Fold) == k {
			continue
		}
		scale := min(1, float64(fullSitePages)/float64(len(s))) / profilesByPage
		for i, p := range s {
			words := weights(p.Example, p.view)
			for range profilesByPage {
				known := matchPages(s, i, drawPages(rng, len(s)-1), rng)
				if known == nil {
					continue
				}
				for b, row := range blend.SiteRows(p.view, p.prob, known) {
					if w := float64(words[b]) * scale; w > 0 && !row.Static {
						data.add(row, p.Story[b] > 0.5, w)
					}
				}
			}
		}
	}
	return data.fit()
}

// drawPages draws the number of pages that a profile is learned from; small
// numbers are more likely.
func drawPages(rng *rand.Rand, others int) int {
	n := 3 * math.Pow(maxKnownPages/3.0, rng.Float64())
	return min(others, int(n+0.5))
}

// matchPages learns from n other pages of a site and returns what that shows
// about page i.
func matchPages(s []*sitePage, i, n int, rng *rand.Rand) *method.Site {
	profile := site.New("")
	for _, k := range rng.Perm(len(s)) {
		if k != i && n > 0 {
			profile.Add(s[k].observed)
			n--
		}
	}
	return profile.Match(s[i].print)
}

// siteData has the blocks that weights are fitted to.
type siteData struct {
	x []blend.SiteRow
	y []float64
	w []float64
}

func (d *siteData) add(x blend.SiteRow, story bool, w float64) {
	y := 0.0
	if story {
		y = 1
	}
	d.x, d.y, d.w = append(d.x, x), append(d.y, y), append(d.w, w)
}

// vector has a number for each weight.
type vector [len(blend.SiteFeatures)]float64

// fit returns the weights of a logistic regression, by Newton's method. They are
// held near 0, which leaves the judgement of the trees as it is. Without blocks there
// are none.
func (d *siteData) fit() *blend.SiteWeights {
	if len(d.x) == 0 {
		return nil
	}
	const ridge, steps = 50, 12
	var w vector
	for range steps {
		g, h := d.derive(&w)
		for i := range w {
			g[i] += ridge * w[i]
			h[i][i] += ridge
		}
		for i, step := range solve(h, g) {
			w[i] -= step
		}
	}
	out := new(blend.SiteWeights)
	for i := range w {
		out[i] = float32(w[i])
	}
	return out
}

// derive returns the first and second derivatives of the loss.
func (d *siteData) derive(w *vector) (g vector, h [len(vector{})]vector) {
	for r := range d.x {
		x := &d.x[r].Features
		s := float64(d.x[r].Score)
		for i := range w {
			s += w[i] * float64(x[i])
		}
		p := 1 / (1 + math.Exp(-s))
		e, v := d.w[r]*(p-d.y[r]), d.w[r]*p*(1-p)
		for i := range w {
			xi := float64(x[i])
			g[i] += e * xi
			for j := range w {
				h[i][j] += v * xi * float64(x[j])
			}
		}
	}
	return g, h
}

// solve solves a positive definite system by elimination.
func solve(a [len(vector{})]vector, b vector) vector {
	for i := range b {
		for j := i + 1; j < len(b); j++ {
			f := a[j][i] / a[i][i]
			for k := i; k < len(b); k++ {
				a[j][k] -= f * a[i][k]
			}
			b[j] -= f * b[i]
		}
	}
	for i := len(b) - 1; i >= 0; i-- {
		for k := i + 1; k < len(b); k++ {
			b[i] -= a[i][k] * b[k]
		}
		b[i] /= a[i][i]
	}
	return b
}
