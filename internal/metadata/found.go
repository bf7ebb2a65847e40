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
	node dom.Node
	rank uint8 // lower ranks are believed first

	// Of an author:
	group bool // no person
	url   string

	// Of a picture, where more than its address is told:
	shot *shot
}

// shot is what a source tells of a picture beside its address.
type shot struct {
	alt, caption, credit string
	width, height        int
}

// detail is where to note what is told of a picture.
func (c *candidate) detail() *shot {
	if c.shot == nil {
		c.shot = &shot{}
	}
	return c.shot
}

// found holds all claims by fact, the most believable first; claims of the
// same rank are in the order of the page.
type found [factCount][]candidate

// most bounds the claims for one fact: a page may repeat itself a thousand times.
const most = 64

// few is as many as most pages have for a fact that they tell at all.
const few = 4

func (f *found) add(what fact, c candidate) {
	if c.text == "" || len(f[what]) >= most {
		return
	}
	list := f[what]
	if list == nil {
		list = make([]candidate, 0, few)
	}
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
