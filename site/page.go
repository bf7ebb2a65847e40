package site

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

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

// A place is where an element stands on the pages of a site: its name and
// classes, and those of the two elements around it, as in
// "div.story>div.text>p.byline". Its key is made of the keys of the steps, so
// that people may edit places in a profile.

const placeSteps = 3

// findPlaces gives a key to every element that shows something.
func (p *Page) findPlaces() {
	d := p.doc
	p.places = make([]key, d.Len())
	steps := make([]uint64, d.Len())
	var buf []byte
	for n := range dom.Node(d.Len()) {
		if d.IsText(n) || d.Hidden(n) || n == d.Root() {
			continue
		}
		if d.Words(n) == 0 && d.Tag(n) != dom.Img {
			continue
		}
		buf = appendStep(buf[:0], d, n)
		steps[n] = hashText(0, buf)
		h := steps[n]
		up := n
		for range placeSteps - 1 {
			if up = d.Parent(up); up == dom.None || steps[up] == 0 {
				break
			}
			h = mix(h, steps[up])
		}
		p.places[n] = asPlace(h, bytes.IndexByte(buf, '.') >= 0)
	}
}

// named is set in the keys of places whose own element has a class or an id.
// The others are too common to tell what belongs to a story: "tr>td>p".
const named key = 1 << 31

func asPlace(h uint64, hasName bool) key {
	k := max(1, fold(h)&^named)
	if hasName {
		k |= named
	}
	return k
}

// placeName spells the place of an element.
func (p *Page) placeName(n dom.Node) string {
	var s string
	for range placeSteps {
		if n == dom.None || n == p.doc.Root() {
			break
		}
		step := string(appendStep(nil, p.doc, n))
		if s == "" {
			s = step
		} else {
			s = step + ">" + s
		}
		n = p.doc.Parent(n)
	}
	return s
}

// placeKey is the key of a place that is spelled out.
func placeKey(name string) key {
	steps := strings.Split(name, ">")
	var h uint64
	for i := len(steps) - 1; i >= 0 && i >= len(steps)-placeSteps; i-- {
		if s := hashText(0, steps[i]); i == len(steps)-1 {
			h = s
		} else {
			h = mix(h, s)
		}
	}
	return asPlace(h, strings.Contains(steps[len(steps)-1], "."))
}

const maxStep = 64 // bytes

// appendStep writes an element's name and classes, or its id where it has none.
// Words with digits in them are left out: they number stories (post-1234) or
// change with every build of the style sheet (css-1x2y3z).
func appendStep(b []byte, d *dom.Document, n dom.Node) []byte {
	start := len(b)
	name := d.Name(n)
	b = append(b, name[:min(len(name), maxStep)]...)
	class, ok := d.Attr(n, "class")
	if !ok || class == "" {
		if class = d.AttrOr(n, "id"); class == "" {
			return b
		}
	}
	for i := 0; i < len(class); {
		for i < len(class) && class[i] <= ' ' {
			i++
		}
		from, digits := i, false
		for ; i < len(class) && class[i] > ' '; i++ {
			digits = digits || class[i] >= '0' && class[i] <= '9' || class[i] == '>'
		}
		if word := class[from:i]; word != "" && !digits && len(b)-start+len(word) < maxStep {
			b = append(append(b, '.'), word...)
		}
	}
	return b
}

// shape is a sketch of the set of tag paths of a page (min-hash with one
// permutation): the share of places in which two shapes agree is about the
// share of tag paths that two pages have in common.
type shape [shapeSize]uint16

const shapeSize = 64

// alike is the share of tag paths that two pages of one template have in
// common at least. Stories of one template can differ a good deal, by tables,
// videos and comments; what they know is the same from 0.3 to 0.6.
const alike = 0.3

func shapeOf(d *dom.Document) (s shape) {
	hashes := make([]uint64, d.Paths())
	for n := range dom.Node(d.Len()) {
		if d.IsText(n) || d.Words(n) == 0 {
			continue
		}
		path := d.Path(n)
		if hashes[path] != 0 {
			continue
		}
		up := uint64(hashSeed)
		if par := d.Parent(n); par != dom.None {
			up = hashes[d.Path(par)]
		}
		h := mix(up, uint64(d.Tag(n))+1) | 1
		hashes[path] = h
		slot := &s[h>>8%shapeSize]
		if v := uint16(h>>48) | 1; *slot == 0 || v < *slot {
			*slot = v
		}
	}
	return s
}

func (s *shape) likeness(t *shape) float64 {
	same, all := 0, 0
	for i := range s {
		if s[i] == 0 && t[i] == 0 {
			continue
		}
		all++
		if s[i] == t[i] {
			same++
		}
	}
	if all == 0 {
		return 1
	}
	return float64(same) / float64(all)
}

// key is the hash of a row of text or of a place on the page. Of a site's few
// thousand keys one in a million is taken for another, which costs a row.
type key uint32

// The hash goes by eight bytes at a time. It must be the same on every machine
// and in every version, as it is saved; that is why it is not hash/maphash.
const (
	hashSeed = 0x9E3779B97F4A7C15
	hashMul  = 0xA0761D6478BD642F
)

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^hashMul, b^hashSeed)
	return hi ^ lo
}

func hashText[T string | []byte](seed uint64, s T) uint64 {
	h := seed ^ uint64(len(s))*hashSeed
	for len(s) >= 8 {
		h = mix(h, uint64(s[0])|uint64(s[1])<<8|uint64(s[2])<<16|uint64(s[3])<<24|
			uint64(s[4])<<32|uint64(s[5])<<40|uint64(s[6])<<48|uint64(s[7])<<56)
		s = s[8:]
	}
	var rest uint64
	for i := range len(s) {
		rest = rest<<8 | uint64(s[i])
	}
	return mix(h, rest)
}

func fold(h uint64) key { return key(h ^ h>>32) }

func compare(a, b key) int { return cmp.Compare(a, b) }

// distinct sorts keys, takes each once and keeps the smallest n. The smallest
// of a set of hashes are a fair sample of it, and the same one on every page.
func distinct(keys []key, n int) []key {
	slices.Sort(keys)
	keys = slices.Compact(keys)
	return slices.Clip(keys[:min(len(keys), n)])
}

// common counts what two sorted lists share.
func common(a, b []key) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch compare(a[0], b[0]) {
		case -1:
			a = a[1:]
		case 1:
			b = b[1:]
		default:
			n++
			a, b = a[1:], b[1:]
		}
	}
	return n
}

// clip cuts a text to at most n bytes, between two characters, and copies it
// so that it does not hold on to its page.
func clip(s string, n int) string {
	if len(s) > n {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	if !utf8.ValidString(s) {
		return strings.ToValidUTF8(s, "") // never longer
	}
	return strings.Clone(s)
}
