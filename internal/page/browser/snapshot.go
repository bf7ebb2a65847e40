package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/domsnapshot"
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
