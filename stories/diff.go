package stories

import (
	"cmp"
	"slices"
	"strings"
)

// Op says what happened to a part of a text.
type Op int

// What happened to a part of a text.
const (
	Keep   Op = iota // the same words in both texts
	Add              // only in the later text
	Cut              // only in the earlier text
	Change           // some words differ
)

// String returns the name of the operation in lower case.
func (op Op) String() string {
	return [...]string{"keep", "add", "cut", "change"}[op]
}

// MarshalText implements encoding.TextMarshaler.
func (op Op) MarshalText() ([]byte, error) { return []byte(op.String()), nil }

// An Edit is what happened to a paragraph, or to several that one text has as
// one paragraph.
type Edit struct {
	Op Op `json:"op"`
	// Moved is set if the paragraph is kept or changed and stands elsewhere.
	Moved bool `json:"moved,omitempty"`
	// Before and After are the paragraphs; one is empty for Add and Cut.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Words has the parts of a changed paragraph, in their order.
	Words []WordEdit `json:"words,omitempty"`
	// Added and Cut are the numbers of words that were added and cut.
	Added int `json:"-"`
	Cut   int `json:"-"`
}

// A WordEdit is a run of words of a changed paragraph that were kept, added or
// cut. The texts of those that were kept and added are After; punctuation and
// house style of what was kept are those of the later text.
type WordEdit struct {
	Op   Op     `json:"op"`
	Text string `json:"text"`
}

// String returns the edit as text: a sign (space, +, -, ~; > if it was moved)
// and the paragraph, with [-words-] that were cut and {+words+} that were added.
func (e Edit) String() string {
	var b strings.Builder
	sign := " +-~"[e.Op]
	if e.Moved {
		sign = '>'
	}
	b.WriteByte(sign)
	b.WriteByte(' ')
	switch {
	case e.Op == Cut:
		b.WriteString(e.Before)
	case e.Op != Change:
		b.WriteString(e.After)
	}
	for _, w := range e.Words {
		text := strings.TrimRight(w.Text, " \t\n")
		space := w.Text[len(text):]
		switch {
		case w.Op == Cut:
			b.WriteString("[-" + text + "-]" + space)
		case w.Op == Add:
			b.WriteString("{+" + text + "+}" + space)
		default:
			b.WriteString(w.Text)
		}
	}
	return b.String()
}

const (
	// diffPostings bounds how many paragraphs are compared for a pair of words.
	diffPostings = 8
	// diffLikeness is the part of the pairs of words that corresponding
	// paragraphs share at least (Dice).
	diffLikeness = .4
	// diffJoined is the part of a paragraph that is found in the paragraph
	// that it was joined to.
	diffJoined = .5
	// maxParagraphs is how many paragraphs of a text are told apart; what
	// follows them is one.
	maxParagraphs = 20_000
)

// Diff returns what was added to a text and what was cut, in the order of the
// later text: by paragraphs (lines), and by words in paragraphs that
// correspond. Differences in punctuation, case and house style are ignored, as
// are breaks between paragraphs. The time is bounded; of a paragraph of thousands
// of words, what is between the first and the last change may be shown as cut and
// added as a whole.
func Diff(before, after string) []Edit {
	d := &differ{a: paragraphs(before), b: paragraphs(after), work: diffWork}
	d.matchEqual()
	d.matchSimilar()
	d.joinParagraphs(d.a, d.b)
	d.joinParagraphs(d.b, d.a)
	return d.edits()
}

// paragraph is a line of a text that is not blank.
type paragraph struct {
	text  string
	words []word
	hash  uint64
	// match is the corresponding paragraph of the other text, or -1. Several
	// neighbours may have the same.
	match int
}

type differ struct {
	a, b []paragraph
	work int // steps left for comparing words
}

