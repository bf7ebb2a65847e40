package metadata

import (
	"slices"

	"github.com/lede-news/lede/dom"
)

// fact is one of the things that a source can tell.
type fact uint8

const (
	ofTitle fact = iota
	ofAuthor
	ofPublished
	ofModified
	ofLang
	ofSite
	ofSection
	ofCanonical
	ofStandfirst
	ofTag
	ofPicture
	ofType
	factCount
)

// candidate is what one source claims of a fact.
type candidate struct {
	text string
	from string // the source, for Facts.Sources
	rank uint8  // lower ranks are believed first
	node dom.Node

	// Of an author:
	url   string
	group bool // no person

	// Of a picture:
	alt, caption, credit string
	width, height        int
}

// found holds all claims by fact, the most believable first; claims of the
// same rank are in the order of the page.
type found [factCount][]candidate

// most bounds the claims for one fact: a page may repeat itself a thousand times.
const most = 64

func (f *found) add(what fact, c candidate) {
	if c.text == "" || len(f[what]) >= most {
		return
	}
	list := f[what]
	i := len(list)
	for i > 0 && list[i-1].rank > c.rank {
		i--
	}
	f[what] = slices.Insert(list, i, c)
}

// first is the best claim for a fact after cleaning, and its source.
func (f *found) first(what fact, clean func(string) string) (text, source string) {
	for i := range f[what] {
		c := &f[what][i]
		if t := clean(c.text); t != "" {
			return t, c.from
		}
	}
	return "", ""
}
