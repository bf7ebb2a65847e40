package browser

import (
	"context"
	"errors"

	"github.com/chromedp/cdproto/domsnapshot"
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
