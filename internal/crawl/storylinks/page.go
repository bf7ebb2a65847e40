package storylinks

import (
	"slices"

	"github.com/lede-news/lede/internal/page/links"
)

// A Page is the links of a page of a site.
type Page struct{ page }

// NewPage returns a page of the site at base with some links, whose URLs may be relative.
func NewPage(base string, list []Address) *Page {
	p := &Page{page{base: parseTarget(base)}}
	b, err := links.Parse(base)
	for _, a := range list {
		to := a.URL
		if err == nil {
			to = links.ResolveWeb(b, a.URL)
		}
		p.links = append(p.links, newCandidate(to, cleanText(a.Text)))
	}
	p.markSite()
	return p
}

// Features returns the features of link i without those of its words, and the hashed
// words of its URL and of its text.
func (p *Page) Features(i int) (row []float32, address, text []uint16) {
	l := &p.links[i]
	row = make([]float32, len(FeatureNames))
	l.fill(row, loadWords())
	return row, l.addressTokens(), l.textTokens()
}

// Score returns the log-odds that the links of a page lead to stories, and the log-odds
// without their texts.
func (m *Model) Score(p *Page) (scores, bare []float32) {
	without := slices.Clone(p.links)
	for i := range without {
		without[i].text, without[i].words = "", nil
	}
	scores, bare = m.score(m.rows(p.links)), m.score(m.rows(without))
	p.spread(scores)
	p.spread(bare)
	return scores, bare
}
