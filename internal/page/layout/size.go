package layout

import (
	"github.com/lede-news/lede/dom"
	"github.com/lede-news/lede/internal/words"
)

// letterWidth is the average width of a character in font sizes. Ideographs are square.
const letterWidth = 0.46

// textWidth returns the width of a text on one line.
func textWidth(s string, size float64) float64 {
	letters, ideographs := 0, 0
	for _, r := range s {
		if words.IsIdeograph(r) {
			ideographs++
		} else {
			letters++
		}
	}
	return (letterWidth*float64(letters) + float64(ideographs)) * size
}

// words returns the text of a node, and whether white space separates it from the text
// before.
func (e *estimator) words(n dom.Node) (text string, spaced bool) {
	from, to := e.doc.Span(n)
	all := e.doc.AllText()
	return all[from:to], from > 0 && all[from-1] == ' '
}

// contentWidth is the width of a node if no line of it is broken.
type contentWidth struct {
	line   float64 // the current line, or the last one
	widest float64 // of the other lines
}

func (w *contentWidth) newLine() {
	w.widest = max(w.widest, w.line)
	w.line = 0
}

func (w *contentWidth) add(part float64) { w.line = min(w.line+part, maxLength) }

// measureContent computes the widths of all nodes, children first.
func (e *estimator) measureContent() {
	for n := dom.Node(e.doc.Len() - 1); n > 0; n-- {
		if !e.isShown(n) {
			continue
		}
		w, around := &e.widths[n], &e.widths[e.doc.Parent(n)]
		s := e.styleOf(n)
		switch {
		case e.doc.IsText(n):
			text, _ := e.words(n)
			around.add(textWidth(text, s.size) + letterWidth*s.size)
		case e.doc.Tag(n) == dom.Br:
			around.newLine()
		case s.display == inline && s.float == 0:
			around.widest = max(around.widest, w.widest)
			around.add(w.line)
		case s.outOfFlow:
		case s.float != 0 || s.display == inlineBlock || s.display == replaced || s.display == tableCell:
			around.add(e.ownWidth(n, s))
		default:
			around.newLine()
			around.widest = max(around.widest, e.ownWidth(n, s))
		}
	}
}

// ownWidth returns the width of n with its margins if there is room for all of it.
func (e *estimator) ownWidth(n dom.Node, s *style) float64 {
	return e.width(n, s, maxLength, 0) + s.margin.across()
}

// width returns the declared width of n, or that of its content if there is room. Shares are
// those of base, and count for nothing if that is not known.
func (e *estimator) width(n dom.Node, s *style, room, base float64) float64 {
	if s.display == replaced {
		natural, _ := naturalSize(e.doc, n)
		return s.limit(s.width.or(base, natural), base)
	}
	if s.width.set && (base > 0 || s.width.share == 0) {
		return s.limit(s.width.of(base), base)
	}
	content := &e.widths[n]
	w := max(content.line, content.widest) + s.padding.across()
	return s.limit(min(w, max(0, room-s.margin.across())), base)
}

// limit keeps a width within the largest that is allowed.
func (s *style) limit(w, base float64) float64 {
	if base > 0 || s.maxWidth.share == 0 {
		w = min(w, s.maxWidth.or(base, maxLength))
	}
	return max(0, min(w, maxLength))
}

// pictureHeight returns the height of a picture that is w wide.
func (e *estimator) pictureHeight(n dom.Node, s *style, w float64) float64 {
	if s.height.set && s.height.share == 0 {
		return s.height.px
	}
	if e.doc.Tag(n) != dom.Img {
		_, h := naturalSize(e.doc, n)
		return h
	}
	wide, _ := parseLength(e.doc.Attr(n, "width"), s.size)
	high, _ := parseLength(e.doc.Attr(n, "height"), s.size)
	if wide.px > 0 && high.px > 0 {
		return min(w*high.px/wide.px, maxLength)
	}
	return w / 1.5 // as most news pictures
}

// naturalSize returns the size of a player or form field that declares none. That of a
// picture is unknown, since it is not loaded.
func naturalSize(d *dom.Document, n dom.Node) (w, h float64) {
	switch d.Tag(n) {
	case dom.Video, dom.Iframe, dom.Embed:
		return 300, 150
	case dom.Input, dom.Select, dom.Textarea:
		if d.Attr(n, "type") != "hidden" {
			return 150, 20
		}
	}
	return 0, 0
}
