package compose

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lede-news/lede/article"
	"github.com/lede-news/lede/internal/page/steps"
)

// builder collects blocks. Text accumulates in a paragraph until flush ends it.
type builder struct {
	memory  *memory
	blocks  []article.Block
	text    []byte          // of the current paragraph
	runs    []run           // styles of text
	breaks  int             // line breaks since the last text
	pending []article.Block // media inside the paragraph, which does not end there
}

// run is a part of the paragraph with the same style, up to end.
type run struct {
	end  int
	mark article.Mark
	href string
}

// addText appends text to the paragraph. spaced reports whether a space
// precedes it.
func (b *builder) addText(s string, spaced bool, mark article.Mark, href string) {
	if b.breaks > 1 || b.breaks == 1 && b.isBreak(s) {
		b.flush() // older pages separate paragraphs by line breaks
	}
	if len(b.runs) > 0 {
		switch {
		case b.breaks == 1:
			b.append("\n", 0, "")
		case spaced:
			b.space(mark, href)
		}
	}
	b.breaks = 0
	b.append(s, mark, href)
}

// isBreak reports whether a line break before next separates two paragraphs: the
// line before it is a long one that ends with a sentence, and next begins one. Lines
// of poems and addresses do not.
func (b *builder) isBreak(next string) bool {
	const minLine = 40 // bytes
	line := b.text[bytes.LastIndexByte(b.text, '\n')+1:]
	return len(line) >= minLine && endsSentence(line) && beginsSentence(next)
}

// endsSentence reports whether a text ends with a sentence, perhaps in quotation
// marks.
func endsSentence(text []byte) bool {
	text = bytes.TrimRight(text, " \"'”’»«“‘›‹)]」』")
	r, _ := utf8.DecodeLastRune(text)
	return strings.ContainsRune(".!?…。！？؟।", r)
}

// beginsSentence reports whether a text can begin a sentence.
func beginsSentence(s string) bool {
	s = strings.TrimLeft(s, " \"'“‘«»„‚‹›([–—-「『¿¡")
	r, _ := utf8.DecodeRuneInString(s)
	return !unicode.IsLower(r)
}

// space appends a space without style if the style changes here, so that no
// link or bold run begins or ends with a space.
func (b *builder) space(mark article.Mark, href string) {
	if bytes.HasSuffix(b.text, []byte("\n")) {
		return
	}
	if last := b.runs[len(b.runs)-1]; last.mark != mark || last.href != href {
		mark, href = 0, ""
	}
	b.append(" ", mark, href)
}

func (b *builder) append(s string, mark article.Mark, href string) {
	b.text = append(b.text, s...)
	if n := len(b.runs) - 1; n >= 0 && b.runs[n].mark == mark && b.runs[n].href == href {
		b.runs[n].end = len(b.text)
		return
	}
	b.memory.steps.Write(len(href))
	b.runs = append(b.runs, run{len(b.text), mark, href})
}

func (b *builder) breakLine() {
	if len(b.runs) > 0 {
		b.breaks++
	}
}

// flush ends the paragraph.
func (b *builder) flush() {
	if spans := trim(b.spans()); len(spans) > 0 {
		b.push(article.Block{Kind: article.Paragraph, Spans: spans})
	}
	for i := range b.pending {
		b.push(b.pending[i])
	}
	b.text, b.runs, b.pending, b.breaks = b.text[:0], b.runs[:0], b.pending[:0], 0
}

// spans returns the paragraph as spans.
func (b *builder) spans() []article.Span {
	if len(b.runs) == 0 {
		return nil
	}
	all, from := b.memory.newString(b.text), 0
	spans := b.memory.newSpans(len(b.runs))
	for i, r := range b.runs {
		spans[i] = article.Span{Text: all[from:r.end], Mark: r.mark, Href: r.href}
		from = r.end
	}
	return spans
}

// add ends the paragraph and adds a block, unless it is empty.
func (b *builder) add(block article.Block) {
	b.flush()
	if !isEmpty(&block) {
		b.push(block)
	}
}

// push adds a block. The memory doubles when it is full: blocks are large, and append
// would copy those of a long page many times.
func (b *builder) push(block article.Block) {
	if len(b.blocks) == cap(b.blocks) {
		b.blocks = slices.Grow(b.blocks, max(len(b.blocks), 1))
	}
	b.blocks = append(b.blocks, block)
	b.memory.pushed++
}

func isEmpty(b *article.Block) bool {
	return b.Kind == article.Quote && len(b.Blocks) == 0 || b.Kind == article.List && len(b.Items) == 0 ||
		b.Kind == article.Table && len(b.Rows) == 0 || b.Kind == article.Code && b.Code == ""
}

// addMedia adds a picture or video without ending the paragraph.
func (b *builder) addMedia(block article.Block) {
	if len(b.runs) == 0 {
		b.push(block)
		return
	}
	b.pending = append(b.pending, block)
}

// last returns the last block if no text follows it, or nil.
func (b *builder) last() *article.Block {
	if n := len(b.pending); n > 0 {
		return &b.pending[n-1]
	}
	if len(b.runs) > 0 || len(b.blocks) == 0 {
		return nil
	}
	return &b.blocks[len(b.blocks)-1]
}

