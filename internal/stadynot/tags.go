package stadynot

import "github.com/lede-news/lede/dom"

// nonInformative marks the elements that hold no story (section 3.3).
func (r *run) nonInformative() {
	r.tags("non-informative tag", func(n dom.Node) bool {
		switch r.doc.Tag(n) {
		case dom.Link, dom.Script, dom.Style, dom.Noscript, dom.Embed, dom.Object, dom.Param, dom.Input,
			dom.Caption, dom.Meta, dom.Textarea:
			return true
		case dom.Img:
			return !r.cfg.Pictures
		case dom.Form:
			return !r.isPageForm(n)
		}
		return false
	})
}

// furniture marks more elements that hold no story, before stage 2, so that
// their text does not count there.
func (r *run) furniture() {
	if !r.cfg.Furniture {
		return
	}
	r.nonInformative()
	r.tags("furniture", func(n dom.Node) bool {
		switch r.doc.Tag(n) {
		case dom.Nav, dom.Footer, dom.Aside, dom.Button, dom.Select, dom.Label, dom.Menu, dom.Dialog:
			return !r.holds(n, r.cfg.Home)
		}
		return false
	})
}

// tags marks the shown elements of some kind.
func (r *run) tags(why string, is func(dom.Node) bool) {
	d := r.doc
	for n := r.top + 1; n < d.End(r.top); {
		switch {
		case d.Hidden(n), r.marks[n] != 0:
			n = d.End(n)
		case !d.IsText(n) && is(n):
			r.noise(n, 0, why)
			n = d.End(n)
		default:
			n++
		}
	}
}

// isPageForm tells the form that some sites put around the whole page.
func (r *run) isPageForm(n dom.Node) bool {
	const much = 0.25
	return r.cfg.Furniture && r.holds(n, much)
}
