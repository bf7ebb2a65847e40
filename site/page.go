package site

import (
	"strings"

	"github.com/lede-news/lede/dom"
)

// Page is a document with the keys that a profile goes by. They are worked out
// once, for reading and for observing.
type Page struct {
	doc    *dom.Document
	rows   []row
	keys   []key // of the rows with words, sorted
	places []key // by node: the place of an element with text or a picture, else 0
	shape  shape
}

// row is a run of text that no block or line break parts. The static noise of
// StaDyNoT is nodes; rows are a better measure of it: a word of a paragraph that
// is a link, or set in bold, may be the same on every page while its paragraph
// is not.
type row struct {
	first, last      dom.Node // text nodes
	key              key
	words, linkWords int32
}

// prose is what a reader would read, rather than click on.
func (r *row) prose() int32 { return r.words - r.linkWords }

// NewPage works out the keys of a document.
func NewPage(d *dom.Document) *Page {
	p := &Page{doc: d, shape: shapeOf(d)}
	p.findRows()
	p.findPlaces()
	p.keys = make([]key, 0, len(p.rows))
	for i := range p.rows {
		if p.rows[i].words > 0 {
			p.keys = append(p.keys, p.rows[i].key)
		}
	}
	p.keys = distinct(p.keys, maxRows)
	return p
}

func (p *Page) findRows() {
	d, all := p.doc, p.doc.AllText()
	p.rows = make([]row, 0, int(d.Counts(d.Root()).Texts)/2+1)
	last := -1 // where the row so far ends in the text
	end := func() {
		if n := len(p.rows); n > 0 {
			p.rows[n-1].key = p.rowKey(&p.rows[n-1])
		}
	}
	for n := range dom.Node(d.Len()) {
		if !d.IsText(n) {
			continue
		}
		from, to := d.Span(n)
		if from >= to {
			continue
		}
		if last < 0 || from > last && strings.IndexByte(all[last:from], '\n') >= 0 {
			end()
			p.rows = append(p.rows, row{first: n})
		}
		r := &p.rows[len(p.rows)-1]
		c := d.Counts(n)
		r.last, r.words, r.linkWords, last = n, r.words+c.Words, r.linkWords+c.LinkWords, to
	}
	end()
}

// text is what a reader sees of a row.
func (p *Page) text(r *row) string {
	from, _ := p.doc.Span(r.first)
	_, to := p.doc.Span(r.last)
	return p.doc.AllText()[from:to]
}

// rowKey tells the same words apart where they stand in another element, as a
// heading and a link of the menu may read the same.
func (p *Page) rowKey(r *row) key {
	return fold(hashText(uint64(p.doc.Tag(p.doc.Parent(r.first))), p.text(r)))
}
