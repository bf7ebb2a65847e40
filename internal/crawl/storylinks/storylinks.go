// Package storylinks tells links that lead to stories from other links: menus,
// sections, authors, services, advertisements.
//
// A small model, learned from links of home pages that people labelled, looks at the
// address and the text of each link and at the likeness of the two. Then the other
// links of the same form are considered, and the place on the page. MODEL.md has the
// data and the figures.
package storylinks

import (
	"math"
	"slices"
	"strings"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/page/links"
)

// Verdict says whether a link leads to a story.
type Verdict struct {
	URL   string   `json:"url"`  // absolute
	Text  string   `json:"text"` // what the link says, in one line
	Node  dom.Node `json:"-"`    // the element that has the text; None for lists of addresses
	Story bool     `json:"story"`
	Score float64  `json:"score"` // probability that it leads to a story
	Why   string   `json:"why"`   // what weighed most
	// Section means that the link probably leads to the front of a section of the
	// same site, with links to stories.
	Section bool `json:"section,omitempty"`
}

// Address is a link without a page, such as an entry of a sitemap. The text may be
// empty.
type Address struct {
	URL, Text string
}

// Judge judges the links of a page at an address, which may be empty. There is a
// verdict for each link that links.Read returns.
func Judge(d *dom.Document, address string) []Verdict {
	g := collect(d, address)
	verdicts := g.judge(defaultModel())
	return verdicts[:g.shown]
}

// JudgeAddresses judges addresses that were found at a site, of which site is the
// address of any page. There is a verdict for each, in their order.
func JudgeAddresses(site string, list []Address) []Verdict {
	g := group{page: page{base: parseTarget(site)}}
	for _, a := range list {
		address := strings.TrimSpace(a.URL)
		g.add(address, cleanText(a.Text), dom.None, links.Key(address) == links.Key(site))
	}
	return g.judge(defaultModel())
}

// Elements judges the links of a page as Judge does, and returns a verdict for each
// element that has an href, in the order of the page: also for those that are hidden,
// lead to a part of the page, or are not of the web. URL is the address with its
// fragment, as a browser resolves it, and Text that of the element. Elements that
// lead to the same page have the same verdict.
func Elements(d *dom.Document, address string) []Verdict {
	g := collect(d, address)
	judged := g.judge(defaultModel())
	all := make([]Verdict, len(g.elements))
	for i, e := range g.elements {
		if e.link >= 0 {
			all[i] = judged[e.link]
		} else {
			all[i].Why = e.why
		}
		all[i].URL, all[i].Text, all[i].Node = e.url, e.text, e.node
	}
	return all
}

// group is the links to be judged together.
type group struct {
	page
	shown    int // number of those that links.Read returned
	elements []element
}

func (g *group) add(address, text string, n dom.Node, self bool) {
	c := newCandidate(address, text)
	c.url, c.node, c.self = address, n, self
	g.links = append(g.links, c)
}

// judge returns the verdicts.
func (g *group) judge(m *Model) []Verdict {
	if len(g.links) == 0 {
		return nil
	}
	g.markSite()
	n := len(FeatureNames)
	rows := m.rows(g.links)
	scores := m.score(rows)
	own := slices.Clone(scores)
	families := g.spread(scores)
	without := slices.Clone(rows)
	for i := range without {
		if i%n >= TextFeatures {
			without[i] = nan
		}
	}
	bare := m.score(without)
	verdicts := make([]Verdict, len(g.links))
	for i := range verdicts {
		l := &g.links[i]
		v := &verdicts[i]
		v.URL, v.Text, v.Node = l.url, l.text, l.node
		switch {
		case !l.ok:
			v.Why = "not an address of the web"
			continue
		case l.self:
			v.Why = "this page"
			continue
		case len(l.segments) == 0 && l.query == "":
			v.Why = "a home page"
			v.Section = l.isEdition()
			continue
		case loadWords().file[l.ext]:
			v.Why = "a file, no page"
			continue
		}
		moved := l.placeEffect()
		total := scores[i] + moved
		v.Score = math.Round(1e4/(1+math.Exp(-float64(total)))) / 1e4
		v.Story = total > 0
		x := explained{
			candidate: l, row: rows[i*n : (i+1)*n], story: v.Story, family: families[i],
			address: bare[i], text: own[i] - bare[i], siblings: scores[i] - own[i], spot: moved,
		}
		v.Why = x.why()
		v.Section = !v.Story && l.isSection()
	}
	return verdicts
}
