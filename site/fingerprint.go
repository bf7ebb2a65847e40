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

// Fingerprint is a page with the hashes by which a Profile recognizes what it
// has seen before: of its rows of text, of the places of its elements and of its
// tag paths. It is computed once, to match a page and to observe it.
type Fingerprint struct {
	doc    *dom.Document
	rows   []row
	keys   []key    // of the rows with words, sorted
	places []key    // by node: the place of an element with text or a picture, else 0
	steps  []uint64 // by node: the hash of the element's name and classes, else 0
	shape  shape
}

// row is a run of text without a block boundary or line break. StaDyNoT
// compares nodes; rows are better, because a linked or bold word may be the same
// on every page while its paragraph is not.
type row struct {
	first, last      dom.Node // text nodes
	key              key
	words, linkWords int32
}

// prose counts the words that are not links.
func (r *row) prose() int32 { return r.words - r.linkWords }

// NewFingerprint computes the fingerprint of a page.
func NewFingerprint(d *dom.Document) *Fingerprint {
	f := &Fingerprint{doc: d}
	f.findShape()
	f.findRows()
	f.findPlaces()
	f.keys = make([]key, 0, len(f.rows))
	for i := range f.rows {
		if f.rows[i].words > 0 {
			f.keys = append(f.keys, f.rows[i].key)
		}
	}
	f.keys = smallest(f.keys, maxRows)
	return f
}

// URL returns the address that the page gives for itself, in its canonical link
// or as og:url. It is empty if there is no absolute one.
func (f *Fingerprint) URL() string {
	d := f.doc
	for n := range d.All(d.Root(), dom.Link) {
		if href := d.Attr(n, "href"); isAbsolute(href) && strings.EqualFold(strings.TrimSpace(d.Attr(n, "rel")), "canonical") {
			return strings.TrimSpace(href)
		}
	}
	for n := range d.All(d.Root(), dom.Meta) {
		if content := d.Attr(n, "content"); isAbsolute(content) && strings.EqualFold(d.Attr(n, "property"), "og:url") {
			return strings.TrimSpace(content)
		}
	}
	return ""
}

func isAbsolute(address string) bool {
	scheme, host, _ := strings.Cut(strings.ToLower(strings.TrimSpace(address)), "://")
	return (scheme == "http" || scheme == "https") && host != ""
}

func (f *Fingerprint) findRows() {
	d, all := f.doc, f.doc.AllText()
	f.rows = make([]row, 0, int(d.Counts(d.Root()).Texts)/2+1)
	last := -1 // where the row so far ends in the text
	end := func() {
		if n := len(f.rows); n > 0 {
			f.rows[n-1].key = f.rowKey(&f.rows[n-1])
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
			f.rows = append(f.rows, row{first: n})
		}
		r := &f.rows[len(f.rows)-1]
		c := d.Counts(n)
		r.last, r.words, r.linkWords, last = n, r.words+c.Words, r.linkWords+c.LinkWords, to
	}
	end()
}

// text returns the visible text of a row.
func (f *Fingerprint) text(r *row) string {
	from, _ := f.doc.Span(r.first)
	_, to := f.doc.Span(r.last)
	return f.doc.AllText()[from:to]
}

// rowKey includes the element, because a heading and a link in the menu may
// have the same text.
func (f *Fingerprint) rowKey(r *row) key {
	return fold(hashText(uint64(f.doc.Tag(f.doc.Parent(r.first))), f.text(r)))
}

// title returns the <title> of the page with white space collapsed.
func (f *Fingerprint) title() string {
	n := f.doc.First(dom.Title)
	if n == dom.None {
		return ""
	}
	return strings.Join(strings.Fields(f.doc.Raw(n)), " ")
}

// A place is the position of an element on the pages of a site: its name and
// classes, and those of the two elements around it, as in
// "div.story>div.text>p.byline". The key of a place is made of the keys of its
// steps, so that people may edit places in a profile.

const placeSteps = 3

// findPlaces computes the place of every element that shows something.
func (f *Fingerprint) findPlaces() {
	d := f.doc
	f.places = make([]key, d.Len())
	f.steps = make([]uint64, d.Len())
	steps := f.steps
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
		f.places[n] = newPlace(h, bytes.IndexByte(buf, '.') >= 0)
	}
}

// named is set in the keys of places whose own element has a class or an id.
// Others, such as "tr>td>p", are too common to tell what belongs to a story.
const named key = 1 << 31

func newPlace(h uint64, hasName bool) key {
	k := max(1, fold(h)&^named)
	if hasName {
		k |= named
	}
	return k
}

// placeName returns the place of an element in words.
func (f *Fingerprint) placeName(n dom.Node) string {
	var steps []string
	for range placeSteps {
		if n == dom.None || n == f.doc.Root() {
			break
		}
		steps = append(steps, string(appendStep(nil, f.doc, n)))
		n = f.doc.Parent(n)
	}
	slices.Reverse(steps)
	return strings.Join(steps, ">")
}

// placeKey returns the key of a place that is given in words.
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
	return newPlace(h, strings.Contains(steps[len(steps)-1], "."))
}

const maxStep = 64 // bytes

// appendStep writes an element's name and classes, or its id if it has none.
// Words with digits are left out: they number stories (post-1234) or change with
// every build of the style sheet (css-1x2y3z).
func appendStep(b []byte, d *dom.Document, n dom.Node) []byte {
	start := len(b)
	name := d.Name(n)
	b = append(b, name[:min(len(name), maxStep)]...)
	class, ok := d.LookupAttr(n, "class")
	if !ok || class == "" {
		if class = d.Attr(n, "id"); class == "" {
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
// permutation): the share of slots in which two shapes agree estimates the share
// of tag paths that two pages have in common.
type shape [shapeSize]uint16

const shapeSize = 64

// minSimilarity is the share of tag paths that two pages of one template have in
// common at least. Stories of one template can differ a lot, by tables, videos
// and comments; the results are the same from 0.3 to 0.6.
const minSimilarity = 0.3

func (f *Fingerprint) findShape() {
	d, s := f.doc, &f.shape
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
		if parent := d.Parent(n); parent != dom.None {
			up = hashes[d.Path(parent)]
		}
		h := mix(up, uint64(d.Tag(n))+1) | 1
		hashes[path] = h
		slot := &s[h>>8%shapeSize]
		if v := uint16(h>>48) | 1; *slot == 0 || v < *slot {
			*slot = v
		}
	}
}

func (s *shape) similarity(t *shape) float64 {
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

// key is the hash of a row of text or of a place. Of the few thousand keys of a
// site, one in a million collides, which costs a row.
type key uint32

// The hash must be the same on every machine and in every version, because it
// is saved; hash/maphash is not.
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

// smallest sorts keys, removes duplicates and keeps the smallest n. The smallest
// hashes of a set are a fair sample of it, and the same sample on every page.
func smallest(keys []key, n int) []key {
	slices.Sort(keys)
	keys = slices.Compact(keys)
	return slices.Clip(keys[:min(len(keys), n)])
}

// common counts the keys that two sorted lists share.
func common(a, b []key) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch cmp.Compare(a[0], b[0]) {
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

// clip cuts a text to at most n bytes, between two characters, and copies it so
// that it does not keep its page in memory.
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
