package dom

import (
	"bytes"

	"golang.org/x/net/html"
)

// Browsers re-parent what is nested deeper than 512 elements; the parser
// refuses it. A page that it refuses is rewritten with less nesting: wrappers
// go first, since they say nothing about what is in them, then whatever is
// still too deep. A block that goes leaves a line break in its place, so that
// no two words grow together, and no text is ever lost.
const (
	wrapperDepth    = 100 // deeper than this, no more <div>, <span> and the like
	elementDepth    = 200 // deeper than this, nothing; tables need two more levels for each of theirs
	formattingDepth = 8   // more <b>, <font> … around each other than this say nothing new
	maxAttributes   = 100
	maxTagBytes     = 4 << 10 // longer tags are looked at for a flood of attributes
)

// flatten rewrites a page so that it can be parsed: elements properly nested
// and not too deep, attributes in bounds, comments left out.
func flatten(page []byte) []byte {
	f := flattener{tok: html.NewTokenizer(bytes.NewReader(page))}
	f.out.Grow(len(page))
	for {
		inRaw := f.inRaw
		f.inRaw = false
		switch f.tok.Next() {
		case html.ErrorToken:
			return f.out.Bytes() // the end: there is no other error on bytes
		case html.StartTagToken:
			f.start()
		case html.SelfClosingTagToken:
			// HTML has no such thing but in drawings: elsewhere the slash is
			// ignored, and a million <div/> are a million nested elements.
			if f.start() {
				f.pop()
			}
		case html.EndTagToken:
			f.end()
		case html.TextToken:
			f.text(inRaw)
		case html.DoctypeToken:
			f.out.Write(f.tok.Raw())
		}
	}
}

type flattener struct {
	tok     *html.Tokenizer
	out     bytes.Buffer
	stack   []opened
	depth   int // of what was written
	formats int // of those, formatting elements
	open    [tagCount]int
	skipped [tagCount]int // formatting elements that were left out, so that their ends are too
	broken  int           // length of out after the last line break that was put in
	inRaw   bool          // the next token is the text of a raw element
}

// opened is an element of the source that has not ended yet.
type opened struct {
	tag     Tag
	name    string // of unknown elements
	written bool
}

// start writes a start tag if it fits, and reports whether the element is now
// open.
func (f *flattener) start() bool {
	rawTag := f.tok.Raw()
	name, hasAttr := f.tok.TagName()
	tag, _ := tagAt(name)
	inDrawing := f.open[SVG]+f.open[Math] > 0
	if inDrawing && tag.is(block) {
		f.leaveDrawing()
		inDrawing = false
	}
	f.closeImplied(tag)
	if len(rawTag) > maxTagBytes && hasAttr {
		rawTag = f.trimAttributes(string(name))
	}
	switch {
	case tag.is(raw) && inDrawing:
		f.tok.NextIsNotRawText()
	case tag.is(void) || tag.is(raw) || isPagePart(tag):
		f.out.Write(rawTag)
		f.inRaw = tag.is(raw)
		return false
	}
	fits := f.fits(tag)
	if !fits && isFormat(tag) {
		f.skipped[tag]++
		return false
	}
	f.push(opened{tag: tag, name: nameOf(tag, name), written: fits}, rawTag)
	return true
}

// text writes text as it is, but for a '<' that means nothing by itself: it
// would begin a tag if the tag after it is left out.
func (f *flattener) text(inRaw bool) {
	text := f.tok.Raw()
	if !inRaw && bytes.IndexByte(text, '<') >= 0 {
		text = bytes.ReplaceAll(text, []byte("<"), []byte("&lt;"))
	}
	f.out.Write(text)
}

func (f *flattener) push(o opened, rawTag []byte) {
	switch {
	case o.written:
		f.out.Write(rawTag)
		f.depth++
		if isFormat(o.tag) {
			f.formats++
		}
	case o.tag.is(block):
		f.lineBreak()
	}
	f.stack = append(f.stack, o)
	f.open[o.tag]++
}

func (f *flattener) fits(tag Tag) bool {
	switch {
	case isFormat(tag):
		return f.formats < formattingDepth && f.depth < elementDepth
	case tag.is(wrapper) || tag == Unknown:
		return f.depth < wrapperDepth
	}
	return f.depth < elementDepth
}

// pop ends the innermost open element.
func (f *flattener) pop() {
	o := f.stack[len(f.stack)-1]
	f.stack = f.stack[:len(f.stack)-1]
	f.open[o.tag]--
	if !o.written {
		if o.tag.is(block) {
			f.lineBreak()
		}
		return
	}
	f.depth--
	if isFormat(o.tag) {
		if f.formats--; f.formats == 0 {
			clear(f.skipped[:])
		}
	}
	f.out.WriteString("</")
	f.out.WriteString(o.name)
	f.out.WriteByte('>')
}

