package blend

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/methods/blend/blocks"
	"github.com/lede-news/lede/method"
)

// The features by which the blocks of a page are judged again when its site is known: how
// rows like them were judged on other pages, in log-odds. All are 0 where nothing is known.
const (
	siteInside   = iota // in the place of the article
	siteOutside         // elsewhere
	siteBox             // in a box outside of articles
	siteHeading         // under a heading of other text
	siteLabel           // after a label of other text
	siteRepeats         // other pages have it too
	siteScore           // of the trees, if the place is known
	SiteFeatures        // is their number
)

// SiteWeights are the weights of the features of sites in a logistic regression whose sum
// is added to the log-odds without the site. They are few, because few sites have
// enough pages to learn from.
type SiteWeights [SiteFeatures]float32

// SiteRow holds the features of a block.
type SiteRow struct {
	// Score holds the log-odds without the site.
	Score    float32
	Features [SiteFeatures]float32
	// Static means that the block is the same on all pages of the site.
	Static bool
}

// SiteRows returns the features of all blocks of a page. prob holds the
// probabilities without the site.
func SiteRows(v *blocks.View, prob []float32, s *method.Site) []SiteRow {
	out := make([]SiteRow, len(v.Blocks))
	rows := s.Rows
	for i := range v.Blocks {
		b := &v.Blocks[i]
		out[i].Score = Logit(prob[i])
		for len(rows) > 0 && rows[0].Last < b.First {
			rows = rows[1:]
		}
		if len(rows) == 0 || rows[0].First > b.Last {
			continue
		}
		out[i].readClues(&rows[0])
		out[i].readRepeats(rows, b, s)
	}
	return out
}

// readClues reads how rows like the first of a block were judged.
func (r *SiteRow) readClues(known *method.SiteRow) {
	x := &r.Features
	var sum, n float32
	for _, clue := range [...]method.Clue{method.ByPath, method.ByPlace, method.ByPosition} {
		if e := known.Clues[clue]; e.Pages > 0 {
			sum += odds(e)
			n++
		}
	}
	place := sum / max(n, 1)
	x[siteInside], x[siteOutside] = max(0, place), min(0, place)
	x[siteBox] = min(0, odds(known.Clues[method.ByBox]))
	x[siteHeading] = min(0, odds(known.Clues[method.ByHeading]))
	x[siteLabel] = min(0, odds(known.Clues[method.ByLabel]))
	const enough = 5 // pages
	x[siteScore] = r.Score * min(1, known.Clues[method.ByPlace].Pages/enough)
}

// readRepeats reads how much of a block other pages have too.
func (r *SiteRow) readRepeats(rows []method.SiteRow, b *blocks.Block, s *method.Site) {
	var sum, n, static float32
	for k := 0; k < len(rows) && rows[k].First <= b.Last; k++ {
		sum += rows[k].Repeats
		n++
		if s.Static != nil && s.Static[rows[k].First] {
			static++
		}
	}
	r.Static = static > n/2
	const maxPages = 10 // older ones hardly count
	r.Features[siteRepeats] = float32(math.Log1p(float64(sum / n * float32(min(s.Pages, maxPages)))))
}

// odds returns the logarithm of the odds that rows with a clue are text of the
// story.
func odds(e method.Evidence) float32 {
	const prior = 1     // pages with and without
	const unclear = 0.8 // four pages of five
	x := float32(math.Log(float64((e.Kept + prior) / (e.Pages - e.Kept + prior))))
	switch {
	case x > unclear:
		return x - unclear
	case x < -unclear:
		return x + unclear
	}
	return 0
}

// Logit returns the log-odds of a probability.
func Logit(p float32) float32 {
	const least = 1e-4
	q := min(max(float64(p), least), 1-least)
	return float32(math.Log(q / (1 - q)))
}

// probability returns the probability of log-odds.
func probability(odds float32) float32 { return float32(1 / (1 + math.Exp(-float64(odds)))) }

// Score returns the log-odds that a block belongs to the article.
func (w *SiteWeights) Score(r *SiteRow) float32 {
	sum := r.Score
	for k := range w {
		sum += w[k] * r.Features[k]
	}
	return sum
}

// Probabilities judges blocks by their features.
func (w *SiteWeights) Probabilities(rows []SiteRow) []float32 {
	const static = 0.01
	out := make([]float32, len(rows))
	for i := range rows {
		out[i] = probability(w.Score(&rows[i]))
		if rows[i].Static {
			out[i] = min(out[i], static)
		}
	}
	return out
}

