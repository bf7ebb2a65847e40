package dom

import (
	"bytes"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// scanResult describes a page that cannot be parsed as it is.
type scanResult struct {
	cut       int  // how many bytes of the page to parse
	truncated bool // cut is before the end
	titleEnd  int  // where a <title> without an end tag should end, or 0
}

// scan looks for the place where a page has more nodes than the limit, and for a
// <title> that is not closed.
func scan(page []byte, maxNodes int) scanResult {
	z := html.NewTokenizer(bytes.NewReader(page))
	s := scanResult{cut: len(page)}
	nodes, end := 0, 0
	inRaw := Unknown // raw element of the next text
	foreign := false // inside SVG or MathML, where nothing is raw
	for {
		kind := z.Next()
		start, element := end, inRaw
		end += len(z.Raw())
		inRaw = Unknown
		switch kind {
		case html.ErrorToken:
			return s
		case html.TextToken:
			if element == Title && end == len(page) && s.titleEnd == 0 {
				if i := bytes.IndexByte(z.Raw(), '<'); i >= 0 {
					end = start + i
					s.titleEnd = end
					z = html.NewTokenizer(bytes.NewReader(page[end:]))
				}
			} else if element == Unknown && len(bytes.TrimSpace(z.Raw())) > 0 {
				nodes++
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if nodes++; nodes > maxNodes {
				s.cut, s.truncated = start, true
				return s
			}
			name, _ := z.TagName()
			switch tag := tagOfAtom(atom.Lookup(name)); {
			case tag == SVG || tag == Math:
				foreign = true
			case tag.is(block):
				foreign = false // blocks end SVG and MathML implicitly
			case tag.is(raw) && foreign:
				z.NextIsNotRawText()
			case tag.is(raw):
				inRaw = tag
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if tag := tagOfAtom(atom.Lookup(name)); tag == SVG || tag == Math {
				foreign = false
			}
		}
	}
}

// The parser rejects pages that are nested deeper than 512 elements. They are
// rewritten with less nesting. Wrappers are removed first, since they mean
// nothing for their content, then all elements that are still too deep. A line
// break replaces a removed block, to keep words apart. No text is lost.
const (
	wrapperDepth    = 100 // deeper <div>, <span> and the like are removed
	elementDepth    = 200 // all deeper elements are removed; the parser adds up to two for each table
	formattingDepth = 8   // further nested <b>, <font> and the like are removed
	maxAttributes   = 100
	maxTagBytes     = 4 << 10 // longer tags may have too many attributes
)

// flatten rewrites a page so that it can be parsed: with elements properly nested
// and not too deep, few attributes, and without comments.
func flatten(page []byte) []byte {
	f := flattener{tok: html.NewTokenizer(bytes.NewReader(page))}
	f.out.Grow(len(page))
	for {
		inRaw := f.inRaw
		f.inRaw = false
		switch f.tok.Next() {
		case html.ErrorToken:
			return f.out.Bytes() // always io.EOF
		case html.StartTagToken:
			f.start()
		case html.SelfClosingTagToken:
			// The slash only has a meaning in SVG and MathML. Otherwise a million
			// <div/> would be a million nested elements.
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
	stack   []openElement
	depth   int // of the output
	formats int // open formatting elements in the output
	open    [tagCount]int
	skipped [tagCount]int // removed formatting elements, whose end tags are removed, too
	broken  int           // length of out after the last line break
	inRaw   bool          // the next token is the text of a raw element
}

// openElement is an element of the page that has not ended yet.
type openElement struct {
	tag     Tag
	name    string // of unknown elements
	written bool
}

// start writes a start tag unless it is too deep. It reports whether the element
// is now open.
func (f *flattener) start() bool {
	rawTag := f.tok.Raw()
	name, hasAttr := f.tok.TagName()
	tag := tagOfAtom(atom.Lookup(name))
	inForeign := f.open[SVG]+f.open[Math] > 0
	if inForeign && tag.is(block) {
		f.leaveForeign()
		inForeign = false
	}
	f.closeImplied(tag)
	if len(rawTag) > maxTagBytes && hasAttr {
		rawTag = f.trimAttributes(string(name))
	}
	switch {
	case tag.is(raw) && inForeign:
		f.tok.NextIsNotRawText()
	case tag.is(void) || tag.is(raw) || isDocumentPart(tag):
		f.out.Write(rawTag)
		f.inRaw = tag.is(raw)
		return false
	}
	fits := f.fits(tag)
	if !fits && isFormat(tag) {
		f.skipped[tag]++
		return false
	}
	f.push(openElement{tag: tag, name: nameOf(tag, name), written: fits}, rawTag)
	return true
}

// text writes text. It escapes a lone '<', which would begin a tag if the tag
// after it is removed.
func (f *flattener) text(inRaw bool) {
	text := f.tok.Raw()
	if !inRaw && bytes.IndexByte(text, '<') >= 0 {
		text = bytes.ReplaceAll(text, []byte("<"), []byte("&lt;"))
	}
	f.out.Write(text)
}

func (f *flattener) push(o openElement, rawTag []byte) {
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

// pop closes the innermost open element.
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

// lineBreak writes a line break in place of the edge of a block, or of several.
func (f *flattener) lineBreak() {
	if f.out.Len() > f.broken {
		f.out.WriteString("<br>")
		f.broken = f.out.Len()
	}
}

// isFormat reports whether the parser may open an element again. Of links it
// never keeps more than one.
func isFormat(tag Tag) bool { return tag.is(active) && tag != A }

// isDocumentPart reports whether the parser opens and closes an element by itself.
func isDocumentPart(tag Tag) bool { return tag == HTML || tag == Head || tag == Body }

func nameOf(tag Tag, name []byte) string {
	if tag != Unknown {
		return tag.String()
	}
	return string(name)
}

// trimAttributes returns the current tag with only its first attributes.
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

// maxSearch is how many open elements are searched for one that a tag closes. A
// stray tag must not search a million.
const maxSearch = 256

// closeTo closes the innermost open element that matches, and all inside it,
// unless stop holds for one of those.
func (f *flattener) closeTo(match func(*openElement) bool, stop func(Tag) bool) {
	for i := len(f.stack) - 1; i >= max(0, len(f.stack)-maxSearch); i-- {
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

// closeImplied closes what a start tag closes implicitly.
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

func (f *flattener) closeAny(stop func(Tag) bool, tags ...Tag) {
	open := 0
	for _, t := range tags {
		open += f.open[t]
	}
	if open == 0 {
		return
	}
	f.closeTo(func(o *openElement) bool { return slices.Contains(tags, o.tag) }, stop)
}

// leaveForeign closes SVG and MathML.
func (f *flattener) leaveForeign() {
	for f.open[SVG]+f.open[Math] > 0 {
		f.pop()
	}
}

func (f *flattener) end() {
	rawTag := f.tok.Raw()
	name, _ := f.tok.TagName()
	tag := tagOfAtom(atom.Lookup(name))
	switch {
	case tag == HTML || tag == Body:
		// What follows still belongs to the body.
	case tag == Unknown:
		s := string(name)
		f.closeTo(func(o *openElement) bool { return o.tag == Unknown && o.name == s }, Tag.IsBlock)
	case f.skipped[tag] > 0:
		f.skipped[tag]--
	case f.open[tag] > 0:
		f.closeAny(f.stopFor(tag), tag)
	case tag.is(raw) || tag.is(void) || tag == Head:
		f.out.Write(rawTag)
	}
}

// stopFor returns the elements that an end tag does not close.
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
