package story

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/lab/eval/corpus"
	"github.com/lede-news/lede/internal/methods/blend"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/internal/parallel"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

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

// learnSites fits the weights of models that judge blocks again by what is known about
// the site. A page is judged by a model that has not seen its site, and its profile
// is learned from other pages as that model judged them: this is how far both can
// be trusted on a new site.
func learnSites(ctx context.Context, models []*blend.Model, all []*Example, o Options) error {
	var pages []*sitePage
	for _, x := range all {
		if !x.isFragment && !x.isMadeUp && !x.mismatched && x.Site != x.Gold.ID {
			pages = append(pages, &sitePage{Example: x})
		}
	}
	sites := slices.DeleteFunc(corpus.GroupBy(pages, func(p *sitePage) [2]string { return [2]string{p.Corpus, p.Site} }),
		func(s []*sitePage) bool { return len(s) < minSitePages })
	pages = slices.Concat(sites...)
	report := func(done int) { o.Progress("pages of sites", done, len(pages)) }
	err := parallel.Do(ctx, len(pages), 0, report, func(i int) error { return pages[i].read(ctx, models[round(pages[i].Fold)]) })
	if err != nil {
		return err
	}
	for k, m := range models {
		m.Site = fitSite(siteRows(sites, k, rand.New(rand.NewPCG(o.Seed, uint64(k)))))
		o.Progress("profiles of sites", k+1, len(models))
	}
	return nil
}

// read judges a page without its site.
func (p *sitePage) read(ctx context.Context, m *blend.Model) error {
	p.view = blocks.Read(p.Doc, m.Tables)
	m.SeePage(p.view)
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

// siteRow is a block that weights are fitted to.
type siteRow struct {
	blend.SiteRow
	y, w float64
}

// siteRows returns the blocks of all sites but those of round k.
func siteRows(sites [][]*sitePage, k int, rng *rand.Rand) (rows []siteRow) {
	for _, s := range sites {
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
						y := 0.0
						if p.Story[b] > 0.5 {
							y = 1
						}
						rows = append(rows, siteRow{row, y, w})
					}
				}
			}
		}
	}
	return rows
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

// vector has a number for each weight.
type vector [blend.SiteFeatures]float64

// fitSite returns the weights of a logistic regression, by Newton's method. They are
// held near 0, which leaves the judgement of the trees as it is. Without blocks there
// are none.
func fitSite(rows []siteRow) *blend.SiteWeights {
	if len(rows) == 0 {
		return nil
	}
	const ridge, steps = 50, 12
	var w vector
	for range steps {
		var g vector // first and second derivatives of the loss
		var h [len(vector{})]vector
		for _, r := range rows {
			s := float64(r.Score)
			for i := range w {
				s += w[i] * float64(r.Features[i])
			}
			p := 1 / (1 + math.Exp(-s))
			e, v := r.w*(p-r.y), r.w*p*(1-p)
			for i := range w {
				x := float64(r.Features[i])
				g[i] += e * x
				for j := range w {
					h[i][j] += v * x * float64(r.Features[j])
				}
			}
		}
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