// SelectWithSite selects the article twice: as Select does, and by what is known
// about the site. known is nil if the model or p.Site has nothing to judge by,
// or if the page is no article.
func (b *Blend) SelectWithSite(ctx context.Context, p *method.Page) (plain, known *method.Selection, err error) {
	mem := b.scratch.Get().(*scratch)
	defer b.release(mem)
	prob, err := b.judge(ctx, p, mem)
	if err != nil {
		return nil, nil, err
	}
	first := newChoice(&mem.view, prob, p, b.without)
	plain, err = b.decide(first, p, mem)
	weights := b.model().Site
	if weights == nil || p.Site == nil || len(p.Site.Rows) == 0 {
		return plain, nil, err
	}
	s := siteChoice{before: prob, weights: weights, rows: SiteRows(&mem.view, prob, p.Site)}
	isArticle := err == nil && plain.Type == article.TypeArticle
	if isArticle {
		s.checkRepeats(&first)
		s.checkPlaces(&first)
	}
	c := newChoice(&mem.view, weights.Probabilities(s.rows), p, b.without)
	c.site = &s
	if isArticle && first.threshold < c.threshold {
		// It is low if the page has hardly any text of a story. A site that is hardly sure of
		// anything must not raise it.
		c.keep(first.threshold)
	}
	known, siteErr := b.decide(c, p, mem)
	if siteErr != nil || known.Type != article.TypeArticle {
		return plain, nil, err
	}
	if err != nil {
		plain = &method.Selection{Title: dom.None} // nothing without the site
	}
	return plain, known, nil
}

// siteChoice is what the site of a page says about its blocks.
type siteChoice struct {
	before  []float32 // the probabilities without the site
	weights *SiteWeights
	rows    []SiteRow
}

// checkRepeats ignores that other pages have a sub-heading too, such as "Background", or
// the cells of a table. It ignores all that other pages have too if that is more than half of the text that
// is kept without the site: it is then what the page has to say.
func (s *siteChoice) checkRepeats(first *choice) {
	var all, static int // words
	for i, kept := range first.kept {
		if !kept {
			continue
		}
		if first.isSurrounded(i) {
			s.rows[i].ignoreRepeats()
		}
		all += first.Blocks[i].Words()
		if s.rows[i].Static {
			static += first.Blocks[i].Words()
		}
	}
	if 2*static <= all {
		return
	}
	for i, kept := range first.kept {
		if kept && s.rows[i].Static {
			s.rows[i].ignoreRepeats()
		}
	}
}

// isSurrounded reports whether a block is a sub-heading or a cell of a table between
// two blocks that are kept.
func (c *choice) isSurrounded(i int) bool {
	if i == 0 || i+1 == len(c.kept) || !c.kept[i-1] || !c.kept[i+1] {
		return false
	}
	tag := c.page.Tag(c.Blocks[i].Owner)
	return tag == dom.Td || tag == dom.Th || c.IsHeading(i) && !c.IsHeading(i-1) && !c.IsHeading(i+1)
}

func (r *SiteRow) ignoreRepeats() { r.Static, r.Features[siteRepeats] = false, 0 }

// checkPlaces ignores that blocks are where the site has its stories unless they are
// among the text that is kept without the site, or next to it: a second story on the
// page is in the same place.
func (s *siteChoice) checkPlaces(first *choice) {
	const near = 10 // blocks
	from, to := len(first.kept), -1
	for i, kept := range first.kept {
		if kept {
			from, to = min(from, i), i
		}
	}
	for i := range s.rows {
		if i < from-near || i > to+near {
			s.rows[i].Features[siteInside] = 0
		}
	}
}

// append encodes the weights: their number and each as 32 bits.
func (w *SiteWeights) append(out []byte) []byte {
	out, _ = binary.Append(append(out, byte(len(w))), binary.LittleEndian, w)
	return out
}

func readSiteWeights(b []byte) (*SiteWeights, bool) {
	w := new(SiteWeights)
	if len(b) != 1+4*len(w) || int(b[0]) != len(w) {
		return nil, false
	}
	_, err := binary.Decode(b[1:], binary.LittleEndian, w)
	return w, err == nil && !slices.ContainsFunc(w[:], func(x float32) bool { return !(x > -100 && x < 100) }) // or NaN
}