// lineBreak stands in for the edge of a block; one is enough for many.
func (f *flattener) lineBreak() {
	if f.out.Len() > f.broken {
		f.out.WriteString("<br>")
		f.broken = f.out.Len()
	}
}

// isFormat reports whether an element may be opened anew by the parser. There
// is only ever one link of that kind.
func isFormat(tag Tag) bool { return tag.is(active) && tag != A }

// isPagePart reports whether the parser keeps track of an element by itself.
func isPagePart(tag Tag) bool { return tag == HTML || tag == Head || tag == Body }

func nameOf(tag Tag, name []byte) string {
	if tag != Unknown {
		return tag.String()
	}
	return string(name)
}

// trimAttributes writes the current tag anew with the first of its attributes.
func (f *flattener) trimAttributes(name string) []byte {
	t := html.Token{Type: html.StartTagToken, Data: name}
	for more := true; more && len(t.Attr) < maxAttributes; {
		var k, v []byte
		if k, v, more = f.tok.TagAttr(); len(k) > 0 {
			t.Attr = append(t.Attr, html.Attribute{Key: string(k), Val: string(v)})
		}
	}
	return []byte(t.String())
}

// reach is how far the flattener looks down its stack for what a tag ends: a
// stray tag must not cost a walk through a million open elements.
const reach = 256

// closeTo ends the nearest open element that match takes, and all inside it,
// unless stop takes one of those that stand in between.
func (f *flattener) closeTo(match func(*opened) bool, stop func(Tag) bool) {
	for i := len(f.stack) - 1; i >= max(0, len(f.stack)-reach); i-- {
		o := &f.stack[i]
		if match(o) {
			for len(f.stack) > i {
				f.pop()
			}
			return
		}
		if stop(o.tag) {
			return
		}
	}
}

// closeImplied ends what the next tag ends without saying so.
func (f *flattener) closeImplied(tag Tag) {
	switch tag {
	case Li:
		f.closeAny(endsItem, Li)
	case Dt, Dd:
		f.closeAny(endsItem, Dt, Dd)
	case A, Nobr, Option:
		f.closeAny(isScope, tag)
	case Td, Th:
		f.closeAny(isTable, Td, Th, Caption)
	case Tr:
		f.closeAny(isTable, Tr, Caption)
	case Tbody, Thead, Tfoot:
		f.closeAny(isTable, Tbody, Thead, Tfoot, Caption)
	}
	if tag.is(block) && tag != Br {
		f.closeAny(isScope, P)
	}
	if top := len(f.stack) - 1; tag.IsHeading() && top >= 0 && f.stack[top].tag.IsHeading() {
		f.pop()
	}
}

func (f *flattener) closeAny(stop func(Tag) bool, ts ...Tag) {
	open := 0
	for _, t := range ts {
		open += f.open[t]
	}
	if open == 0 {
		return
	}
	f.closeTo(func(o *opened) bool {
		for _, t := range ts {
			if o.tag == t {
				return true
			}
		}
		return false
	}, stop)
}

// leaveDrawing ends the drawing or formula that something else begins in.
func (f *flattener) leaveDrawing() {
	for f.open[SVG]+f.open[Math] > 0 {
		f.pop()
	}
}

func (f *flattener) end() {
	rawTag := f.tok.Raw()
	name, _ := f.tok.TagName()
	tag, _ := tagAt(name)
	switch {
	case tag == HTML || tag == Body:
		// What comes after still belongs to the page.
	case tag == Unknown:
		s := string(name)
		f.closeTo(func(o *opened) bool { return o.tag == Unknown && o.name == s }, Tag.IsBlock)
	case f.skipped[tag] > 0:
		f.skipped[tag]--
	case f.open[tag] > 0:
		f.closeAny(f.stopFor(tag), tag)
	case tag.is(raw) || tag.is(void) || tag == Head:
		f.out.Write(rawTag)
	}
}

// stopFor is what an end tag does not reach beyond.
func (f *flattener) stopFor(tag Tag) func(Tag) bool {
	switch {
	case tag == Table:
		return func(Tag) bool { return false }
	case tag.is(scope) || tag == Tr || tag == Tbody || tag == Thead || tag == Tfoot:
		return isTable
	case tag.is(block) || tag.is(active):
		return isScope
	}
	return Tag.IsBlock
}

func isTable(t Tag) bool { return t == Table }

func isScope(t Tag) bool { return t.is(scope) || t == Table || t == Button }

// endsItem reports whether a list item inside t belongs to a list inside t.
func endsItem(t Tag) bool {
	return t.is(block) && t != Div && t != P && t != Address || isScope(t)
}