// finish ends the paragraph and returns all blocks.
func (b *builder) finish() []article.Block {
	b.flush()
	return dropRules(b.blocks)
}

// dropRules removes, in place, leading, trailing and repeated rules.
func dropRules(blocks []article.Block) []article.Block {
	n := 0
	for i := range blocks {
		if blocks[i].Kind == article.Rule && (n == 0 || blocks[n-1].Kind == article.Rule) {
			continue
		}
		if n < i {
			blocks[n] = blocks[i]
		}
		n++
	}
	if n > 0 && blocks[n-1].Kind == article.Rule {
		n--
	}
	return blocks[:n]
}

// dropMedia removes pictures and videos, in place, and what is empty without
// them.
func dropMedia(blocks []article.Block) []article.Block { return dropBlocks(blocks, isMedia) }

// dropBlocks removes blocks, in place, and what is empty without them.
func dropBlocks(blocks []article.Block, drop func(*article.Block) bool) []article.Block {
	out := blocks[:0]
	for i := range blocks {
		b := &blocks[i]
		if drop(b) {
			continue
		}
		switch b.Kind {
		case article.Quote:
			b.Blocks = dropBlocks(b.Blocks, drop)
		case article.List:
			for k, it := range b.Items {
				b.Items[k] = dropBlocks(it, drop)
			}
			b.Items = slices.DeleteFunc(b.Items, func(it []article.Block) bool { return len(it) == 0 })
		case article.Table:
			b.Rows = slices.DeleteFunc(b.Rows, func(row []article.Cell) bool {
				empty := true
				for k := range row {
					row[k].Blocks = dropBlocks(row[k].Blocks, drop)
					empty = empty && len(row[k].Blocks) == 0
				}
				return empty
			})
		}
		if !isEmpty(b) {
			out = append(out, *b)
		}
	}
	if out = dropRules(out); len(out) == 0 {
		return nil
	}
	return out
}

// trim removes white space from both ends of a paragraph.
func trim(spans []article.Span) []article.Span {
	for len(spans) > 0 {
		if spans[0].Text = strings.TrimLeft(spans[0].Text, " \n"); spans[0].Text != "" {
			break
		}
		spans = spans[1:]
	}
	for len(spans) > 0 {
		last := &spans[len(spans)-1]
		if last.Text = strings.TrimRight(last.Text, " \n"); last.Text != "" {
			break
		}
		spans = spans[:len(spans)-1]
	}
	return spans
}

// memory allocates the parts of an article in large pieces, because an article
// has many paragraphs. All builders of a page share it.
type memory struct {
	steps  *steps.Counter
	pushed int // blocks so far
	text   strings.Builder
	spans  []article.Span
	blocks []article.Block
	images []article.Image
	links  strings.Builder
	idle   []*builder // for reuse
}

func (m *memory) newImage() *article.Image {
	const size = 8
	if len(m.images) == cap(m.images) {
		m.images = make([]article.Image, 0, size)
	}
	m.images = append(m.images, article.Image{})
	return &m.images[len(m.images)-1]
}

func (m *memory) newString(text []byte) string {
	from := m.text.Len()
	m.text.Write(text)
	return m.text.String()[from:]
}

func (m *memory) newAddress(addr string) string {
	const usual = 1024 // bytes
	if m.links.Len() == 0 {
		m.links.Grow(usual)
	}
	from := m.links.Len()
	m.links.WriteString(addr)
	return m.links.String()[from:]
}

func (m *memory) newSpans(n int) []article.Span {
	const minSize = 32
	if cap(m.spans)-len(m.spans) < n {
		m.spans = make([]article.Span, 0, max(n, minSize))
	}
	from := len(m.spans)
	m.spans = m.spans[:from+n]
	return m.spans[from : from+n : from+n]
}

// newBlocks returns a copy of blocks.
func (m *memory) newBlocks(blocks []article.Block) []article.Block {
	if len(blocks) == 0 {
		return nil
	}
	const minSize = 8
	if cap(m.blocks)-len(m.blocks) < len(blocks) {
		m.blocks = make([]article.Block, 0, max(len(blocks), minSize))
	}
	from := len(m.blocks)
	m.blocks = append(m.blocks, blocks...)
	return m.blocks[from:len(m.blocks):len(m.blocks)]
}

func (m *memory) newBuilder() *builder {
	if n := len(m.idle); n > 0 {
		b := m.idle[n-1]
		m.idle = m.idle[:n-1]
		return b
	}
	b := &struct {
		builder
		text [512]byte // enough for most paragraphs
		runs [8]run
	}{}
	b.builder = builder{memory: m, text: b.text[:0], runs: b.runs[:0]}
	return &b.builder
}

// finish returns the blocks of a builder and makes it available for reuse.
func (m *memory) finish(b *builder) []article.Block {
	blocks := m.newBlocks(b.finish())
	b.blocks = b.blocks[:0]
	m.idle = append(m.idle, b)
	return blocks
}
