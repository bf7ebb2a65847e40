package site

import (
	"maps"
	"slices"
)

// AppendBinary writes the profile to the end of b, with a checksum. Counts are
// rounded to a 256th of a page.
func (p *Profile) AppendBinary(b []byte) ([]byte, error) {
	e := newEncoder(b, profileMark)
	e.text(p.name)
	e.count(p.pages)
	e.count(len(p.templates))
	for _, t := range p.templates {
		e.template(t)
	}
	e.count(len(p.seen))
	for _, v := range p.seen {
		e.count(int(v.address))
		e.keys(v.story)
	}
	return e.done(), nil
}

func (e *encoder) template(t *template) {
	e.count(len(t.shapes))
	for i := range t.shapes {
		e.shape(&t.shapes[i])
	}
	e.count(t.pages)
	e.share(t.weight)
	e.table(t.rows)
	e.count(len(t.words))
	for _, k := range slices.Sorted(maps.Keys(t.words)) {
		e.count(int(k))
		e.text(t.words[k])
	}
	e.share(t.stories)
	e.table(t.kept)
	e.table(t.left)
	for _, v := range t.habits {
		e.votes(v)
	}
	e.votes(t.suffixes)
	e.count(t.strangers)
	e.count(t.used)
}

// MarshalBinary is AppendBinary to nothing.
func (p *Profile) MarshalBinary() ([]byte, error) { return p.AppendBinary(nil) }

// UnmarshalBinary reads what AppendBinary wrote. The error is ErrCorrupt or
// ErrVersion.
func (p *Profile) UnmarshalBinary(b []byte) error {
	d, err := newDecoder(b, profileMark)
	if err != nil {
		return err
	}
	var n Profile
	n.name = d.text(maxName)
	n.pages = int(d.number(maxPages))
	for range d.count(maxTemplates, 1) {
		n.templates = append(n.templates, d.template())
	}
	for range d.count(maxSeen, 2) {
		n.seen = append(n.seen, visit{key(d.number(1<<32 - 1)), d.keys(maxStory)})
	}
	if err := d.done(); err != nil {
		return err
	}
	*p = n
	return nil
}

const maxPages = 1 << 40

func (d *decoder) template() *template {
	t := &template{}
	for range d.count(maxShapes, 2*shapeSize) {
		t.shapes = append(t.shapes, d.shape())
	}
	t.pages = int(d.number(maxPages))
	t.weight = d.share()
	t.rows = d.table(maxKeys)
	if n := d.count(maxWords, 2); n > 0 {
		t.words = make(map[key]string, n)
		for range n {
			k := key(d.number(1<<32 - 1))
			t.words[k] = d.text(maxSample)
		}
	}
	t.stories = d.share()
	t.kept, t.left = d.table(maxKnownPlaces), d.table(maxKnownPlaces)
	for r := range t.habits {
		t.habits[r] = d.votes()
	}
	t.suffixes = d.votes()
	t.strangers = int(d.number(redesign))
	t.used = int(d.number(maxPages))
	return t
}
