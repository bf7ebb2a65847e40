package site

import (
	"bytes"
	"strings"

	"github.com/lede-news/lede/dom"
)

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
