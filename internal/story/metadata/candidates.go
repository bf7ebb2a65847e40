package metadata

import (
	"cmp"
	"slices"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
)

// Candidate is a value that a page offers for a fact. Explanations show which values lost.
type Candidate struct {
	Fact   string // as in Facts.Sources: title, authors, published, …
	Value  string
	Node   dom.Node // that shows or declares the value, or dom.None
	Source string   // as in Facts.Sources
	Score  float32  // the highest wins; comparable only within a fact
}

// fact is a field of Facts.
type fact uint8

const (
	factTitle fact = iota
	factAuthor
	factPublished
	factModified
	factLang
	factSite
	factSection
	factCanonical
	factDescription
	factTag
	factImage
	factType
	factCount
)

// candidate is a possible value of a fact. The pass over the page sets where it was found and
// how far such a source is trusted; the function that decides about the fact sets the score.
type candidate struct {
	text   string
	node   dom.Node // that shows or declares it, or 0
	source string   // for Facts.Sources
	rank   uint8    // of the source: a lower rank is preferred
	score  float32  // the highest wins, and of equal ones the first

	// For authors:
	group bool // an organization
	url   string

	// For dates:
	date article.Date

	image article.Image // without its URL
}

// best returns the candidate with the highest score, or nil if none has a score above 0.
func best(list []candidate) *candidate {
	var won *candidate
	for i := range list {
		if c := &list[i]; c.score > 0 && (won == nil || c.score > won.score) {
			won = c
		}
	}
	return won
}

// offer records the candidates of a fact for Facts.Candidates, the best first.
func (p *page) offer(name string, list []candidate) {
	if p.opts.NoSources {
		return
	}
	from := len(p.offered)
	for i := range list {
		c := &list[i]
		shown := Candidate{Fact: name, Value: cleanText(truncate(c.text, 1000)), Node: dom.None, Source: c.source, Score: c.score}
		if c.node > 0 {
			shown.Node = c.node
		}
		p.offered = append(p.offered, shown)
	}
	slices.SortStableFunc(p.offered[from:], func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
}

// candidates holds the candidates of each fact, ordered by rank and then by position on the
// page.
type candidates [factCount][]candidate

// maxCandidates bounds the candidates for one fact on pages that repeat themselves.
const maxCandidates = 64

func (cs *candidates) add(what fact, c candidate) {
	if c.text == "" || len(cs[what]) >= maxCandidates {
		return
	}
	list := cs[what]
	i := len(list)
	for i > 0 && list[i-1].rank > c.rank {
		i--
	}
	cs[what] = slices.Insert(list, i, c)
}

// first returns the first candidate that is not empty after cleaning, and its source.
func (cs *candidates) first(what fact, clean func(string) string) (text, source string) {
	for i := range cs[what] {
		c := &cs[what][i]
		if t := clean(c.text); t != "" {
			return t, c.source
		}
	}
	return "", ""
}