// paragraphs returns the paragraphs of a text.
func paragraphs(text string) []paragraph {
	var ps []paragraph
	var rest strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case len(ps) < maxParagraphs:
			ps = append(ps, newParagraph(line))
		default:
			if rest.Len() > 0 {
				rest.WriteByte('\n')
			}
			rest.WriteString(line)
		}
	}
	if rest.Len() > 0 {
		ps = append(ps, newParagraph(rest.String()))
	}
	return ps
}

func newParagraph(text string) paragraph {
	p := paragraph{text: text, words: splitWords(text), match: -1}
	for _, w := range p.words {
		p.hash = mix(p.hash ^ w.hash)
	}
	if len(p.words) == 0 {
		for i := range len(text) {
			p.hash = (p.hash ^ uint64(text[i])) * fnvPrime
		}
	}
	return p
}

// matchEqual matches paragraphs with the same words: the first with the first
// of the same words, the second with the second.
func (d *differ) matchEqual() {
	where := make(map[uint64][]int)
	for i, p := range d.a {
		where[p.hash] = append(where[p.hash], i)
	}
	for j, p := range d.b {
		if w := where[p.hash]; len(w) > 0 {
			d.match(w[0], j)
			where[p.hash] = w[1:]
		}
	}
}

func (d *differ) match(i, j int) { d.a[i].match, d.b[j].match = j, i }

// pairs calls f for each pair of neighbouring words of a paragraph, and for
// the first and the last word.
func (p *paragraph) pairs(f func(uint64)) {
	last := uint64(0)
	for _, w := range p.words {
		f(mix(last*3 ^ w.hash))
		last = w.hash
	}
	f(mix(last * 3))
}

// matchSimilar matches paragraphs that share many pairs of words, the most
// similar first.
func (d *differ) matchSimilar() {
	where := make(map[uint64][]int)
	for i := range d.a {
		if d.a[i].match >= 0 {
			continue
		}
		d.a[i].pairs(func(h uint64) {
			if w := where[h]; len(w) <= diffPostings && (len(w) == 0 || w[len(w)-1] != i) {
				where[h] = append(w, i)
			}
		})
	}
	type candidate struct {
		i, j  int
		score float64
	}
	var found []candidate
	for j := range d.b {
		if d.b[j].match >= 0 {
			continue
		}
		shared := make(map[int]int)
		d.b[j].pairs(func(h uint64) {
			if w := where[h]; len(w) <= diffPostings {
				for _, i := range w {
					shared[i]++
				}
			}
		})
		for i, n := range shared {
			total := len(d.a[i].words) + len(d.b[j].words) + 2
			if s := 2 * float64(n) / float64(total); s >= diffLikeness {
				found = append(found, candidate{i, j, s})
			}
		}
	}
	slices.SortFunc(found, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.i, y.i), cmp.Compare(x.j, y.j))
	})
	for _, c := range found {
		if d.a[c.i].match < 0 && d.b[c.j].match < 0 {
			d.match(c.i, c.j)
		}
	}
}

// joinParagraphs finds paragraphs of a that the other text has as part of the
// paragraph that corresponds to their neighbour.
func (d *differ) joinParagraphs(a, b []paragraph) {
	try := func(i, neighbour int) {
		if neighbour < 0 || neighbour >= len(a) || a[i].match >= 0 || a[neighbour].match < 0 {
			return
		}
		j := a[neighbour].match
		if b[j].match < 0 || len(b[j].words) < len(a[neighbour].words)/2+len(a[i].words)/2 {
			return
		}
		if d.work -= len(b[j].words); d.work < 0 {
			return
		}
		in := make(map[uint64]bool)
		b[j].pairs(func(h uint64) { in[h] = true })
		n := 0
		a[i].pairs(func(h uint64) {
			if in[h] {
				n++
			}
		})
		if float64(n) >= diffJoined*float64(len(a[i].words)+1) {
			a[i].match = j
		}
	}
	for i := range a {
		try(i, i-1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		try(i, i+1)
	}
}
