package site

import (
	"cmp"
	"maps"
	"slices"
)

// Merge adds what another profile of the same site knows, such as one that was
// learned on another machine. The result is the same whichever of the two is
// merged into the other.
func (p *Profile) Merge(other *Profile) {
	if other == nil || other.pages == 0 || p.isEmpty() && p.copy(other) {
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
	// Until the best are chosen, used is the number of pages since the last use.
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

func (p *Profile) isEmpty() bool { return p.pages == 0 && len(p.templates) == 0 && len(p.seen) == 0 }

// copy makes the profile a copy of another, but for the name.
func (p *Profile) copy(other *Profile) bool {
	var n Profile
	b, err := other.MarshalBinary()
	if err != nil || n.UnmarshalBinary(b) != nil {
		return false
	}
	n.name = p.name
	*p = n
	return true
}

// match is a pair of similar templates.
type match struct {
	a, b       *template
	similarity float64
}

// matches lists the pairs of two profiles, the most similar first.
func matches(p, other *Profile) (all []match) {
	for _, a := range p.templates {
		for _, b := range other.templates {
			var most float64
			for i := range b.shapes {
				most = max(most, a.similarity(&b.shapes[i]))
			}
			if most >= minSimilarity && a.agrees(b) {
				all = append(all, match{a, b, most})
			}
		}
	}
	slices.SortFunc(all, func(x, y match) int {
		return cmp.Or(cmp.Compare(y.similarity, x.similarity),
			cmp.Compare(y.a.pages+y.b.pages, x.a.pages+x.b.pages),
			compareShapes(joinShapes(x.a.shapes, x.b.shapes), joinShapes(y.a.shapes, y.b.shapes)))
	})
	return all
}

// agrees reports whether what all pages of one template have is static in the
// other. It is true if there is too little to tell.
func (t *template) agrees(u *template) bool {
	x, ok := t.familiarity(u.staticRows())
	y, also := u.familiarity(t.staticRows())
	return !ok || !also || x >= minFamiliarity || y >= minFamiliarity
}

// join returns a new template from two that were last used some pages ago.
func join(a, b *template, agoA, agoB int) *template {
	t := &template{
		shapes:  joinShapes(a.shapes, b.shapes),
		pages:   min(a.pages+b.pages, maxPages),
		weight:  a.weight + b.weight,
		rows:    a.rows.merge(b.rows, maxKeys),
		stories: a.stories + b.stories,
		kept:    a.kept.merge(b.kept, maxKnownPlaces),
		dropped: a.dropped.merge(b.dropped, maxKnownPlaces),
		clues:   a.clues.merge(b.clues, maxKnownClues),
		used:    max(0, min(agoA, agoB)),
	}
	for r := range roles {
		t.habits[r] = slices.Clone(a.habits[r]).merge(b.habits[r])
	}
	t.suffixes = slices.Clone(a.suffixes).merge(b.suffixes)
	words := map[key]string{}
	maps.Copy(words, b.words)
	for k, text := range a.words {
		if other, ok := words[k]; !ok || text < other {
			words[k] = text
		}
	}
	var samples []sample
	for _, k := range slices.Sorted(maps.Keys(words)) {
		samples = append(samples, sample{k, words[k]})
	}
	t.addSamples(samples)
	t.limitWeight()
	return t
}

// limitWeight scales the counts down: two profiles that each know a site well
// know it no better than one that has seen all pages, and must decay as fast.
func (t *template) limitWeight() {
	const limit = 1 / (1 - decay)
	if t.weight > limit {
		factor := limit / t.weight
		t.weight *= factor
		t.rows.scale(factor)
	}
	if t.stories > limit {
		factor := limit / t.stories
		t.stories *= factor
		t.kept.scale(factor)
		t.dropped.scale(factor)
		t.clues.scale(factor)
		for r := range t.habits {
			t.habits[r].scale(factor)
		}
		t.suffixes.scale(factor)
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

// mergeSeen keeps the pages that either profile has seen.
func (p *Profile) mergeSeen(others []visit) {
	all := slices.Concat(p.seen, others)
	slices.SortFunc(all, func(a, b visit) int {
		return cmp.Or(cmp.Compare(a.address, b.address), slices.Compare(a.story, b.story))
	})
	all = slices.CompactFunc(all, func(a, b visit) bool {
		return a.address == b.address && slices.Equal(a.story, b.story)
	})
	p.seen = all[:min(len(all), maxSeen)]
}
