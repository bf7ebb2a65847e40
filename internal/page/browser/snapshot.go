package browser

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/domsnapshot"

	"github.com/lede-news/lede/dom"
)

// snapshot is the result of DOMSnapshot.captureSnapshot. It has only the fields
// that are used, to save decoding the others.
type snapshot struct {
	Documents []*document `json:"documents"`
	Strings   []string    `json:"strings"`
}

type document struct {
	Nodes struct {
		Parent     []int32 `json:"parentIndex"`
		Type       []int16 `json:"nodeType"`
		Name       []int32 `json:"nodeName"`
		Value      []int32 `json:"nodeValue"`
		ShadowRoot rare    `json:"shadowRootType"`
		Pseudo     rare    `json:"pseudoType"`
	} `json:"nodes"`
	Layout struct {
		Node   []int32     `json:"nodeIndex"`
		Styles [][]int32   `json:"styles"`
		Bounds [][]float64 `json:"bounds"`
	} `json:"layout"`
	Width  float64 `json:"contentWidth"`
	Height float64 `json:"contentHeight"`
}

// rare lists the nodes with a rare property.
type rare struct {
	Index []int32 `json:"index"`
}

// Types of nodes in a snapshot, with the numbers of the DOM standard.
const (
	elementNode = 1
	textNode    = 3
)

// capture takes a snapshot of the tab.
func (t *tab) capture(ctx context.Context, properties []string) (*snapshot, error) {
	s := new(snapshot)
	err := t.Call(ctx, domsnapshot.CommandCaptureSnapshot, domsnapshot.CaptureSnapshotParams{ComputedStyles: properties}, s)
	if err == nil && len(s.Documents) == 0 {
		err = errors.New("browser: snapshot without a document")
	}
	return s, err
}

// string returns the string with a number; -1 is none.
func (s *snapshot) string(i int32) string {
	if i < 0 || int(i) >= len(s.Strings) {
		return ""
	}
	return s.Strings[i]
}

// match returns for each node of a snapshot its index in the tree, or -1 for nodes
// that Chromium has added, such as markers and the contents of form controls. Both
// are in document order, so that one pass is enough. It compares parents, names
// and texts.
func (t *tree) match(s *snapshot) ([]int32, error) {
	nodes := &s.Documents[0].Nodes
	count := len(nodes.Parent)
	if len(nodes.Type) != count || len(nodes.Name) != count || len(nodes.Value) != count {
		return nil, fmt.Errorf("%w: incomplete snapshot", ErrMapping)
	}
	added := make([]bool, count)
	for _, list := range [][]int32{nodes.ShadowRoot.Index, nodes.Pseudo.Index} {
		for _, i := range list {
			if i >= 0 && int(i) < count {
				added[i] = true
			}
		}
	}
	places := make([]int32, count)
	next := 0
	for i := range count {
		places[i] = -1
		kind := nodes.Type[i]
		if added[i] || kind != elementNode && kind != textNode {
			continue
		}
		up := nodes.Parent[i]
		if up < 0 || int(up) >= i {
			return nil, fmt.Errorf("%w: node %d of the snapshot comes before its parent", ErrMapping, i)
		}
		parent := places[up]
		if parent < 0 && up != 0 {
			continue // inside an added node; 0 is the document
		}
		if next == len(t.nodes) {
			return nil, fmt.Errorf("%w: more nodes than the %d of the document", ErrMapping, next)
		}
		want := &t.nodes[next]
		if want.parent != parent || !want.is(kind, s.string(nodes.Name[i]), s.string(nodes.Value[i])) {
			return nil, fmt.Errorf("%w: node %d is %q, not %s", ErrMapping, want.id, s.string(nodes.Name[i]), want)
		}
		places[i] = int32(next)
		next++
	}
	if next != len(t.nodes) {
		return nil, fmt.Errorf("%w: %d of %d nodes", ErrMapping, next, len(t.nodes))
	}
	return places, nil
}

func (n *treeNode) is(kind int16, name, value string) bool {
	if kind == textNode {
		return n.name == "" && n.text == value
	}
	return strings.EqualFold(n.name, name)
}

func (n *treeNode) String() string {
	if n.name != "" {
		return "<" + n.name + ">"
	}
	return fmt.Sprintf("%.40q", n.text)
}

// Styles has the computed styles of the nodes of a document. Equal styles are
// stored once.
type Styles struct {
	names []string
	of    []int32 // by node: index in sets, or -1
	sets  [][]string
}

// Get returns the value of one of the properties of the browser as Chromium
// writes it, such as "16px", "700" or "rgb(0, 0, 0)". A text has the style of its
// element. The value is empty for nodes that are not rendered.
func (s *Styles) Get(n dom.Node, property string) string {
	i := slices.Index(s.names, property)
	if at := s.of[n]; at >= 0 && i >= 0 {
		return s.sets[at][i]
	}
	return ""
}

// layoutProperties are the properties that a layout needs, before those of
// Options.Properties.
var layoutProperties = []string{fontSize: "font-size", fontWeight: "font-weight"}

const (
	fontSize = iota
	fontWeight
)

// styleTable builds Styles.
type styleTable struct {
	Styles
	seen map[string]int32
	key  []byte // scratch
}

func newStyleTable(nodes int, names []string) *styleTable {
	t := &styleTable{Styles: Styles{names: names, of: make([]int32, nodes)}, seen: make(map[string]int32)}
	for i := range t.of {
		t.of[i] = -1
	}
	return t
}

// add sets the style of a node, given as numbers of strings.
func (t *styleTable) add(n dom.Node, style []int32, s *snapshot) {
	if len(style) != len(t.names) {
		return
	}
	t.key = t.key[:0]
	for _, i := range style {
		t.key = binary.LittleEndian.AppendUint32(t.key, uint32(i))
	}
	at, ok := t.seen[string(t.key)]
	if !ok {
		at = int32(len(t.sets))
		t.seen[string(t.key)] = at
		values := make([]string, len(style))
		for p, i := range style {
			values[p] = s.string(i)
		}
		t.sets = append(t.sets, values)
	}
	t.of[n] = at
}
