package newsroom

import (
	"math/rand/v2"
	"strings"
)

// A writer writes the paragraphs of one story and repeats itself as late as it can.
type writer struct {
	g      *grammar
	r      *rand.Rand
	facts  facts
	order  map[string][]int // choices of a rule not used yet
	said   map[string]bool
	spaced bool
}

func newWriter(s *Site, st *story) *writer {
	return &writer{
		g: s.grammar, r: s.stream(streamBody, st.i), facts: st.facts,
		order: map[string][]int{}, said: map[string]bool{},
		spaced: s.grammar.ui["space"] != "no",
	}
}

// fresh draws from a rule, every choice once before any comes again.
func (w *writer) fresh(rule string) string {
	for try := 0; ; try++ {
		if len(w.order[rule]) == 0 {
			w.order[rule] = w.r.Perm(len(w.g.rules[rule]))
		}
		left := w.order[rule]
		w.order[rule] = left[1:]
		line := capital(w.g.fill(w.r, w.facts, w.g.rules[rule][left[0]]))
		if !w.said[line] || try > 8 {
			w.said[line] = true
			return line
		}
	}
}

// paragraph writes one to five sentences, now and then with a quotation.
func (w *writer) paragraph(rule string) string {
	sentences := []string{w.fresh(rule)}
	for n := w.r.IntN(5); n > 0; n-- {
		if chance(w.r, 4) {
			w.facts["said#q"] = w.fresh("said")
			sentences = append(sentences, w.fresh("quote"))
		} else {
			sentences = append(sentences, w.fresh("sentence"))
		}
	}
	if w.spaced {
		return strings.Join(sentences, " ")
	}
	return strings.Join(sentences, "")
}

// length draws how many paragraphs a story has: most have an ordinary number,
// a few are a mere note and a few go on and on.
func (w *writer) length() int {
	switch n := w.r.IntN(100); {
	case n < 6:
		return 2
	case n < 14:
		return 18 + w.r.IntN(8)
	default:
		return 5 + w.r.IntN(12)
	}
}
