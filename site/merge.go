package site

import (
	"cmp"
	"maps"
	"slices"
)

// Merge adds what another profile of the same site knows, such as one that was
// learned on another machine. Which of the two is merged into the other makes
// no difference.
func (p *Profile) Merge(other *Profile) {
	if other == nil || other.pages == 0 {
		return
	}
	all := make([]*template, 0, len(p.templates)+len(other.templates))
	taken := map[*template]bool{}
	for _, m := range matches(p, other) {
		if !taken[m.a] && !taken[m.b] {
			taken[m.a], taken[m.b] = true, true
			all = append(all, join(m.a, m.b, p.pages-m.a.used, other.pages-m.b.used))
		}
	}
	for _, side := range []*Profile{p, other} {
		for _, t := range side.templates {
			if !taken[t] {
				all = append(all, join(t, &template{}, side.pages-t.used, side.pages-t.used))
			}
		}
	}
	// Here used says how many pages ago, until the best are chosen.
	slices.SortFunc(all, func(a, b *template) int {
		return cmp.Or(cmp.Compare(a.used, b.used), cmp.Compare(b.pages, a.pages), compareShapes(a.shapes, b.shapes))
	})
	p.templates = all[:min(len(all), maxTemplates)]
	p.pages = min(p.pages+other.pages, maxPages)
	for _, t := range p.templates {
		t.used = p.pages - t.used
	}
	p.mergeSeen(other.seen)
}

// match is a pair of templates that are made alike.
type match struct {
	a, b     *template
	likeness float64
}

// matches lists the pairs of two profiles, the most alike first.
func matches(p, other *Profile) (all []match) {
	for _, a := range p.templates {
		for _, b := range other.templates {
			var most float64
			for i := range b.shapes {
				most = max(most, a.likeness(&b.shapes[i]))
			}
			if most >= alike && a.agrees(b) {
				all = append(all, match{a, b, most})
			}
		}
	}
	slices.SortFunc(all, func(x, y match) int {
		return cmp.Or(cmp.Compare(y.likeness, x.likeness),
			cmp.Compare(y.a.pages+y.b.pages, x.a.pages+x.b.pages),
			compareShapes(x.both(), y.both()))
	})
	return all
}

func (m match) both() []shape { return joinShapes(m.a.shapes, m.b.shapes) }

// agrees tells whether what all pages of a template have is static in the
// other, or the other way round, if there is any.
func (t *template) agrees(u *template) bool {
	x, ok := t.familiar(u.staticRows())
	y, also := u.familiar(t.staticRows())
	return !ok || !also || x >= foreign || y >= foreign
}

func (t *template) staticRows() (keys []key) {
	for _, e := range t.rows {
		if t.static(e.key) {
			keys = append(keys, e.key)
		}
	}
	return keys
}

// join makes one template of two that were used some pages ago. It shares
// nothing with them.
func join(a, b *template, agoA, agoB int) *template {
	t := &template{
		shapes:  joinShapes(a.shapes, b.shapes),
		pages:   min(a.pages+b.pages, maxPages),
		weight:  a.weight + b.weight,
		rows:    a.rows.merge(b.rows, maxKeys),
		stories: a.stories + b.stories,
		kept:    a.kept.merge(b.kept, maxKnownPlaces),
		left:    a.left.merge(b.left, maxKnownPlaces),
		used:    max(0, min(agoA, agoB)),
	}
	for r := range roles {
		t.habits[r] = slices.Clone(a.habits[r]).merge(b.habits[r])
	}
	t.suffixes = slices.Clone(a.suffixes).merge(b.suffixes)
	words := maps.Clone(b.words)
	for k, s := range a.words {
		if old, ok := words[k]; !ok || s < old {
			if words == nil {
				words = map[key]string{}
			}
			words[k] = s
		}
	}
	for _, k := range slices.Sorted(maps.Keys(words)) {
		t.sample([]sample{{k, words[k]}})
	}
	t.rest()
	return t
}

// rest bounds the weights: two profiles that each know a site well know it
// no better than one that has seen all pages, and must fade as fast.
func (t *template) rest() {
	const most = 1 / (1 - fade)
	if t.weight > most {
		scale := most / t.weight
		t.weight *= scale
		t.rows.scale(scale)
	}
	if t.stories > most {
		scale := most / t.stories
		t.stories *= scale
		t.kept.scale(scale)
		t.left.scale(scale)
		for r := range t.habits {
			t.habits[r].scale(scale)
		}
		t.suffixes.scale(scale)
	}
}

func (t table) scale(by float32) {
	for i := range t {
		t[i].count *= by
	}
}

func (v votes) scale(by float32) {
	for i := range v {
		v[i].count *= by
	}
}

func joinShapes(a, b []shape) []shape {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y shape) int { return slices.Compare(x[:], y[:]) })
	all = slices.Compact(all)
	return all[:min(len(all), maxShapes)]
}

func compareShapes(a, b []shape) int {
	return slices.CompareFunc(a, b, func(x, y shape) int { return slices.Compare(x[:], y[:]) })
}

// mergeSeen remembers the pages of both.
func (p *Profile) mergeSeen(others []visit) {
	all := slices.Concat(p.seen, others)
	slices.SortFunc(all, func(a, b visit) int {
		return cmp.Or(compare(a.address, b.address), slices.Compare(a.story, b.story))
	})
	all = slices.CompactFunc(all, func(a, b visit) bool {
		return a.address == b.address && slices.Equal(a.story, b.story)
	})
	p.seen = all[:min(len(all), maxSeen)]
}
