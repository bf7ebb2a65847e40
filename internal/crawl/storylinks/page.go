package storylinks

import "github.com/lede-news/lede/internal/page/links"

// What internal/lab/train/links learns from.
var (
	FeatureNames = featureNames
	AddressScore = addressScore // the feature with the score of the words of the URL
	TextScore    = textScore    // the feature with the score of the words of the text
	TextFeatures = textFeatures // the first feature that needs a text
)

// TableSize is the number of hashed words.
const TableSize = 1 << tableBits

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
	row = make([]float32, len(featureNames))
	l.fill(row, loadWords())
	return row, l.addressTokens(), l.textTokens()
}

// Scores are the log-odds that links lead to stories.
type Scores struct {
	Together []float32 // by the other links of the page, too
	Alone    []float32
	Bare     []float32 // without texts
	Foreign  []float32 // alone, of an unknown site unless they are relative
}

// Score judges the links of a page in several ways, for cross-validation.
func (m *Model) Score(p *Page) (s Scores) {
	s.Alone = m.scoreLinks(p.links)
	bare, foreign := make([]candidate, len(p.links)), make([]candidate, len(p.links))
	for i, l := range p.links {
		bare[i], foreign[i] = l, l
		bare[i].text, bare[i].words = "", nil
		if l.host != p.base.host {
			foreign[i].same = 0
		}
	}
	s.Bare, s.Foreign = m.scoreLinks(bare), m.scoreLinks(foreign)
	s.Together = append(s.Together, s.Alone...)
	p.spread(s.Together)
	p.spread(s.Bare)
	return s
}
