package stories

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// diffWork bounds the steps of comparing words in a Diff.
	diffWork = 20_000_000
	// diffCells bounds the product of the lengths of two passages that are compared word by
	// word.
	diffCells = 1 << 24
)

// splitWords returns the words of a text with their places.
func splitWords(text string) []word {
	var words []word
	s := newScanner(text)
	for {
		w, ok := s.next()
		if !ok {
			return words
		}
		words = append(words, w)
	}
}

// group is a run of paragraphs of one text that correspond to a run of the
// other; one of the two may be empty.
type group struct {
	i, iEnd, j, jEnd int
	moved            bool
}

// edits returns the edits in the order of the later text. What was cut stands
// after what preceded it in the earlier text.
func (d *differ) edits() []Edit {
	groups := d.groups()
	markMoved(groups)
	var out []Edit
	next := 0 // paragraphs of a before this one are written, or moved
	cut := func(until int) {
		for ; next < until; next++ {
			if d.a[next].match < 0 {
				out = append(out, d.edit(group{i: next, iEnd: next + 1}))
			}
		}
	}
	g := 0
	for j := 0; j < len(d.b); {
		if d.b[j].match < 0 {
			out = append(out, d.edit(group{j: j, jEnd: j + 1}))
			j++
			continue
		}
		if !groups[g].moved {
			cut(groups[g].i)
		}
		out = append(out, d.edit(groups[g]))
		if !groups[g].moved {
			next = groups[g].iEnd
			// What was cut right here comes before what was added.
			for next < len(d.a) && d.a[next].match < 0 {
				cut(next + 1)
			}
		}
		j = groups[g].jEnd
		g++
	}
	cut(len(d.a))
	return out
}

// groups returns the groups of paragraphs that correspond, in the order of the
// later text.
func (d *differ) groups() []group {
	var groups []group
	for j := 0; j < len(d.b); j++ {
		i := d.b[j].match
		if i < 0 {
			continue
		}
		g := group{i: i, iEnd: i + 1, j: j, jEnd: j + 1}
		for g.jEnd < len(d.b) && d.b[g.jEnd].match == i {
			g.jEnd++
		}
		// Paragraphs of either side may have been joined to the pair.
		in := func(i int) bool { return 0 <= i && i < len(d.a) && j <= d.a[i].match && d.a[i].match < g.jEnd }
		for in(g.i - 1) {
			g.i--
		}
		for in(g.iEnd) {
			g.iEnd++
		}
		j = g.jEnd - 1
		groups = append(groups, g)
	}
	return groups
}

// markMoved marks the groups that are not part of the longest run of groups
// which have the same order in both texts.
func markMoved(groups []group) {
	tails, before := []int{}, make([]int, len(groups))
	for g := range groups {
		n, _ := slices.BinarySearchFunc(tails, groups[g].i, func(t, i int) int { return cmp.Compare(groups[t].i, i) })
		before[g] = -1
		if n > 0 {
			before[g] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, g)
		} else {
			tails[n] = g
		}
		groups[g].moved = true
	}
	if len(tails) > 0 {
		for g := tails[len(tails)-1]; g >= 0; g = before[g] {
			groups[g].moved = false
		}
	}
}

// edit returns what happened to a group.
func (d *differ) edit(g group) Edit {
	before, a := join(d.a[g.i:g.iEnd])
	after, b := join(d.b[g.j:g.jEnd])
	e := Edit{Before: before, After: after, Moved: g.moved}
	switch {
	case g.i == g.iEnd:
		e.Op, e.Added = Add, len(b)
	case g.j == g.jEnd:
		e.Op, e.Cut = Cut, len(a)
	default:
		d.compare(&e, a, b)
	}
	return e
}

// join returns paragraphs as one text with its words.
func join(ps []paragraph) (string, []word) {
	if len(ps) == 1 {
		return ps[0].text, ps[0].words
	}
	var text strings.Builder
	var words []word
	for i, p := range ps {
		if i > 0 {
			text.WriteByte('\n')
		}
		for _, w := range p.words {
			words = append(words, word{w.hash, w.start + text.Len(), w.end + text.Len()})
		}
		text.WriteString(p.text)
	}
	return text.String(), words
}

// run is a run of words: a[i:iEnd] was cut and b[j:jEnd] was added, or both
// are the same.
type run struct {
	i, iEnd, j, jEnd int
	same             bool
}

// compare fills in what happened to the words of a paragraph.
func (d *differ) compare(e *Edit, a, b []word) {
	runs := readable(d.align(a, b))
	for _, r := range runs {
		if !r.same {
			e.Cut += r.iEnd - r.i
			e.Added += r.jEnd - r.j
		}
	}
	if e.Cut == 0 && e.Added == 0 {
		return
	}
	e.Op = Change
	for _, r := range runs {
		before := passage(e.Before, a, r.i, r.iEnd)
		after := passage(e.After, b, r.j, r.jEnd)
		switch {
		case r.same:
			e.Words = append(e.Words, WordEdit{Keep, after})
		default:
			if before != "" {
				e.Words = append(e.Words, WordEdit{Cut, before})
			}
			if after != "" {
				e.Words = append(e.Words, WordEdit{Add, after})
			}
		}
	}
}

// passage returns the text of a run of words, with the punctuation and the
// spaces that belong to them.
func passage(text string, words []word, from, to int) string {
	return text[boundary(text, words, from):boundary(text, words, to)]
}

// boundary returns where the passage of a word begins: after the last space
// before it, so that opening quotes belong to the word that they open.
func boundary(text string, words []word, i int) int {
	switch {
	case i >= len(words):
		return len(text)
	case i == 0:
		return 0
	}
	end := words[i-1].end
	gap := text[end:words[i].start]
	if space := strings.LastIndexAny(gap, " \t\n\u00a0\u202f\u2009\u3000"); space >= 0 {
		_, size := utf8.DecodeRuneInString(gap[space:])
		return end + space + size
	}
	return words[i].start
}

// readable joins changes that only a few common words separate: "the" kept
// between two changed phrases helps no reader.
func readable(runs []run) []run {
	size := func(r run) int { return max(r.iEnd-r.i, r.jEnd-r.j) }
	var out []run
	for n, r := range runs {
		if r.i == r.iEnd && r.j == r.jEnd {
			continue
		}
		small := r.same && len(out) > 0 && n+1 < len(runs) && size(r) <= 3 &&
			!out[len(out)-1].same && size(out[len(out)-1]) > size(r) && size(runs[n+1]) > size(r)
		if small {
			r.same = false
		}
		if k := len(out) - 1; k >= 0 && out[k].same == r.same {
			out[k].iEnd, out[k].jEnd = r.iEnd, r.jEnd
			continue
		}
		out = append(out, r)
	}
	return out
}
