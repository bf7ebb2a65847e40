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

// Mark identifies an element of a page in several ways, so that it can be found
// after the page has changed.
type Mark struct {
	// Path is the path of the element, such as /html[1]/body[1]/div[3]/h1[1].
	Path string `json:"path"`
	// Hash is a hash of the letters of the element's text.
	Hash string `json:"hash"`
	// Chars is the number of letters: characters without white space.
	Chars int `json:"chars"`
	// Text is the beginning of the text.
	Text string `json:"text"`
	// Sketch is a sketch of the text, to compare it with others. It is empty if
	// Text is the whole text.
	Sketch string `json:"sketch,omitempty"`
	// Box is the position of the element when it was selected.
	Box Box `json:"box,omitzero"`
}

// Box is x, y, width and height in pixels, from the upper left corner of the page.
type Box [4]int

const markText = 80 // characters of Mark.Text

// NewMark returns the mark of an element. A text node stands for its element.
func NewMark(d *dom.Document, n dom.Node, box Box) Mark {
	if d.IsText(n) {
		n = d.Parent(n)
	}
	text := d.Text(n)
	m := Mark{
		Path:  pathOf(d, n),
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

// complete reports whether Text is the whole text.
func (m Mark) complete() bool { return countLetters(m.Text) >= m.Chars }

// check validates a mark.
func (m Mark) check() error {
	if _, err := parsePath(m.Path); err != nil {
		return err
	}
	if b, err := hex.DecodeString(m.Hash); err != nil || len(b) != hashBytes {
		return fmt.Errorf("hash %q is not %d hexadecimal digits", m.Hash, 2*hashBytes)
	}
	if m.Chars < 0 {
		return fmt.Errorf("chars is %d", m.Chars)
	}
	if m.Sketch != "" {
		if _, ok := parseSketch(m.Sketch); !ok {
			return errors.New("invalid sketch")
		}
	}
	if m.Box[2] < 0 || m.Box[3] < 0 {
		return fmt.Errorf("box %v has a negative size", m.Box)
	}
	return nil
}

// pathOf returns the path of an element: for every step, its name and its number
// among the siblings of that name. A text node has the path of its element; the
// path of the document is empty.
func pathOf(d *dom.Document, n dom.Node) string {
	if d.IsText(n) {
		n = d.Parent(n)
	}
	var steps []string
	for ; n > d.Root(); n = d.Parent(n) {
		name, number := d.Name(n), 1
		for p := d.Prev(n); p != dom.None; p = d.Prev(p) {
			if !d.IsText(p) && d.Name(p) == name {
				number++
			}
		}
		steps = append(steps, "/"+name+"["+strconv.Itoa(number)+"]")
	}
	slices.Reverse(steps)
	return strings.Join(steps, "")
}

// elementAt returns the element at a path, or dom.None.
func elementAt(d *dom.Document, path string) dom.Node {
	steps, err := parsePath(path)
	if err != nil {
		return dom.None
	}
	n := d.Root()
	for _, s := range steps {
		if n = s.child(d, n); n == dom.None {
			return dom.None
		}
	}
	return n
}

// step is a step of a path.
type step struct {
	name   string
	number int
}

// child returns the child of n that the step leads to.
func (s step) child(d *dom.Document, n dom.Node) dom.Node {
	left := s.number
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

var errPath = errors.New(`want a path such as "/html[1]/body[1]/div[3]"`)

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
		number, err := strconv.Atoi(part[open+1 : len(part)-1])
		if err != nil || number < 1 {
			return nil, fmt.Errorf("%w, not like %q", errPath, path)
		}
		steps = append(steps, step{part[:open], number})
	}
	return steps, nil
}

// tagPath returns the names of the steps in the format of Document.PathName.
func tagPath(steps []step) string {
	names := make([]string, len(steps))
	for i, s := range steps {
		if names[i] = s.name; dom.LookupTag(s.name) == dom.Unknown {
			names[i] = "?"
		}
	}
	return strings.Join(names, ">")
}

// Match is the result of Find.
type Match int

const (
	// Lost means that the element was not found.
	Lost Match = iota
	// Changed means that its text is similar, but not the same.
	Changed
	// Moved means that its text is in a different place, and only there.
	Moved
	// Exact means that its place and its text are the same.
	Exact
)

func (m Match) String() string { return [...]string{"lost", "changed", "moved", "exact"}[m] }

// MarshalText returns the name of a match.
func (m Match) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

const (
	minSimilarity = 0.6  // lowest similarity of a changed text
	ambiguity     = 0.05 // two places with a smaller difference are ambiguous
	maxCompared   = 8e6  // letters that are compared before the search ends
)

// Find finds the element of a mark on a page that may have changed: at the same
// path with the same text, elsewhere with the same text, at the same path with
// similar text, or elsewhere with similar text and the same name. In doubt, it
// returns dom.None and Lost.
func Find(d *dom.Document, m Mark) (dom.Node, Match) {
	at := elementAt(d, m.Path)
	if at != dom.None && hashText(d.Text(at)) == m.Hash {
		return at, Exact
	}
	if m.Chars == 0 {
		return dom.None, Lost // no text to search for
	}
	s := search{letterIndex: newLetterIndex(d), mark: m, similarity: m.similarity()}
	s.steps, _ = parsePath(m.Path)
	if n := s.sameText(); n != dom.None {
		return n, Moved
	}
	if at != dom.None && s.similarity(d.Text(at)) >= minSimilarity {
		return at, Changed
	}
	if n := s.mostSimilar(); n != dom.None {
		return n, Changed
	}
	return dom.None, Lost
}

// similarity returns a function that compares the text of the mark with another,
// from 0 to 1.
func (m Mark) similarity() func(text string) float64 {
	if s, ok := parseSketch(m.Sketch); ok && !m.complete() {
		return func(text string) float64 { return s.similarity(newSketch(text)) }
	}
	shingles := newShingleSet(m.Text)
	if m.complete() {
		return func(text string) float64 { return shingles.similarity(newShingleSet(text)) }
	}
	// A mark written by hand has no sketch; the beginning of the text must match.
	return func(text string) float64 {
		return float64(shingles.shared(newShingleSet(text))) / float64(max(1, len(shingles)))
	}
}

type search struct {
	letterIndex
	mark       Mark
	steps      []step
	similarity func(text string) float64 // to the text of the mark
}

// name returns the name of the marked element.
func (s search) name() string {
	if len(s.steps) == 0 {
		return ""
	}
	return s.steps[len(s.steps)-1].name
}

// elements calls f for the elements with a number of letters in a range.
func (s search) elements(low, high int, f func(dom.Node, letterRange)) {
	for i := 1; i < s.d.Len(); i++ {
		n := dom.Node(i)
		if s.d.IsText(n) {
			continue
		}
		if at := s.letters(n); at.len() >= low && at.len() <= high {
			f(n, at)
		}
	}
}

// sameText returns the only element with the same text, or dom.None.
func (s search) sameText() dom.Node {
	known := map[letterRange]bool{}
	var all []dom.Node
	s.elements(s.mark.Chars, s.mark.Chars, func(n dom.Node, at letterRange) {
		same, ok := known[at]
		if !ok {
			same = hashText(s.d.Text(n)) == s.mark.Hash
			known[at] = same
		}
		if same {
			all = append(all, n)
		}
	})
	if n := s.unique(all); n != dom.None {
		return n
	}
	// Of several places, the only one with the same tag path.
	path := tagPath(s.steps)
	return s.unique(slices.DeleteFunc(all, func(n dom.Node) bool { return s.d.PathName(s.d.Path(n)) != path }))
}

// unique returns the best of several elements with the same text. Elements of the
// same name take precedence. Of nested elements, it returns the one with the
// nearest depth. If they are not nested, it returns dom.None.
func (s search) unique(all []dom.Node) dom.Node {
	named := slices.DeleteFunc(slices.Clone(all), func(n dom.Node) bool { return s.d.Name(n) != s.name() })
	if len(named) > 0 {
		all = named
	}
	best := dom.None
	for i, n := range all {
		if i > 0 && !s.d.Contains(all[i-1], n) {
			return dom.None
		}
		if best == dom.None || s.depthDifference(n) < s.depthDifference(best) {
			best = n
		}
	}
	return best
}

// depthDifference returns how much the depth of an element differs from that of
// the mark.
func (s search) depthDifference(n dom.Node) int {
	d := s.d.Depth(n) - len(s.steps)
	return max(d, -d)
}

// mostSimilar returns the element of the same name with the most similar text, or
// dom.None.
func (s search) mostSimilar() dom.Node {
	type candidate struct {
		node       dom.Node
		similarity float64
	}
	known := map[letterRange]float64{}
	var all []candidate
	left := int(maxCompared)
	s.elements(s.mark.Chars/2, 2*s.mark.Chars, func(n dom.Node, at letterRange) {
		if s.d.Name(n) != s.name() {
			return
		}
		similarity, ok := known[at]
		if !ok {
			if left -= at.len(); left < 0 {
				return
			}
			similarity = s.similarity(s.d.Text(n))
			known[at] = similarity
		}
		if similarity >= minSimilarity {
			all = append(all, candidate{n, similarity})
		}
	})
	best := candidate{node: dom.None}
	for _, c := range all {
		if c.similarity > best.similarity || c.similarity == best.similarity && s.depthDifference(c.node) < s.depthDifference(best.node) {
			best = c
		}
	}
	for _, c := range all {
		apart := !s.d.Contains(best.node, c.node) && !s.d.Contains(c.node, best.node)
		if apart && c.similarity > best.similarity-ambiguity {
			return dom.None
		}
	}
	return best.node
}
