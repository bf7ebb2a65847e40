package correct

import (
	"testing"

	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/method"
)

// TestReasons checks that a corrected selection has no reason for a decision
// that the correction reversed.
func TestReasons(t *testing.T) {
	const page = `<div id=a><p>The heron is back on the weir.</p><p>Subscribe to our letter.</p></div>` +
		`<div id=b><p>A hundred readers wrote to us about the otters of the mill pond, and all of them asked for more.</p>` +
		`<p>So we went to the mill pond again, and waited for a night and a day until one of them came up for air, and then another.</p></div>`
	d, err := dom.Parse(t.Context(), []byte(page), dom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var texts, boxes []dom.Node
	for n := range dom.Node(d.Len()) {
		if d.IsText(n) {
			texts = append(texts, n)
		}
	}
	for n := range d.All(d.Root(), dom.Div) {
		boxes = append(boxes, n)
	}
	sel := &method.Selection{Title: dom.None, Keep: boxes[:1]}
	for i, n := range texts {
		sel.Reasons = append(sel.Reasons, method.Reason{Node: n, Kept: i < 2, Why: "the method's"})
	}
	site := func() *method.Site {
		return &method.Site{Pages: 9, Headline: dom.None, Body: dom.None}
	}
	static := site()
	static.Static = make([]bool, d.Len())
	for n := d.Parent(texts[1]); n < d.End(texts[1]); n++ {
		static.Static[n] = true
	}
	body := site()
	body.Body = boxes[1]
	for _, c := range []struct {
		name string
		site *method.Site
		want [4]string // by text
	}{
		{"static text is dropped", static, [4]string{"the method's", "on every page of this site", "the method's", "the method's"}},
		{"the body is replaced", body, [4]string{
			"outside the place where this site has its stories", "outside the place where this site has its stories",
			"where this site has its stories", "where this site has its stories",
		}},
	} {
		got := Selection(d, sel, c.site)
		mask := got.Mask(d)
		for i, n := range texts {
			r := reasonFor(d, got, n)
			if r.Why != c.want[i] || r.Kept != mask[n] {
				t.Errorf("%s: %q: kept is %v, reason %+v, want %q", c.name, d.Text(n), mask[n], r, c.want[i])
			}
		}
	}
}

// reasonFor returns the innermost reason that covers n.
func reasonFor(d *dom.Document, s *method.Selection, n dom.Node) (r method.Reason) {
	for _, x := range s.Reasons { // in page order, so inner reasons come later
		if d.Contains(x.Node, n) {
			r = x
		}
	}
	return r
}
