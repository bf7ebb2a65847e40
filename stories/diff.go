package stories

import (
	"slices"
	"strings"
	"unicode/utf8"
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

// An Edit is what happened to a paragraph of the later text, or a paragraph that was cut.
type Edit struct {
	Op Op `json:"op"`
	// Before and After are the texts; one is empty for Add and Cut. Before may be a part
	// of a paragraph, or several.
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

// String returns the edit as text: a sign (space, +, -, ~) and the paragraph, with
// [-words-] that were cut and {+words+} that were added.
func (e Edit) String() string {
	var b strings.Builder
	b.WriteByte(" +-~"[e.Op])
	b.WriteByte(' ')
	switch e.Op {
	case Cut:
		b.WriteString(e.Before)
	case Keep, Add:
		b.WriteString(e.After)
	}
	for _, w := range e.Words {
		text := strings.TrimRight(w.Text, " \t\n")
		space := w.Text[len(text):]
		switch w.Op {
		case Cut:
			b.WriteString("[-" + text + "-]" + space)
		case Add:
			b.WriteString("{+" + text + "+}" + space)
		default:
			b.WriteString(w.Text)
		}
	}
	return b.String()
}

// Diff returns what was added to a text and what was cut, in the order of the
// later text: by paragraphs (lines), and by words in paragraphs of which some were
// kept. Differences in punctuation, case and house style are ignored, as are breaks
// between paragraphs. What stands elsewhere was cut there and added here. The time is
// bounded; of very long texts without common passages, all may be cut and added.
func Diff(before, after string) []Edit {
	d := &differ{a: newSide(before), b: newSide(after)}
	for _, r := range d.readable(align(d.a.words, d.b.words)) {
		for n := 0; r.same && n < r.iEnd-r.i; n++ {
			d.a.match[r.i+n], d.b.match[r.j+n] = r.j+n, r.i+n
		}
	}
	return d.edits()
}

type differ struct {
	a, b *side
}

// side is one of the two texts.
type side struct {
	text       string
	paragraphs []paragraph
	words      []word
	in         []int // by word: its paragraph
	match      []int // by word: the word of the other text that it corresponds to, or -1
}

// paragraph is a line that is not blank.
type paragraph struct {
	start, end  int // bytes of the text
	first, last int // its words; the last is not part of it
}

func newSide(text string) *side {
	s := &side{text: text}
	pos := 0
	for line := range strings.Lines(text) {
		if content := strings.TrimSpace(line); content != "" {
			start := pos + strings.Index(line, content)
			s.add(content, start)
		}
		pos += len(line)
	}
	s.match = slices.Repeat([]int{-1}, len(s.words))
	return s
}

// add adds the paragraph that begins at a byte of the text. One without words is a word.
func (s *side) add(content string, start int) {
	words := splitWords(content)
	if len(words) == 0 {
		words = []word{{uint64(hashTerm(content, 0)), 0, len(content)}}
	}
	p := paragraph{start: start, end: start + len(content), first: len(s.words)}
	for _, w := range words {
		s.words = append(s.words, word{w.hash, w.start + start, w.end + start})
		s.in = append(s.in, len(s.paragraphs))
	}
	p.last = len(s.words)
	s.paragraphs = append(s.paragraphs, p)
}

// passage returns the text of some words, with the punctuation and the spaces that
// belong to them.
func (s *side) passage(from, to int) string {
	if from == to {
		return ""
	}
	return s.text[s.boundary(s.in[from], from):s.boundary(s.in[to-1], to)]
}

// boundary returns where the passage of a word of a paragraph begins: after the last
// space before it, so that opening quotes belong to the word that they open.
func (s *side) boundary(paragraph, i int) int {
	switch p := s.paragraphs[paragraph]; i {
	case p.first:
		return p.start
	case p.last:
		return p.end
	}
	end := s.words[i-1].end
	gap := s.text[end:s.words[i].start]
	if space := strings.LastIndexAny(gap, " \t\n\u00a0\u202f\u2009\u3000"); space >= 0 {
		_, size := utf8.DecodeRuneInString(gap[space:])
		return end + space + size
	}
	return s.words[i].start
}

// readable joins changes that only a few common words separate: "the" kept
// between two changed phrases helps no reader.
func (d *differ) readable(runs []run) (out []run) {
	size := func(r run) int { return max(r.iEnd-r.i, r.jEnd-r.j) }
	for n, r := range runs {
		if r.same && size(r) <= 3 && n > 0 && n+1 < len(runs) && size(out[len(out)-1]) > size(r) && size(runs[n+1]) > size(r) {
			p := d.b.paragraphs[d.b.in[r.j]]
			r.same = p.first == r.j && p.last == r.jEnd // a paragraph of its own
		}
		out = appendRun(out, r)
	}
	return out
}

// edits returns the edits in the order of the later text. What was cut stands
// after what preceded it in the earlier text.
func (d *differ) edits() (list []Edit) {
	owners := d.owners()
	i := 0
	cut := func() {
		for i < len(owners) && owners[i] < 0 {
			p := d.a.paragraphs[d.a.in[i]]
			list = append(list, Edit{Op: Cut, Before: d.a.passage(i, p.last), Cut: p.last - i})
			i = p.last
		}
	}
	cut()
	for n, p := range d.b.paragraphs {
		from := i
		for i < len(owners) && owners[i] == n {
			i++
		}
		list = append(list, d.edit(from, i, p.first, p.last))
		cut()
	}
	return list
}

// owners returns for each word of the earlier text the paragraph of the later one that
// shows it, or -1 for the words of paragraphs that were cut as a whole.
func (d *differ) owners() []int {
	a, b := d.a, d.b
	next := make([]int, len(a.words)+1) // the paragraph with the next word that was kept
	next[len(a.words)] = len(b.paragraphs)
	for i := len(a.words) - 1; i >= 0; i-- {
		if next[i] = next[i+1]; a.match[i] >= 0 {
			next[i] = b.in[a.match[i]]
		}
	}
	owners := make([]int, len(a.words))
	before := -1 // the paragraph with the last word that was kept
	for _, p := range a.paragraphs {
		owner := -1
		kept := slices.ContainsFunc(a.match[p.first:p.last], func(j int) bool { return j >= 0 })
		if kept || next[p.last] == before { // or it is in the middle of a paragraph
			owner = next[p.first]
		}
		for i := p.first; i < p.last; i++ {
			if a.match[i] >= 0 {
				owner = b.in[a.match[i]]
				before = owner
			}
			owners[i] = owner
		}
	}
	return owners
}

// edit returns what happened to a paragraph of the later text, b[j:jEnd], which shows
// a[i:iEnd].
func (d *differ) edit(i, iEnd, j, jEnd int) Edit {
	e := Edit{Op: Keep, Before: d.a.passage(i, iEnd), After: d.b.passage(j, jEnd)}
	if i == iEnd {
		e.Op, e.Added = Add, jEnd-j
		return e
	}
	add := func(op Op, text string) {
		if text != "" {
			e.Words = append(e.Words, WordEdit{op, text})
		}
	}
	for i < iEnd || j < jEnd {
		start := j
		for j < jEnd && d.b.match[j] == i {
			i, j = i+1, j+1
		}
		add(Keep, d.b.passage(start, j))
		start = i
		for i < iEnd && d.a.match[i] < 0 {
			i++
		}
		e.Cut += i - start
		add(Cut, d.a.passage(start, i))
		start = j
		for j < jEnd && d.b.match[j] < 0 {
			j++
		}
		e.Added += j - start
		add(Add, d.b.passage(start, j))
	}
	if e.Cut+e.Added == 0 {
		e.Words = nil
	} else {
		e.Op = Change
	}
	return e
}
