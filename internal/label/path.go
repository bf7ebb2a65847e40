package label

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lede-news/lede/dom"
)

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
