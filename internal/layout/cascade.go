package layout

import "github.com/lede-news/lede/dom"

// cascade computes the style of every element that is shown, parents first.
type cascade struct {
	*matcher
	styles []style
	at     []int32 // node to style; of text, that of its parent; -1 where nothing is shown
	rem    float32
	mode   mode
	// showAll leaves out what style sheets hide: see storyHidden.
	showAll     bool
	hiddenChars int

	hinted, inlined []declaration // scratch
	lists           []declarations
}

// declarations of one origin, with where they come from.
type declarations struct {
	list   []declaration
	origin origin
}

// origin is where a declaration comes from, from the weakest to the strongest.
type origin uint8

const (
	fromBrowser origin = iota
	fromHint
	fromSheet
	fromAttr
)

const notShown = -1

func newCascade(d *dom.Document, s *sheet) *cascade {
	return &cascade{
		matcher: newMatcher(d, s),
		styles:  make([]style, 0, int(d.Counts(0).Elements)+64),
		at:      make([]int32, d.Len()),
		rem:     16,
		mode:    modeOf(d),
	}
}

// run goes through the document once.
func (c *cascade) run() {
	d := c.doc
	c.styles = append(c.styles, initialStyle)
	c.styles[0].setWord(display, block)
	c.at[0] = 0
	for n := dom.Node(1); n < dom.Node(d.Len()); {
		parent := c.at[d.Parent(n)]
		if d.IsText(n) {
			c.at[n] = parent
			n++
			continue
		}
		if !c.element(n, parent) {
			end := d.End(n)
			for ; n < end; n++ {
				c.at[n] = notShown
			}
			continue
		}
		if tag := d.Tag(n); opaque(tag) {
			c.skip(n+1, d.End(n))
			n = d.End(n)
			continue
		}
		n++
	}
}

func (c *cascade) skip(n, end dom.Node) {
	for ; n < end; n++ {
		c.at[n] = notShown
	}
}

// storyHidden reports whether style sheets hide most of the page, which then
// waits for a script to show it.
func (c *cascade) storyHidden() bool {
	const enough = 200
	return c.hiddenChars > enough && 3*c.hiddenChars > 2*c.doc.Chars(0)
}

// restart forgets everything but the sheets, and hides nothing by them.
func (c *cascade) restart() {
	c.styles = c.styles[:0]
	c.showAll, c.hiddenChars = true, 0
}

// element computes the style of n and reports whether it is shown.
func (c *cascade) element(n dom.Node, parent int32) bool {
	tag := c.doc.Tag(n)
	if parent == notShown {
		return false
	}
	c.gather(n, tag)
	i := len(c.styles)
	c.styles = append(c.styles, style{})
	s, p := &c.styles[i], &c.styles[parent]
	s.startFrom(p)
	shows := c.compute(s, p, n, tag)
	if !shows || c.closed(n, tag) {
		c.styles = c.styles[:i]
		return false
	}
	if tag == dom.HTML {
		c.rem = s.size
	}
	c.at[n] = int32(i)
	return true
}

// gather lists what is declared for n, from the weakest to the strongest.
func (c *cascade) gather(n dom.Node, tag dom.Tag) {
	c.lists = append(c.lists[:0], declarations{ua[tag], fromBrowser})
	if c.hinted = c.hints(n, tag, c.hinted[:0]); len(c.hinted) > 0 {
		c.lists = append(c.lists, declarations{c.hinted, fromHint})
	}
	for _, f := range c.match(n, tag) {
		r := c.rules[f.rule]
		c.lists = append(c.lists, declarations{c.decls[r.from:r.to], fromSheet})
	}
	if css, ok := c.doc.Attr(n, "style"); ok && css != "" {
		c.inlined, _ = c.declarations(withoutComments(css), c.inlined[:0])
		if hasVars(c.inlined) {
			c.inlined = c.resolve(c.inlined, nil)
		}
		c.lists = append(c.lists, declarations{c.inlined, fromAttr})
	}
}

