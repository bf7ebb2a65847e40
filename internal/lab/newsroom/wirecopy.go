package newsroom

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// wireCopyKinds are the kinds of copies and how often each is made, of a hundred.
var wireCopyKinds = []struct {
	kind string
	n    int
}{
	{WireCopy, 12}, {WireCut, 13}, {WireMiddle, 8}, {WireReordered, 8}, {WireLocal, 11}, {WireCorrected, 11},
	{WireStyle, 13}, {WireExcerpt, 8}, {WireLonger, 8}, {WireTwice, 4}, {WireRoundUp, 4},
}

// copies publishes n copies of a text.
func (v *wireEvent) copies(t wireText, n int) {
	for range n {
		k := v.r.intN(100)
		for _, c := range wireCopyKinds {
			if k -= c.n; k < 0 {
				v.copy(t, c.kind)
				break
			}
		}
	}
}

// copy publishes one copy of a text.
func (v *wireEvent) copy(t wireText, kind string) {
	paper := v.paper()
	p := slices.Clone(t.paragraphs)
	n := len(p)
	switch kind {
	case WireCut:
		p = p[:max(2, n*(45+v.r.intN(45))/100)]
	case WireMiddle:
		from := 1 + v.r.intN(max(1, n-2))
		p = slices.Delete(p, from, min(n, from+1+v.r.intN(max(1, n/3))))
	case WireReordered:
		for range 2 + v.r.intN(4) {
			i, k := 1+v.r.intN(max(1, n-1)), 1+v.r.intN(max(1, n-1))
			if i < n && k < n {
				p[i], p[k] = p[k], p[i]
			}
		}
	case WireLocal:
		p = append(v.own(1+v.r.intN(3)), p...)
	case WireCorrected:
		p = v.corrected(t)
	case WireExcerpt:
		p = v.excerpt(p, 2+v.r.intN(2))
	case WireLonger:
		p = append(p, v.own(2+v.r.intN(n))...)
	case WireRoundUp:
		if p = v.roundUp(t); p == nil {
			kind, p = WireCopy, t.paragraphs
		}
	}
	if kind != WireRoundUp && kind != WireExcerpt && kind != WireLocal && v.r.chance(40) {
		p = v.frame(p, false)
	}
	a := v.publishAs(t, kind, paper, p, false)
	if kind == WireTwice {
		a.Kind = WireCopy
		b := *a
		b.ID, b.Kind = wireID(v.e, len(v.out)), WireTwice
		b.URL = wireURL(paper.host, a.Seen, a.ID, true)
		b.Seen = a.Seen.Add(v.delay())
		v.out = append(v.out, b)
	}
}

// excerpt returns the first n paragraphs, or more if they are short.
func (v *wireEvent) excerpt(paragraphs [][]byte, n int) [][]byte {
	enough := 350
	if !v.g.spaced {
		enough = 140
	}
	letters := 0
	for i, p := range paragraphs {
		if letters += utf8.RuneCount(p); i+1 >= n && letters >= enough {
			return paragraphs[:i+1]
		}
	}
	return paragraphs
}

// own returns n paragraphs of a paper's own.
func (v *wireEvent) own(n int) [][]byte {
	var paragraphs [][]byte
	for range n {
		paragraphs = append(paragraphs, v.paragraph(&v.r, &v.facts, nil, 1+v.r.intN(3)))
	}
	return paragraphs
}

// corrected returns the text with another name, another number or a rewritten
// paragraph.
func (v *wireEvent) corrected(t wireText) [][]byte {
	p := slices.Clone(t.paragraphs)
	if v.r.chance(34) {
		k := v.r.intN(len(p))
		p[k] = v.paragraph(&v.r, &v.facts, nil, 1+v.r.intN(3))
		return p
	}
	if v.r.chance(50) {
		return v.renamed(p)
	}
	for range 1 + v.r.intN(3) {
		k := v.r.intN(len(p))
		p[k] = changeNumber(p[k], &v.r)
	}
	return p
}

// renamed returns the text with another name for a person of the event.
func (v *wireEvent) renamed(paragraphs [][]byte) [][]byte {
	name := func(r wireRand, slot wireSlot) []byte {
		fill := wireFiller{g: v.g, facts: &v.facts}
		fill.slot(&r, &wirePart{kind: slot})
		return fill.out
	}
	key := familiarKeys[v.r.intN(2)]
	right := wireRand(v.r.next())
	for _, slot := range []wireSlot{slotPerson, slotSurname} {
		wrong := name(v.facts.rand(slot, key), slot)
		for i, p := range paragraphs {
			paragraphs[i] = bytes.ReplaceAll(p, wrong, name(right, slot))
		}
	}
	return paragraphs
}

// changeNumber returns a paragraph with its first number changed.
func changeNumber(p []byte, r *wireRand) []byte {
	from, to := slices.Index(p, markNumber), slices.Index(p, markNumberEnd)
	if from < 0 {
		return p
	}
	p = slices.Clone(p)
	last := &p[to-1]
	*last = '0' + (*last-'0'+1+byte(r.intN(8)))%10
	if to-from == 2 && *last == '0' {
		*last = '4'
	}
	return p
}

// roundUp returns paragraphs of the text and fewer of another event's, nil if there is
// no other.
func (v *wireEvent) roundUp(t wireText) [][]byte {
	old, ok := v.w.earlier(v.e, v.g.lang, &v.r)
	if !ok {
		return nil
	}
	other := v.w.newEvent(old)
	if other.kind == WireSeries {
		return nil
	}
	var ours, theirs int
	out := [][]byte{v.paragraph(&v.r, &v.facts, nil, 1)}
	for _, p := range t.paragraphs[:min(len(t.paragraphs), 3+v.r.intN(3))] {
		out = append(out, p)
		ours += len(p)
	}
	for _, p := range other.text(&other.facts, 0, []int{ledePart, 1, 2}) {
		if theirs += len(p); theirs > ours/2 {
			break
		}
		out = append(out, p)
	}
	return out
}
