package label

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede/dom"
)

// Mark says which element of a page is meant, in more than one way, so that
// one of them still holds after the page has changed.
type Mark struct {
	// Path is as PathOf gives it.
	Path string `json:"path"`
	// Hash is that of the letters of the element's text.
	Hash string `json:"hash"`
	// Chars is how many letters that are: characters without white space.
	Chars int `json:"chars"`
	// Text is how the text begins, for people who read the file, and to compare with.
	Text string `json:"text"`
	// Sketch tells how alike another text is; a text that Text holds in full has none.
	Sketch string `json:"sketch,omitempty"`
	// Box is where the element stood on the page when it was chosen.
	Box Box `json:"box,omitzero"`
}

// Box is x, y, width and height in pixels of the page, from its upper left corner.
type Box [4]int

const markText = 80 // characters of Mark.Text

// NewMark is the mark of an element; a run of text stands for its element.
func NewMark(d *dom.Document, n dom.Node, box Box) Mark {
	if d.IsText(n) {
		n = d.Parent(n)
	}
	text := d.Text(n)
	m := Mark{
		Path:  PathOf(d, n),
		Hash:  hashText(text),
		Chars: countLetters(text),
		Text:  beginning(text, markText),
		Box:   box,
	}
	if !m.complete() {
		m.Sketch = newSketch(text).String()
	}
	return m
}

// complete tells whether Text is all of the text.
func (m Mark) complete() bool { return countLetters(m.Text) >= m.Chars }

// check tells what is wrong with a mark that somebody wrote.
func (m Mark) check() error {
	if _, err := parsePath(m.Path); err != nil {
		return err
	}
	if b, err := hex.DecodeString(m.Hash); err != nil || len(b) != hashBytes {
		return fmt.Errorf("hash %q is not %d hexadecimal digits", m.Hash, 2*hashBytes)
	}
	if m.Chars < 0 {
		return fmt.Errorf("%d chars", m.Chars)
	}
	if m.Sketch != "" {
		if _, ok := parseSketch(m.Sketch); !ok {
			return errors.New("the sketch is broken")
		}
	}
	if m.Box[2] < 0 || m.Box[3] < 0 {
		return fmt.Errorf("box %v has a side below 0", m.Box)
	}
	return nil
}

// PathOf is where an element stands, as in /html[1]/body[1]/div[3]/h1[1]: every
// step is a name and which of its siblings of that name it is. A run of text has the
// path of its element; the document has none.
func PathOf(d *dom.Document, n dom.Node) string {
	if d.IsText(n) {
		n = d.Parent(n)
	}
	var steps []string
	for ; n > d.Root(); n = d.Parent(n) {
		name, which := d.Name(n), 1
		for p := d.Prev(n); p != dom.None; p = d.Prev(p) {
			if !d.IsText(p) && d.Name(p) == name {
				which++
			}
		}
		steps = append(steps, "/"+name+"["+strconv.Itoa(which)+"]")
	}
	slices.Reverse(steps)
	return strings.Join(steps, "")
}

// At is the element at a path, or dom.None.
func At(d *dom.Document, path string) dom.Node {
	steps, err := parsePath(path)
	if err != nil {
		return dom.None
	}
	n := d.Root()
	for _, s := range steps {
		if n = s.from(d, n); n == dom.None {
			return dom.None
		}
	}
	return n
}

// step is one of a path.
type step struct {
	name  string
	which int
}

// from is the child of n that the step leads to.
func (s step) from(d *dom.Document, n dom.Node) dom.Node {
	left := s.which
	for c := range d.Children(n) {
		if d.IsText(c) || d.Name(c) != s.name {
			continue
		}
		if left--; left == 0 {
			return c
		}
	}
	return dom.None
}

var errPath = errors.New(`a path goes like "/html[1]/body[1]/div[3]"`)

func parsePath(path string) ([]step, error) {
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		return nil, fmt.Errorf("%w, not like %q", errPath, path)
	}
	var steps []step
	for part := range strings.SplitSeq(rest, "/") {
		open := strings.LastIndexByte(part, '[')
		if open <= 0 || !strings.HasSuffix(part, "]") {
			return nil, fmt.Errorf("%w, not like %q", errPath, path)
		}
		which, err := strconv.Atoi(part[open+1 : len(part)-1])
		if err != nil || which < 1 {
			return nil, fmt.Errorf("%w, not like %q", errPath, path)
		}
		steps = append(steps, step{part[:open], which})
	}
	return steps, nil
}

// tagPath spells the names of the steps as dom spells tag paths.
func tagPath(steps []step) string {
	names := make([]string, len(steps))
	for i, s := range steps {
		if names[i] = s.name; dom.LookupTag(s.name) == dom.Unknown {
			names[i] = "?"
		}
	}
	return strings.Join(names, ">")
}

// Match tells how an element was found again.
type Match int

const (
	// Lost means that it was not found.
	Lost Match = iota
	// Changed means that its text is not the same but alike.
	Changed
	// Moved means that its text stands elsewhere on the page, and nowhere else.
	Moved
	// Exact means that it is where it was, with the text that it had.
	Exact
)

func (m Match) String() string { return [...]string{"lost", "changed", "moved", "exact"}[m] }

