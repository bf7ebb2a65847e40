package site_test

import (
	"fmt"
	"testing"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/site"
)

// TestRows checks that a profile says how rows in the same places were judged, with
// and without names, and under the same heading.
func TestRows(t *testing.T) {
	t.Parallel()
	html := func(i int) []byte {
		return fmt.Appendf(nil, `<title>Story %[1]d</title><div><div><p>The council met for the %[1]dth time and agreed on a new budget.</p></div>
			<div><p>The %[1]d most read stories of the week, chosen by our readers.</p></div></div>
			<h3>Elsewhere</h3><p class="t%[1]d">Another story, number %[1]d, from somewhere else.</p>`, i)
	}
	p := site.New("")
	for i := range 5 {
		d := parse(t, html(i))
		sel := &method.Selection{Title: dom.None, Keep: []dom.Node{d.Parent(d.First(dom.P))}}
		p.Add(site.NewFingerprint(d).Observe("", sel, &article.Article{Type: article.TypeArticle, Confidence: 1}))
	}
	d := parse(t, html(9))
	s := match(p, d)
	if s == nil || len(s.Rows) != 4 {
		t.Fatalf("got %v", s)
	}
	share := func(row int, c method.Clue) float32 {
		e := s.Rows[row].Clues[c]
		if e.Pages < 4 {
			t.Errorf("row %d, clue %d: seen on %g pages", row, c, e.Pages)
		}
		return e.Kept / e.Pages
	}
	if first, second := share(0, method.ByPosition), share(1, method.ByPosition); first != 1 || second != 0 {
		t.Errorf("by position %g and %g; want 1 and 0", first, second)
	}
	if got := share(0, method.ByPath); got < 0.3 || got > 0.7 {
		t.Errorf("by path %g; the two have the same", got)
	}
	if got := share(3, method.ByHeading); got != 0 {
		t.Errorf("by heading %g; want 0", got)
	}
	if s.Rows[2].Repeats < 0.99 || s.Rows[0].Repeats != 0 {
		t.Errorf("the heading repeats %g, the first paragraph %g", s.Rows[2].Repeats, s.Rows[0].Repeats)
	}
}