func hasVars(ds []declaration) bool {
	for i := range ds {
		if ds[i].vars {
			return true
		}
	}
	return false
}

// compute applies what gather found and reports whether n is shown.
func (c *cascade) compute(s, parent *style, n dom.Node, tag dom.Tag) bool {
	important := false
	for _, l := range c.lists {
		if l.origin == fromBrowser && monospaced(tag) && parent.word(fontFamily) == mono {
			continue // <pre><code>: the smaller size of monospaced fonts counts once
		}
		for i := range l.list {
			s.applyFont(&l.list[i], parent, c.rem)
			important = important || l.list[i].important
		}
	}
	if important {
		for _, l := range c.lists {
			for i := range l.list {
				if l.list[i].important {
					s.applyFont(&l.list[i], parent, c.rem)
				}
			}
		}
	}
	shown, hiddenBy := inline, fromBrowser
	c.pass(s, parent, tag, false, &shown, &hiddenBy)
	if important {
		c.pass(s, parent, tag, true, &shown, &hiddenBy)
	}
	return c.settle(s, n, tag, shown, hiddenBy)
}

// pass applies the normal declarations, or the important ones. It notes what
// the display would be if nothing hid the element, and who hides it.
func (c *cascade) pass(s, parent *style, tag dom.Tag, important bool, shown *word, hiddenBy *origin) {
	for _, l := range c.lists {
		for i := range l.list {
			d := &l.list[i]
			if d.important != important || d.vars || d.property == fontSize || d.property == fontWeight || d.property == custom {
				continue
			}
			s.apply(d, parent, c.rem)
			if d.property == display {
				if s.word(display) == none {
					*hiddenBy = l.origin
				} else {
					*shown = s.word(display)
				}
			}
		}
	}
}

// settle decides whether the element is shown. What the index of the document
// shows although its own attributes hide it is a story that waits for a script.
func (c *cascade) settle(s *style, n dom.Node, tag dom.Tag, shown word, hiddenBy origin) bool {
	if s.word(clipping) == hidden && s.word(position) != static {
		c.hiddenChars += c.doc.Chars(n)
		return false
	}
	if tag == dom.HTML || tag == dom.Body {
		s.setWord(visibility, visible)
	}
	if s.word(display) != none {
		return true
	}
	switch {
	case tag == dom.HTML || tag == dom.Body:
		shown = block
	case hiddenBy == fromSheet && !c.showAll:
		c.hiddenChars += c.doc.Chars(n)
		return false
	case c.doc.Hidden(n):
		return false
	case tag == dom.Template:
		shown = contents
	}
	s.setWord(display, shown)
	return true
}

// closed reports whether n is what a closed <details> keeps to itself, or a
// field that is never shown.
func (c *cascade) closed(n dom.Node, tag dom.Tag) bool {
	if tag == dom.Input {
		t, _ := c.doc.Attr(n, "type")
		return lower(trim(t)) == "hidden"
	}
	p := c.doc.Parent(n)
	if tag == dom.Summary || c.doc.Tag(p) != dom.Details {
		return false
	}
	_, open := c.doc.Attr(p, "open")
	return !open
}

func monospaced(tag dom.Tag) bool {
	switch tag {
	case dom.Code, dom.Kbd, dom.Samp, dom.Tt, dom.Pre, dom.Listing, dom.Plaintext, dom.Xmp:
		return true
	}
	return false
}

// opaque elements are shown as one thing: what stands in them has no boxes.
func opaque(tag dom.Tag) bool {
	switch tag {
	case dom.SVG, dom.Canvas, dom.Video, dom.Audio, dom.Iframe, dom.Select, dom.Textarea, dom.Meter, dom.Progress, dom.Embed, dom.Img, dom.Input:
		return true
	}
	return false
}
