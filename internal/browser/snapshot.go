package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/domsnapshot"

	"github.com/lede-news/lede/dom"
)

// snapshot is what DOMSnapshot.captureSnapshot answers, as far as it is used.
// Everything that is not decoded is not paid for.
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

// rare is about few nodes.
type rare struct {
	Index []int32 `json:"index"`
}

// Types of nodes in a snapshot, as the DOM standard numbers them.
const (
	elementNode = 1
	textNode    = 3
)

// capture takes the one snapshot that a page gets.
func (t *tab) capture(ctx context.Context) (*snapshot, error) {
	s := new(snapshot)
	err := t.Call(ctx, domsnapshot.CommandCaptureSnapshot, domsnapshot.CaptureSnapshotParams{ComputedStyles: propertyNames}, s)
	if err == nil && len(s.Documents) == 0 {
		err = errors.New("browser: a snapshot without a document")
	}
	return s, err
}

// string is the text with a number; -1 stands for none.
func (s *snapshot) string(i int32) string {
	if i < 0 || int(i) >= len(s.Strings) {
		return ""
	}
	return s.Strings[i]
}

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

// Property is a computed style that is kept.
type Property uint8

// The properties, with the names that CSS has for them.
const (
	Display Property = iota
	Visibility
	FontSize
	FontWeight
	FontFamily
	FontStyle
	Color
	BackgroundColor
	TextAlign
	LineHeight
	TextDecorationLine
	TextTransform
	LetterSpacing
	properties
)

var propertyNames = []string{
	Display: "display", Visibility: "visibility", FontSize: "font-size", FontWeight: "font-weight",
	FontFamily: "font-family", FontStyle: "font-style", Color: "color", BackgroundColor: "background-color",
	TextAlign: "text-align", LineHeight: "line-height", TextDecorationLine: "text-decoration-line",
	TextTransform: "text-transform", LetterSpacing: "letter-spacing",
}

// String is the name in CSS.
func (p Property) String() string { return propertyNames[p] }

// Styles are the computed styles of the nodes of a document. A page has few
// different ones, so each is kept once. It is never changed once it is made.
type Styles struct {
	of   []int32 // by node: place in sets, -1 for none
	sets []set
}

type set [properties]string

// Get is the value of a property as Chromium spells it: "16px", "700",
// "rgb(0, 0, 0)". A text has the style of its element; what is not rendered
// has none, "".
func (s *Styles) Get(n dom.Node, p Property) string {
	if i := s.of[n]; i >= 0 {
		return s.sets[i][p]
	}
	return ""
}

// Same reports whether two nodes look alike in all properties.
func (s *Styles) Same(a, b dom.Node) bool { return s.of[a] == s.of[b] }

// wardrobe gathers styles and keeps equal ones once.
type wardrobe struct {
	Styles
	seen map[[properties]int32]int32
}

func newWardrobe(nodes int) *wardrobe {
	w := &wardrobe{seen: make(map[[properties]int32]int32)}
	w.of = make([]int32, nodes)
	for i := range w.of {
		w.of[i] = -1
	}
	return w
}

// hang notes the style of a node, given as numbers of strings.
func (w *wardrobe) hang(n dom.Node, style []int32, s *snapshot) {
	if len(style) != int(properties) {
		return
	}
	key := [properties]int32(style)
	at, ok := w.seen[key]
	if !ok {
		at = int32(len(w.sets))
		w.seen[key] = at
		var values set
		for p, i := range key {
			values[p] = s.string(i)
		}
		w.sets = append(w.sets, values)
	}
	w.of[n] = at
}
