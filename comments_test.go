package lede_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/newsroom"
)

// TestComments holds that what readers of the made-up sites wrote is found, one
// by one, and nothing else.
func TestComments(t *testing.T) {
	written, lost, wrong := 0, 0, 0
	for _, s := range newsroom.New(4).Sites() {
		for i := range 3 {
			p := s.Page(i)
			a, err := lede.Extract(t.Context(), bytes.NewReader(p.HTML), lede.WithURL(p.Gold.URL), lede.WithComments(true))
			if err != nil {
				t.Errorf("%s: %v", p.Gold.ID, err)
				continue
			}
			found := map[string]bool{}
			for _, got := range a.Comments {
				n := 0
				for _, want := range p.Gold.Comments {
					if strings.Contains(got, want) {
						found[want] = true
						n++
					}
				}
				if n != 1 {
					t.Logf("%s: %d comments in %q", p.Gold.ID, n, got)
					wrong++
				}
			}
			for _, want := range p.Gold.Comments {
				written++
				if !found[want] {
					t.Logf("%s: lost %q", p.Gold.ID, want)
					lost++
				}
			}
		}
	}
	const mostLost = 5 // lone ones with a day and no time, or those that the method takes for the story
	if lost > mostLost || wrong > 0 || written == 0 {
		t.Errorf("of %d comments %d are lost, and %d are none", written, lost, wrong)
	}
}