// MarshalText writes the name of a match.
func (m Match) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

const (
	similar   = 0.6  // shingles in common, from which on a text has only changed
	tooClose  = 0.05 // two places whose likeness differs by less cannot be told apart
	searching = 8e6  // letters that are compared before the search ends
)

// Find finds the element that a mark means on a page that may have changed since:
// where it was, or by the same text elsewhere, or by text that is alike, first where it was
// and then in elements of the same name. It would rather lose an element than
// take another for it; dom.None comes with Lost.
func Find(d *dom.Document, m Mark) (dom.Node, Match) {
	at := At(d, m.Path)
	if at != dom.None && hashText(d.Text(at)) == m.Hash {
		return at, Exact
	}
	if m.Chars == 0 {
		return dom.None, Lost // nothing to go by
	}
	s := search{ruler: newRuler(d), mark: m, alike: m.likeness()}
	s.steps, _ = parsePath(m.Path)
	if n := s.sameText(); n != dom.None {
		return n, Moved
	}
	if at != dom.None && s.alike(d.Text(at)) >= similar {
		return at, Changed
	}
	if n := s.nearest(); n != dom.None {
		return n, Changed
	}
	return dom.None, Lost
}

// likeness tells how alike the text of the mark and another are, from 0 to 1.
func (m Mark) likeness() func(text string) float64 {
	if s, ok := parseSketch(m.Sketch); ok && !m.complete() {
		return func(text string) float64 { return s.alike(newSketch(text)) }
	}
	begin := newShingleSet(m.Text)
	if m.complete() {
		return func(text string) float64 { return begin.alike(newShingleSet(text)) }
	}
	// Somebody wrote the mark by hand: at least its beginning should be there.
	return func(text string) float64 {
		return float64(begin.shared(newShingleSet(text))) / float64(max(1, len(begin)))
	}
}

type search struct {
	ruler
	mark  Mark
	steps []step
	alike func(text string) float64 // to the mark's
}

// name is what the element was called.
func (s search) name() string {
	if len(s.steps) == 0 {
		return ""
	}
	return s.steps[len(s.steps)-1].name
}

// elements goes through the elements of the page with as many letters as asked for.
func (s search) elements(least, most int, f func(dom.Node, stretch)) {
	for i := 1; i < s.d.Len(); i++ {
		n := dom.Node(i)
		if s.d.IsText(n) {
			continue
		}
		if at := s.stretch(n); at.len() >= least && at.len() <= most {
			f(n, at)
		}
	}
}

// sameText is the one element with the same text.
func (s search) sameText() dom.Node {
	known := map[stretch]bool{}
	var all []dom.Node
	s.elements(s.mark.Chars, s.mark.Chars, func(n dom.Node, at stretch) {
		same, ok := known[at]
		if !ok {
			same = hashText(s.d.Text(n)) == s.mark.Hash
			known[at] = same
		}
		if same {
			all = append(all, n)
		}
	})
	if n := s.theOne(all); n != dom.None {
		return n
	}
	// In several places: the one that is reached by the same names, if only one is.
	path := tagPath(s.steps)
	return s.theOne(slices.DeleteFunc(all, func(n dom.Node) bool { return s.d.PathName(s.d.Path(n)) != path }))
}

// theOne is the element that is meant, of several with the same text. Those of the same
// name go before others; of those that stand in each other the one of the same depth
// does; and if they stand apart, there is none.
func (s search) theOne(all []dom.Node) dom.Node {
	named := slices.DeleteFunc(slices.Clone(all), func(n dom.Node) bool { return s.d.Name(n) != s.name() })
	if len(named) > 0 {
		all = named
	}
	best := dom.None
	for i, n := range all {
		if i > 0 && !s.d.Contains(all[i-1], n) {
			return dom.None
		}
		if best == dom.None || s.off(n) < s.off(best) {
			best = n
		}
	}
	return best
}

// off is how far the depth of an element is from that of the mark.
func (s search) off(n dom.Node) int {
	off := s.d.Depth(n) - len(s.steps)
	return max(off, -off)
}

// nearest is the element of the same name whose text is the most alike.
func (s search) nearest() dom.Node {
	type candidate struct {
		node  dom.Node
		alike float64
	}
	known := map[stretch]float64{}
	var all []candidate
	left := int(searching)
	s.elements(s.mark.Chars/2, 2*s.mark.Chars, func(n dom.Node, at stretch) {
		if s.d.Name(n) != s.name() {
			return
		}
		alike, ok := known[at]
		if !ok {
			if left -= at.len(); left < 0 {
				return
			}
			alike = s.alike(s.d.Text(n))
			known[at] = alike
		}
		if alike >= similar {
			all = append(all, candidate{n, alike})
		}
	})
	best := candidate{node: dom.None}
	for _, c := range all {
		if c.alike > best.alike || c.alike == best.alike && s.off(c.node) < s.off(best.node) {
			best = c
		}
	}
	for _, c := range all {
		apart := !s.d.Contains(best.node, c.node) && !s.d.Contains(c.node, best.node)
		if apart && c.alike > best.alike-tooClose {
			return dom.None
		}
	}
	return best.node
}
