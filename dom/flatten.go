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
