package browser

import (
	"fmt"
	"strings"
)

// match finds the nodes that were planted in the snapshot of them: for each
// node of the snapshot its place in the tree, or -1 for what Chromium has added
// itself (markers, the insides of form controls). Both are in the order of the
// page, so one walk does it, and it compares as it goes: parents, names, texts.
func (t *tree) match(s *snapshot) ([]int32, error) {
	nodes := &s.Documents[0].Nodes
	count := len(nodes.Parent)
	if len(nodes.Type) != count || len(nodes.Name) != count || len(nodes.Value) != count {
		return nil, fmt.Errorf("%w: the snapshot is incomplete", ErrMapping)
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
			continue // inside something that was added; 0 is the page itself
		}
		if next == len(t.nodes) {
			return nil, fmt.Errorf("%w: it has more nodes than the %d of the document", ErrMapping, next)
		}
		want := &t.nodes[next]
		if want.parent != parent || !want.is(kind, s.string(nodes.Name[i]), s.string(nodes.Value[i])) {
			return nil, fmt.Errorf("%w: node %d is %q, not %s", ErrMapping, want.id, s.string(nodes.Name[i]), want)
		}
		places[i] = int32(next)
		next++
	}
	if next != len(t.nodes) {
		return nil, fmt.Errorf("%w: it has %d of %d nodes", ErrMapping, next, len(t.nodes))
	}
	return places, nil
}

func (p *planted) is(kind int16, name, value string) bool {
	if kind == textNode {
		return p.name == "" && p.text == value
	}
	return strings.EqualFold(p.name, name)
}

func (p *planted) String() string {
	if p.name != "" {
		return "<" + p.name + ">"
	}
	return fmt.Sprintf("%.40q", p.text)
}
